// A recording with everything needed to show it, and its run in the window.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/io/notes.h>
#include <olab/recording/idle_times.h>
#include <olab/recording/recording.h>
#include <olab/view/account.h>
#include <olab/view/links.h>
#include <olab/view/timeline_index.h>
#include <olab/view/view_data_ptr.h>

#include <memory>
#include <mutex>
#include <string>

namespace olab::recording {
struct Recording;
} // namespace olab::recording

namespace olab::view {

/// One run in the window with its current title and note, independent of which recording represents it and
/// where that is stored. A recording never changes, its label may: any thread reads it, the GUI thread writes
/// it (Runs).
class Run {
public:
    explicit Run(const recording::Recording& recording);
    io::RunLabel label() const;
    void setLabel(io::RunLabel label) const;
    std::string title() const; ///< of the label, else the recording's own; as its file has it (titleText)

private:
    const std::string m_ownTitle;
    mutable std::mutex m_mutex; ///< a picture may be rendered while a run is renamed
    mutable io::RunLabel m_label;
};

/// A recording with everything needed to show it, computed once on the engine thread and shared, const, with
/// every widget.
struct ViewData {
    /// `ofRun`: the run that this newer or reloaded data belongs to; null: a new run. @throws Error when
    /// cancelled
    explicit ViewData(recording::RecordingPtr shownRecording, const RunControl& control = {},
                      RunPtr ofRun = nullptr);
    ViewData(const ViewData&) = delete;
    ViewData& operator=(const ViewData&) = delete;

    recording::RecordingPtr recording;
    RunPtr run;
    const analysis::Facts& facts; ///< the recording's
    TimelineIndex index;          ///< refers into the recording
    Links links;                  ///< refers into the facts

    const Trace& trace() const { return recording->trace; }
    io::RunLabel label() const { return run->label(); }
    void setLabel(io::RunLabel label) const { run->setLabel(std::move(label)); }
    std::string title() const { return run->title(); }
    /// Why device work began when it did, by its number: from the account if there is one. Everything that
    /// shows, sorts, searches or exports waits uses this.
    analysis::ExplainedWaits waits() const;
    /// Nothing for host activities.
    std::optional<analysis::ExplainedWait> waitOf(ActivityIndex activity) const {
        return waits().of(activity);
    }
    /// Where the time went; null: not computed yet, which happens on request for a long recording.
    AccountPtr account() const;
    /// Sets the account computed later for this recording; the findings follow it. Any thread.
    void setAccount(AccountPtr account) const;
    /// Shown instead if there is no account, the device that was idle longest first; otherwise empty.
    std::vector<recording::DeviceIdle> idle() const;
    /// The repeating iteration; null: not computed yet, which happens on request for a long recording.
    std::shared_ptr<const analysis::SteadyState> steadyState() const;
    /// Sets the iteration found later for this recording. Any thread.
    void setSteadyState(std::shared_ptr<const analysis::SteadyState> found) const;
    /// The recording's report with what was computed later: findings that follow an account, the iteration.
    std::shared_ptr<const analysis::Report> report() const;
    /// The activity, its API call, or the device work of an API call: what belongs to one op.
    std::vector<ActivityIndex> sameOp(ActivityIndex index) const;
    /// Begin of the first device work: the zero of the ruler.
    Ns zero() const;
    /// What the timeline can show: everything, with a small margin on both sides.
    Interval limits() const;
    /// Approximate memory of all of it in bytes, including the recording's.
    std::size_t memoryBytes() const;

private:
    mutable std::mutex m_mutex; ///< a picture may be rendered while it is computed
    mutable AccountPtr m_account;
    mutable std::vector<recording::DeviceIdle> m_idle;
    mutable std::shared_ptr<const analysis::SteadyState> m_steadyState;
    mutable std::shared_ptr<const analysis::Report> m_report; ///< null: the recording's
};

} // namespace olab::view
