// Claims run on the simulator, and on backends that pretend: what is run, kept, repeated, and what becomes of
// an experiment that fails.
#include <olab/claims/claim_runs.h>
#include <olab/experiment/plan.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/temporary_folder.h>
#include <olab/trace/trace_builder.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace olab::claims {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

/// The simulator, which answers probes with numbers that are given.
class Pretending final : public experiment::Backend {
public:
    std::map<std::string, std::string> numbers;
    std::vector<std::string> probes;
    int runs = 0;
    const char* error = nullptr; ///< the code to fail with
    void run(const experiment::Plan& planned, const experiment::RunOptions& options, RecordSink& out,
             const RunControl& control) override {
        ++runs;
        if (error)
            throw Error(ErrorKind::DeviceFailed, error, "It failed on purpose.");
        if (options.probe.empty())
            return m_simulator.run(planned, options, out, control);
        probes.push_back(options.probe);
        out.add(ProvenanceRecord{SourceKind::Cuda, "tests", "1", "2026-01-02T03:04:05Z"});
        out.add(EnvironmentRecord{"device", "a GPU that is not there"});
        for (const auto& [name, value] : numbers)
            out.add(EnvironmentRecord{std::string(experiment::kNumberKey) + name, value});
    }

private:
    sim::SimBackend m_simulator;
};

const std::map<std::string, std::string> kQuickCalls{{"call.none.host", "300"},
                                                     {"call.cudaStreamSynchronize.busy.host", "2900000"},
                                                     {"call.cudaGetLastError.host", "250"},
                                                     {"call.cudaGetLastError.overlap", "0.98"}};

TEST(ClaimRuns, AProbeRunsOnceAndItsNumbersDecide) {
    Pretending plain;
    plain.numbers = kQuickCalls;
    const ClaimsResults results =
        runClaims(claimsJob({"001-9", "001-18"}), {nullptr, nullptr, &plain, false}, {});
    EXPECT_THAT(plain.probes, ElementsAre("calls"));
    ASSERT_EQ(results.claims.size(), 2u);
    EXPECT_THAT(results.claims, Each(Field(&ClaimResult::outcome, ClaimOutcome::Refuted)));
    EXPECT_EQ(results.experiments.front().numbers.at("call.cudaGetLastError.host"), 250);
    EXPECT_EQ(results.environment.at("device"), "a GPU that is not there");
    EXPECT_EQ(results.source, ClaimsSource::Measured);
}

TEST(ClaimRuns, OtherNumbersTurnTheVerdict) {
    Pretending plain;
    plain.numbers = kQuickCalls;
    plain.numbers["call.cudaGetLastError.host"] = "2900000";
    const ClaimsResults results = runClaims(claimsJob({"001-9"}), {nullptr, nullptr, &plain, false}, {});
    EXPECT_EQ(results.claims.front().outcome, ClaimOutcome::Confirmed);
    EXPECT_NE(agreement(*findClaim("001-9"), results.claims.front()), Agreement::Agrees);
}

TEST(ClaimRuns, AProbeThatFailsCostsItsClaimsOnly) {
    sim::SimBackend simulator;
    Pretending plain;
    plain.error = "child-died";
    const ClaimsResults results =
        runClaims(claimsJob({"001-9", "001-7"}), {&simulator, nullptr, &plain, false}, {});
    EXPECT_EQ(findResult(results, "001-9")->outcome, ClaimOutcome::Inconclusive);
    EXPECT_EQ(findResult(results, "001-9")->reason, "It failed on purpose.");
    EXPECT_EQ(findResult(results, "001-7")->outcome, ClaimOutcome::Refuted);
    EXPECT_TRUE(findLabResult(results, "E10")->failed);
}

TEST(ClaimRuns, AMachineOfOneGpuIsNoFailure) {
    Pretending plain;
    plain.error = "needs-two-gpus";
    const ClaimsResults results = runClaims(claimsJob({"004-18"}), {nullptr, nullptr, &plain, false}, {});
    EXPECT_EQ(results.claims.front().outcome, ClaimOutcome::NotTestable);
    EXPECT_FALSE(results.experiments.front().failed);
}

TEST(ClaimRuns, TheSimulatorHasNoProbes) {
    sim::SimBackend simulator;
    const ClaimsResults results = runClaims(claimsJob({"001-9"}), {&simulator, nullptr, nullptr, true}, {});
    EXPECT_EQ(results.claims.front().outcome, ClaimOutcome::NotTestable);
    EXPECT_EQ(results.source, ClaimsSource::Simulated);
    experiment::HeldExperiment any;
    experiment::RunOptions options;
    options.probe = "calls";
    TraceBuilder builder;
    EXPECT_THROW(simulator.run(experiment::plan(any, 1), options, builder, {}), Error);
}

