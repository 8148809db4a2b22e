// The account of lost time (analysis/ledger.h), prepared for drawing: the wait before each activity of a
// strip, and where each lane's work would be in the ideal run. Made once on the engine thread, then const;
// the cost of drawing depends on columns, not on activities. Times are ns of the recording, columns device
// pixels.
#pragma once

#include <olab/analysis/explained_wait.h>
#include <olab/trace/run_control.h>
#include <olab/view/strip_view.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace olab::view {

/// What a device activity waited for before it began, in a strip.
struct WaitInStrip {
    analysis::ExplainedWait wait;
    Interval drawn; ///< the part of it in which nothing else is in the strip; never empty
};
/// A wait over columns [x0, x1), clipped to the view.
struct DrawnWait {
    analysis::ExplainedWait wait;
    int x0 = 0, x1 = 0;
};
/// Work of the ideal run: disjoint within a lane, so crossing work is clipped.
struct IdealWork {
    Interval time;
    ActivityClass look{};
};
struct DrawnIdeal {
    ActivityClass look{};
    int x0 = 0, x1 = 0;
    bool isDense = false; ///< adjacent columns of work that is shorter than a column
};

class Account {
public:
    /// Waits narrower than this many columns are noise and not drawn. Before an operation with a longer wait
    /// there is at least one column in which its strip is empty.
    static constexpr int kLeastColumns = 3;

    /// Keeps a reference to the facts, which must outlive it. `ledger` must not be null.
    /// @throws Error when cancelled
    Account(const analysis::Facts& facts, const LaneSet& lanes,
            std::shared_ptr<const analysis::Ledger> ledger, const RunControl& control = {});

    const analysis::Ledger& ledger() const { return *m_ledger; }
    const std::shared_ptr<const analysis::Ledger>& sharedLedger() const { return m_ledger; }
    /// Nothing for host activities, for operations that did not wait, and without an account.
    std::optional<analysis::ExplainedWait> waitOf(ActivityIndex op) const;
    /// The waits of a strip that are wide enough to be seen, in order. One search for each empty stretch of
    /// `shown`, which is the view of the strip in these columns.
    std::vector<DrawnWait> waitsIn(const Strip& strip, const StripView& shown,
                                   const ViewColumns& columns) const;
    /// The wait around `t`.
    std::optional<WaitInStrip> waitAt(const Strip& strip, Ns t) const;

    /// By begin; empty for host lanes and for those created on demand.
    std::span<const IdealWork> ideal(LaneId lane) const;
    /// Work shorter than a column takes one column, so nothing is omitted.
    std::vector<DrawnIdeal> idealIn(LaneId lane, const ViewColumns& columns) const;
    /// The model error as a share of the run; below 0: the model takes longer than the run.
    double missed() const;
    std::size_t memoryBytes() const;

private:
    std::optional<WaitInStrip> waitIn(const Strip& strip, std::size_t place) const;
    void addIdeal(const Lane& lane, const Looks& looks);
    const analysis::Facts& m_facts;
    std::shared_ptr<const analysis::Ledger> m_ledger;
    analysis::ExplainedWaits m_waits;
    std::vector<std::vector<IdealWork>> m_ideal; ///< by lane
};
using AccountPtr = std::shared_ptr<const Account>;

} // namespace olab::view
