// Traces by hand, in microseconds, and what analysis makes of them.
#pragma once

#include <olab/analysis/analyze.h>
#include <olab/analysis/facts.h>
#include <olab/experiment/plan.h>
#include <olab/trace/lanes_of.h>
#include <olab/trace/trace_builder.h>

#include <gmock/gmock.h>

#include <memory>

namespace olab::test {

using enum ActivityClass;

constexpr Ns us(double time) {
    return static_cast<Ns>(time * 1000);
}

/// One trace in the making. Device 0, context 1; the NULL stream is 7. Streams 13, 14 ... must be named with
/// `stream` where their kind matters.
class Made {
public:
    Made();
    /// Next op of the schedule, with its solo run; returns its number. Only for traces that have a schedule.
    std::uint32_t plan(experiment::OpKind kind, int pipeline, Ns solo, std::int64_t bytes = 1 << 20,
                       std::uint64_t blocks = 64, std::uint64_t residentBlocks = 1056);
    ActivityRecord& work(ActivityClass cls, Ns begin, Ns end, std::uint32_t stream = 13);
    /// A planned op that ran: `work` of the class of the op.
    ActivityRecord& ran(std::uint32_t op, Ns begin, Ns end, std::uint32_t stream = 13);
    /// The call that issued the activity added last.
    void issued(Ns begin, Ns end, std::string name = "cudaLaunchKernel");
    TextId text(std::string_view name) { return m_builder.intern(name); }
    void hostFn(std::uint32_t op, Ns begin, Ns end);
    void stream(std::uint32_t number, StreamKind kind);
    void gate(Ns opened) { window.begin = opened; }
    void defect(DefectCode code, ClassMask classes) { m_defects.push_back({code, 1, classes, {}, false}); }

    /// Ends the making; trace, lanes and facts stay valid as long as this does.
    void finish();
    analysis::AnalysisInput input() const {
        return {trace, *lanes, hasSchedule ? &schedule : nullptr, toolEffect};
    }
    analysis::Report report();
    /// Valid until the next call.
    const analysis::Facts& facts();

    DeviceRecord device;
    WindowRecord window;
    experiment::Plan schedule;
    bool hasSchedule = false;
    std::optional<analysis::ToolEffect> toolEffect;
    Trace trace;
    std::shared_ptr<const LaneSet> lanes; ///< once it is finished

private:
    TraceBuilder m_builder;
    std::vector<ActivityRecord> m_activities, m_calls;
    std::vector<RefusedRecord> m_defects;
    std::uint32_t m_correlation = 0;
    bool m_finished = false;
    analysis::FactsPtr m_facts;
};

const analysis::Verdict& verdictOf(const analysis::Report& report, ActivityClass a, ActivityClass b);
const analysis::Finding* findingOf(const analysis::Report& report, std::string_view id);
const analysis::Abstention* abstentionOf(const analysis::Report& report, std::string_view id);
const Defect* defectOf(const analysis::Report& report, DefectCode code);
/// The wait of the n-th device activity in begin order.
inline analysis::ExplainedWait waitAt(const analysis::Facts& facts, std::size_t n) {
    EXPECT_LT(n, facts.waits().size());
    return facts.waits()[n];
}

} // namespace olab::test
