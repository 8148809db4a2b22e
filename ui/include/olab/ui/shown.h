// A recording with all that showing it needs, computed once on the engine thread and shared, const, with
// every widget.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/run/recording.h>
#include <olab/ui/links.h>
#include <olab/ui/timeline_index.h>

#include <QString>
#include <memory>
#include <mutex>

namespace olab {

/// One run of the window, whichever recording stands for it and wherever that is: what a person calls it now,
/// and noted. A recording never changes, its label may: any thread reads it, the GUI thread writes it
/// (RunList).
class Run {
public:
    explicit Run(const Recording& recording);
    RunLabel label() const;
    void setLabel(RunLabel label) const;
    QString title() const; ///< of the label, else the recording's own

private:
    const std::string m_ownTitle;
    mutable std::mutex m_mutex; ///< a picture may be in the making while a run is renamed
    mutable RunLabel m_label;
};
using RunPtr = std::shared_ptr<const Run>;

struct Shown {
    /// `ofRun`: of which more is known now, or which was out of memory; null: a new one. @throws Error when
    /// cancelled
    explicit Shown(RecordingPtr shownRecording, const RunControl& control = {}, RunPtr ofRun = nullptr);
    Shown(const Shown&) = delete;
    Shown& operator=(const Shown&) = delete;

    RecordingPtr recording;
    RunPtr run;
    const Facts& facts;  ///< the recording's
    TimelineIndex index; ///< refers into the recording
    Links links;         ///< refers into the facts

    const Trace& trace() const { return recording->trace; }
    RunLabel label() const { return run->label(); }
    void setLabel(RunLabel label) const { run->setLabel(std::move(label)); }
    QString title() const { return run->title(); }
    /// Nothing for host activities.
    std::optional<Wait> waitOf(ActivityIndex activity) const { return facts.waitOf(activity); }
    /// The activity, its API call, or the device work of an API call: what belongs to one op.
    std::vector<ActivityIndex> sameOp(ActivityIndex index) const;
    /// First of device work: the zero of the ruler.
    Ns zero() const;
    /// What the timeline can show: everything, with a little air on both sides.
    Interval limits() const;
    /// Bytes that all of it holds in memory, the recording's own among them; about.
    std::size_t memoryBytes() const;
};
using ShownPtr = std::shared_ptr<const Shown>;

/// The summary of one pair in few words: "H2D | kernel: overlapped 96 %".
QString verdictLine(const Verdict& verdict);
QString verdictWord(VerdictKind kind); ///< "overlapped", "SERIALIZED", ...
/// The kind whose colour it is shown in: a pair on which little of the run hangs is grey, whatever came out.
VerdictKind shownKind(const Verdict& verdict);

} // namespace olab