TEST(ClaimRuns, ControlsOfAllRunWithAnyRunOfOptions) {
    Pretending traced;
    const ClaimsResults results = runClaims(claimsJob({"001-7"}), {&traced, nullptr, nullptr, true}, {});
    std::vector<std::string> ids;
    for (const LabResult& experiment : results.experiments)
        ids.push_back(experiment.id);
    EXPECT_THAT(ids, ElementsAre("E00", "E13"));
    EXPECT_EQ(traced.runs, 3 * (4 + 2)) << "each run as often as the table says";
    EXPECT_THAT(results.experiments, Each(Field(&LabResult::control, IsEmpty())));
}

TEST(ClaimRuns, RepeatIsWhatIsAskedFor) {
    Pretending traced;
    ClaimsJob job = claimsJob({"001-7"});
    job.repeat = 1;
    runClaims(job, {&traced, nullptr, nullptr, true}, {});
    EXPECT_EQ(traced.runs, 4 + 2);
}

TEST(ClaimRuns, KeepsARecordingOfEachRun) {
    const TemporaryFolder folder;
    sim::SimBackend simulator;
    ClaimsJob job = claimsJob({"E13"});
    job.folder = folder.path();
    const ClaimsResults results = runClaims(job, {&simulator, nullptr, nullptr, true}, {});
    EXPECT_THAT(findLabResult(results, "E13")->files, ElementsAre("E13.four.olab", "E13.one.olab"));
    const recording::RecordingPtr kept = recording::openRecording(folder.path() / "E13.four.olab");
    EXPECT_EQ(experiment::optionNumber(*kept->experiment, "streams"), 4);
}

TEST(ClaimRuns, TellsHowFarItIsAndCanBeCancelled) {
    sim::SimBackend simulator;
    double last = 0;
    bool forward = true;
    std::stop_source stop;
    RunControl control;
    control.stop = stop.get_token();
    control.progress = [&](double share, std::string_view) {
        forward = forward && share >= last - 1e-9 && share <= 1;
        last = share;
    };
    ClaimsJob job = claimsJob({"001-7", "000-8"});
    int done = 0;
    job.done = [&](const LabResult&) { ++done; };
    runClaims(job, {&simulator, nullptr, nullptr, true}, control);
    EXPECT_TRUE(forward);
    EXPECT_EQ(done, 5) << "E00, E01, E05, E13, E31";
    stop.request_stop();
    EXPECT_THROW(runClaims(job, {&simulator, nullptr, nullptr, true}, control), Error);
}

TEST(ClaimsJob, TakesClaimsExperimentsAndTexts) {
    EXPECT_EQ(claimsJob({}).claims.size(), claimTable().size());
    EXPECT_EQ(claimsJob({"003"}).claims.size(), 19u);
    EXPECT_THAT(claimsJob({"E10"}).claims, ElementsAre("001-9", "001-18"));
    EXPECT_THAT(claimsJob({"001-9", "001-9"}).claims, ElementsAre("001-9"));
    EXPECT_THROW(claimsJob({"005-1"}), Error);
}

/// What the simulator was taught of an H200 says what is expected, where it can say anything.
TEST(ClaimRuns, TheSimulatedH200SaysWhatIsDocumented) {
    sim::SimBackend simulator;
    ClaimsJob job = claimsJob({});
    job.repeat = 1;
    const ClaimsResults results = runClaims(job, {&simulator, nullptr, nullptr, true}, {});
    const std::vector<std::string> known{"001-4"}; // device copies do not slow each other in the simulator
    int decided = 0;
    for (const ClaimResult& result : results.claims) {
        const Agreement both = agreement(*findClaim(result.id), result);
        if (both == Agreement::Undecided || both == Agreement::Undocumented ||
            std::ranges::find(known, result.id) != known.end())
            continue;
        ++decided;
        EXPECT_EQ(both, Agreement::Agrees) << result.id << ": " << outcomeName(result.outcome);
    }
    EXPECT_GE(decided, 20);
    for (const LabResult& experiment : results.experiments)
        EXPECT_FALSE(experiment.failed) << experiment.id << ": " << experiment.missing;
}

} // namespace
} // namespace olab::claims
