// `olab run --like TRACE`: the work of a recording run again, first as it was recorded, which tells how well
// that does, then with the options that were set.
#pragma once

#include "arguments.h"
#include "engines.h"
#include "printed.h"
#include "time_slice.h"

#include <olab/io/report_document.h>
#include <olab/recorded_work/record_work.h>

namespace olab::cli {

class LikeRun {
public:
    /// Reads the recording. @throws Error for one that has no such work, and options that cannot be
    LikeRun(const Arguments& arguments, const RunControl& control);
    static bool isWanted(const Arguments& arguments) { return arguments.has("--like"); }

    /// With the options that were set.
    const experiment::Experiment& experiment() const { return m_changed; }
    std::string title() const { return "like " + m_recording->title; }
    /// Holds a run of experiment() against the recording; where options were set, that of the work as it was
    /// recorded, which is run now.
    void compare(const recording::RecordingPtr& run, const Engines& engines, const RunControl& control);
    /// Why a run of it is no run of what happened: records of it were lost; empty: it is whole.
    std::string lossReason() const;
    /// What came of it; compare() comes first.
    Printed text() const;
    /// Adds the member "like".
    void addResult(io::ReportDocument& document) const;

private:
    recording::RecordingPtr m_recording;
    Interval m_window;
    experiment::HeldExperiment m_asRecorded, m_changed;
    recorded_work::Reproduction m_reproduction;
    std::string m_change; ///< empty: no option was set
    Ns m_before = 0, m_after = 0;
};

} // namespace olab::cli
