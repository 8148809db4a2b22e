// The simulator against the suite, and the suite against backends that lie.
#include "backend_conformance.h"
#include "stream_call_problems.h"

#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/trace_builder.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <stop_token>

namespace olab {
namespace {

using namespace conformance;
using testing::IsEmpty;
using testing::Not;

experiment::HeldExperiment behindNullOps() {
    experiment::HeldExperiment e = smallExperiment();
    experiment::setOption(e, "stream.kind=blocking");
    experiment::setOption(e, "null_op=memset");
    return e;
}

class SimConformance : public testing::TestWithParam<Case> {};

TEST_P(SimConformance, LeavesWhatWasPlanned) {
    sim::SimBackend backend;
    const experiment::Plan schedule = experiment::plan(GetParam().experiment, 2);
    EXPECT_THAT(problems(schedule, execute(backend, schedule)), IsEmpty());
}

std::string nameOf(const testing::TestParamInfo<Case>& info) {
    return testName(info.param);
}

INSTANTIATE_TEST_SUITE_P(NonBlocking, SimConformance, testing::ValuesIn(everyOptionValue(smallExperiment())),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(NullBarriers, SimConformance, testing::ValuesIn(everyOptionValue(behindNullOps())),
                         nameOf);

INSTANTIATE_TEST_SUITE_P(Combinations, SimConformance, testing::ValuesIn(everyCombination(smallExperiment())),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Devices, SimConformance, testing::ValuesIn(everyDeviceValue(smallExperiment())),
                         nameOf);

/// A value that no case can have would never be run.
TEST(ConformanceCases, EveryChoiceOfEveryOptionIsInOne) {
    std::vector<Case> cases = everyOptionValue(smallExperiment());
    for (Case& c : everyDeviceValue(smallExperiment()))
        cases.push_back(std::move(c));
    for (const experiment::OptionRow& row : experiment::optionTable()) {
        if (row.key == "env.max_connections")
            continue; // 33 of a kind
        for (const std::string_view choice : row.choices)
            EXPECT_TRUE(std::any_of(cases.begin(), cases.end(),
                                    [&](const Case& c) { return row.get(c.experiment) == choice; }))
                << row.key << "=" << choice;
    }
}

TEST(ConformanceCases, AllArePossible) {
    std::vector<Case> cases = everyOptionValue(smallExperiment());
    for (const auto& more : {everyCombination(smallExperiment()), everyDeviceValue(smallExperiment())})
        cases.insert(cases.end(), more.begin(), more.end());
    for (const Case& c : cases)
        EXPECT_THAT(experiment::conflicts(c.experiment), IsEmpty()) << c.name;
}

class SimCallsOnStreams : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(SimCallsOnStreams, LeadToTheStreamsOfTheirOps) {
    experiment::HeldExperiment experiment = smallExperiment();
    for (const std::string& setting : GetParam())
        experiment::setOption(experiment, setting);
    sim::SimBackend backend;
    const experiment::Plan schedule = experiment::plan(experiment);
    EXPECT_THAT(streamCallProblems(schedule, execute(backend, schedule)), IsEmpty());
}
INSTANTIATE_TEST_SUITE_P(Planted, SimCallsOnStreams, testing::ValuesIn(settingsWithStreamCalls()));

TEST(SimConformanceOptions, SolosOnlyWhenAskedFor) {
    sim::SimBackend backend;
    experiment::Plan schedule = experiment::plan(smallExperiment());
    const Trace trace = execute(backend, schedule, {.solos = false});
    schedule.solos.clear();
    EXPECT_THAT(problems(schedule, trace), IsEmpty());
}

TEST(SimConformanceOptions, StopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    TraceBuilder builder;
    const auto run = [&] {
        sim::SimBackend().run(experiment::plan(smallExperiment()), {}, builder, {stop.get_token(), {}});
    };
    try {
        run();
        FAIL() << "was not cancelled";
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::Cancelled);
    }
}

/// Runs the simulator and changes what it recorded.
class Liar final : public experiment::Backend {
public:
    /// Returns false to leave the activity out.
    using Change = std::function<bool(ActivityRecord&)>;
    explicit Liar(Change change)
        : m_change(std::move(change)) {}

    void run(const experiment::Plan& schedule, const experiment::RunOptions& options, RecordSink& out,
             const RunControl& control) override {
        TraceBuilder honest;
        sim::SimBackend().run(schedule, options, honest, control);
        Filter filter(out, m_change);
        honest.finish().replay(filter);
    }

private:
    struct Filter final : ForwardingSink {
        Filter(RecordSink& to, const Change& by)
            : ForwardingSink(to)
            , change(by) {}
        using ForwardingSink::add;
        void add(const ActivityRecord& r) override {
            ActivityRecord changed = r;
            if (change(changed))
                target().add(changed);
        }
        const Change& change;
    };
    Change m_change;
};

bool isWorkOf(const ActivityRecord& r, std::uint32_t op) {
    return isDeviceClass(r.cls) && r.op == OpId{op};
}

std::vector<std::string> problemsOf(Liar::Change change,
                                    const experiment::Experiment& experiment = smallExperiment()) {
    Liar liar(std::move(change));
    const experiment::Plan schedule = experiment::plan(experiment);
    return problems(schedule, execute(liar, schedule));
}

TEST(ConformanceSuite, AcceptsAnHonestReplay) {
    EXPECT_THAT(problemsOf([](ActivityRecord&) { return true; }), IsEmpty());
}

TEST(ConformanceSuite, SeesAMissingActivity) {
    EXPECT_THAT(problemsOf([](ActivityRecord& r) { return !isWorkOf(r, 7); }), Not(IsEmpty()));
}

TEST(ConformanceSuite, SeesAnOpTaggedTwice) {
    EXPECT_THAT(problemsOf([](ActivityRecord& r) {
                    if (isWorkOf(r, 5)) // H2D of the second stream, as op 0 is of the first
                        r.op = OpId{0};
                    return true;
                }),
                Not(IsEmpty()));
}

TEST(ConformanceSuite, SeesAWrongStream) {
    EXPECT_THAT(problemsOf([](ActivityRecord& r) {
                    if (isWorkOf(r, 5))
                        r.stream = 13;
                    return true;
                }),
                Not(IsEmpty()));
}

TEST(ConformanceSuite, SeesAnOpBeforeItsPredecessor) {
    EXPECT_THAT(problemsOf([](ActivityRecord& r) {
                    if (isWorkOf(r, 1))
                        r.begin -= 20'000;
                    return true;
                }),
                Not(IsEmpty()));
}

TEST(ConformanceSuite, SeesABrokenBarrier) {
    // Op 6 is the H2D copy behind the first NULL-stream memset: nothing else is before it in its stream.
    EXPECT_THAT(problemsOf(
                    [](ActivityRecord& r) {
                        if (isWorkOf(r, 6))
                            r.begin -= 40'000;
                        return true;
                    },
                    behindNullOps()),
                Not(IsEmpty()));
}

TEST(ConformanceSuite, SeesAMissingCall) {
    EXPECT_THAT(problemsOf([](ActivityRecord& r) { return r.cls != ActivityClass::Api || r.op != OpId{3}; }),
                Not(IsEmpty()));
}

TEST(ConformanceSuite, SeesTheWrongMemory) {
    EXPECT_THAT(problemsOf([](ActivityRecord& r) {
                    if (r.source == MemoryKind::Pinned)
                        r.source = MemoryKind::Pageable;
                    return true;
                }),
                Not(IsEmpty()));
}

} // namespace
} // namespace olab
