// Why each op started when it did (Facts::waits).
#pragma once

#include "facts/coverage_walk.h"
#include "facts/last_ends.h"
#include "measure/null_holds.h"

namespace olab::analysis {

/// The sources of all explanations besides the facts; made once, read by all threads.
struct WaitSources {
    Column<NullHold> nullHolds;      ///< by number of device work; empty without a NULL stream
    Column<ActivityIndex> delayedBy; ///< see callsThatDelayed()
    Column<ActivityIndex> callbacks; ///< see callbacksThatIssued()
    std::vector<Ns> gates;           ///< begins of traced windows, sorted
};
std::vector<Ns> gatesOf(const Trace& trace);

/// Finds the waits of a stretch of device work, one after the other.
class WaitFinder {
public:
    /// `before`: the activities that ended last among all rows before `first`, a number of device work.
    WaitFinder(const Facts& facts, const WaitSources& sources, LastEnds before, std::size_t first);
    /// Call with consecutive numbers.
    ExplainedWait find(const OpRow& op);
    /// The activities that ended last among all rows before the next one.
    const LastEnds& before() const { return m_last; }
    /// Updates the state as find() does, without explaining the wait.
    void pass(const OpRow& op);

private:
    struct Ready;
    void passHost(ActivityIndex until);
    Ready readyOf(const OpRow& op);
    void needsEvents(Ready& ready, const OpRow& op) const;
    void needsIssue(Ready& ready, const OpRow& op) const;
    void needsGate(Ready& ready, const OpRow& op);
    Ns engineBusy(const OpRow& op, Interval range);
    void explain(ExplainedWait& wait, const OpRow& op, const Ready& ready);
    void explainCompute(ExplainedWait& wait, const OpRow& op, Ns from, Ns& unexplained);

    const Facts& m_facts;
    const Trace& m_trace;
    const WaitSources& m_sources;
    LastEnds m_last;
    std::size_t m_host = 0, m_gate = 0;  ///< the next host function and gate
    std::vector<BackwardMeasure> m_busy; ///< per device and engine
    std::vector<BackwardMeasure> m_full; ///< per device
    std::vector<std::size_t> m_fullBehind;
};

/// Marks the waits for room in which work of a higher-priority stream that became ready later went first.
void tellPriorities(const TraceFacts& facts, WaitTable& waits);

} // namespace olab::analysis
