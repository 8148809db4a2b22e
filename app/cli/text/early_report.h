// What a person at a terminal reads first: the report of the run, while the tool effect is still measured;
// then, as soon as it is known, what takes some of it back. A script that asked for one value (--json), a
// judgement or a file gets it when all is known.
#pragma once

#include "printed.h"

#include <olab/recording/experiment_job.h>

#include <functional>

namespace olab::cli {

class EarlyReport {
public:
    /// `show` prints; not called where nothing is wanted early.
    EarlyReport(bool wanted, std::function<void(const Printed&)> show)
        : m_wanted(wanted)
        , m_show(std::move(show)) {}
    /// Use while this lives.
    recording::ExperimentHooks hooks();
    /// All but the tool effect; null: more is missing.
    recording::RecordingPtr known() const { return m_yielded ? m_latest : nullptr; }
    bool shown() const { return m_said != nullptr; }
    /// What came last, where the rest is already read.
    Printed lateText(const analysis::Report& all) const;

private:
    void take(recording::RecordingPtr recording);
    void yield();
    bool m_wanted, m_yielded = false;
    std::function<void(const Printed&)> m_show;
    recording::RecordingPtr m_latest, m_said; ///< the one behind the last words; null: none yet
};

} // namespace olab::cli
