// Which runs are made, in which order, and of what: by a backend that writes it down.
#include <olab/experiment/plan.h>
#include <olab/intervention/alternation.h>
#include <olab/sim/sim_backend.h>

#include <gmock/gmock.h>

namespace olab::intervention {
namespace {

struct Made {
    bool traced;
    std::int64_t streams;
    std::int64_t seed, loops;
    std::string trace;
    bool solos;
};

class NotingBackend final : public experiment::Backend {
public:
    NotingBackend(bool traced, std::vector<Made>& made)
        : m_traced(traced)
        , m_made(made) {}
    void run(const experiment::Plan& planned, const experiment::RunOptions& options, RecordSink& out,
             const RunControl& control) override {
        const experiment::Experiment& e = planned.experiment;
        m_made.push_back({m_traced, experiment::optionNumber(e, "streams"),
                          experiment::optionNumber(e, "seed"), options.calibratedLoops,
                          experiment::optionText(e, "trace"), options.solos});
        sim::SimBackend().run(planned, options, out, control);
    }

private:
    bool m_traced;
    std::vector<Made>& m_made;
};

struct Noted {
    std::vector<Made> made;
    NotingBackend traced{true, made}, plain{false, made};
    AlternationPlan plan;
    Noted() {
        experiment::HeldExperiment experiment;
        experiment::setOption(experiment, "iterations=2");
        experiment::setOption(experiment, "streams=2");
        plan.experiments = {experiment, experiment};
        experiment::setOption(plan.experiments[1], "streams=3");
    }
};

TEST(Alternate, TurnsRoundAndRunsBothKindsInEveryRound) {
    Noted noted;
    const Alternated made = alternate(noted.plan, {&noted.traced, &noted.plain}, {});
    ASSERT_EQ(noted.made.size(), 4u * comparison::kFewestPairs);
    std::vector<int> streams;
    std::vector<bool> traced;
    for (std::size_t i = 0; i < 8; ++i) {
        streams.push_back(noted.made[i].streams);
        traced.push_back(noted.made[i].traced);
    }
    EXPECT_THAT(streams, testing::ElementsAre(2, 3, 2, 3, 3, 2, 3, 2)) << "A B, then B A";
    EXPECT_THAT(traced, testing::ElementsAre(false, false, true, true, false, false, true, true));
    EXPECT_TRUE(made.untraced) << "the makespans";
    for (const AlternatedRuns& runs : made.of) {
        EXPECT_EQ(runs.makespans.size(), static_cast<std::size_t>(comparison::kFewestPairs));
        EXPECT_EQ(runs.numbers.size(), static_cast<std::size_t>(comparison::kFewestPairs));
        EXPECT_EQ(runs.trouble, "");
    }
}

TEST(Alternate, ChildrenAreFreshSeedsArePairedAndSolosAreRunOnce) {
    Noted noted;
    for (experiment::HeldExperiment& experiment : noted.plan.experiments)
        experiment::setOption(experiment, "trace=off");
    alternate(noted.plan, {&noted.traced, &noted.plain}, {});
    for (const Made& run : noted.made) {
        EXPECT_FALSE(run.traced) << "trace=off";
        EXPECT_EQ(run.trace, "both") << "else the child would be used again";
    }
    Noted both;
    alternate(both.plan, {&both.traced, &both.plain}, {});
    int solos = 0;
    for (std::size_t i = 0; i < both.made.size(); ++i) {
        EXPECT_EQ(both.made[i].seed, 1 + static_cast<std::int64_t>(i) / 4);
        solos += both.made[i].solos ? 1 : 0;
    }
    EXPECT_EQ(solos, 2) << "once for each experiment";
}

TEST(Alternate, WithoutPlainRunsTheTracedOnesGiveTheMakespans) {
    Noted noted;
    noted.plan.wantsNumbers = false;
    const Alternated made = alternate(noted.plan, {&noted.traced, nullptr}, {});
    EXPECT_FALSE(made.untraced);
    EXPECT_EQ(made.of[1].makespans.size(), static_cast<std::size_t>(comparison::kFewestPairs));
    EXPECT_TRUE(made.of[1].numbers.empty());
}

TEST(Alternate, CanBeStoppedBetweenRounds) {
    Noted noted;
    std::stop_source stop;
    RunControl control;
    control.stop = stop.get_token();
    noted.plan.roundDone = [&](const Alternated&, int done) {
        if (done == 2)
            stop.request_stop();
    };
    EXPECT_THROW(alternate(noted.plan, {&noted.traced, &noted.plain}, control), Error);
    EXPECT_EQ(noted.made.size(), 8u);
}

} // namespace
} // namespace olab::intervention
