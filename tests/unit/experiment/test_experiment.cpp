#include "expect_error.h"
#include "short_names.h"

#include <olab/experiment/experiment.h>
#include <olab/experiment/option_table.h>

#include <gtest/gtest.h>

namespace olab::experiment {
namespace {

using test::errorOf;
using test::expectUsageError;
using test::with;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(SetOption, TakesKeyAndValueTogetherOrApart) {
    Experiment a, b;
    setOption(a, "kernel.blocks=fill:8");
    setOption(b, "kernel.blocks", "fill:8");
    EXPECT_EQ(a, b);
    EXPECT_EQ(optionText(a, "kernel.blocks"), "fill:8");
}

TEST(SetOption, EachKeySetsTheMemberItNames) {
    Experiment e =
        with({"warmup=2", "repeat=5", "h2d.memory=pageable", "kernel.kind=memory", "kernel.us=7", "seed=9"});
    EXPECT_EQ(e.warmup, 2);
    EXPECT_EQ(e.repeat, 5);
    EXPECT_EQ(e.h2dMemory, HostMemory::Pageable);
    EXPECT_EQ(e.d2hMemory, HostMemory::Pinned);
    EXPECT_EQ(e.kernelKind, KernelKind::Memory);
    EXPECT_EQ(e.kernelUs, 7);
    EXPECT_EQ(e.seed, 9);
    EXPECT_EQ(with({"d2h.memory=pageable"})->d2hMemory, HostMemory::Pageable);
    EXPECT_EQ(with({"order=breadth"})->order, IssueOrder::Breadth);
}

TEST(SetOption, ChoicesMeanTheEnumeratorTheyName) {
    EXPECT_EQ(with({"trace=on"})->trace, TraceMode::On);
    EXPECT_EQ(with({"trace=off"})->trace, TraceMode::Off);
    EXPECT_EQ(with({"stream.kind=blocking"})->streamKind, PlannedStreamKind::Blocking);
    EXPECT_EQ(with({"stream.kind=legacy"})->streamKind, PlannedStreamKind::Legacy);
    EXPECT_EQ(with({"null_op=memset"})->nullOp, NullOp::Memset);
    EXPECT_EQ(with({"null_op=kernel"})->nullOp, NullOp::Kernel);
    EXPECT_EQ(with({"null_op=event"})->nullOp, NullOp::Event);
}

TEST(SetOption, UnknownKeyNamesTheNearest) {
    Experiment experiment;
    expectUsageError([&] { setOption(experiment, "streems=4"); }, "bad-key",
                     {"streems", "4", "did you mean 'streams'"});
    expectUsageError([&] { optionText(experiment, "streems"); }, "bad-key", {"streems", "'streams'"});
    expectUsageError([&] { disabledBecause(experiment, "streems"); }, "bad-key", {"streems"});
}

TEST(SetOption, UnknownKeyFarFromAllListsThem) {
    Experiment experiment;
    const auto error = errorOf([&] { setOption(experiment, "xyzzy=4"); });
    ASSERT_TRUE(error);
    EXPECT_THAT(error->what(), testing::Not(HasSubstr("did you mean")));
    for (const OptionRow& row : optionTable())
        EXPECT_THAT(error->hint(), HasSubstr(std::string(row.key)));
}

TEST(SetOption, MissingValueSaysHowToGiveOne) {
    Experiment experiment;
    const auto error = errorOf([&] { setOption(experiment, "streams"); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), "bad-value");
    EXPECT_THAT(error->what(), HasSubstr("from 1 to 128"));
    EXPECT_THAT(error->hint(), HasSubstr("streams=VALUE"));
    expectUsageError([&] { setOption(experiment, "=4"); }, "bad-key", {"4"});
    expectUsageError([&] { setOption(experiment, ""); }, "bad-key", {});
    expectUsageError([&] { setOption(experiment, "streams="); }, "bad-value", {"streams"});
}

TEST(DiffersFromDefault, NamesOnlyWhatWasChanged) {
    EXPECT_THAT(differsFromDefault({}), IsEmpty());
    EXPECT_THAT(differsFromDefault(with({"streams=2", "h2d=off", "kernel.blocks=fill:8", "gate=on"})),
                ElementsAre("h2d=off", "kernel.blocks=fill:8", "streams=2"));
}

TEST(Conflicts, TheDefaultsHaveNone) {
    EXPECT_THAT(conflicts({}), IsEmpty());
}

TEST(Conflicts, NothingToRun) {
    const auto reasons = conflicts(with({"h2d=off", "memset=off", "kernel=off", "d2h=off"}));
    EXPECT_THAT(reasons, ElementsAre(HasSubstr("nothing to run")));
    for (const char* step : {"h2d=on", "memset=on", "kernel=on", "d2h=on"})
        EXPECT_THAT(conflicts(with({"h2d=off", "memset=off", "kernel=off", "d2h=off", step})), IsEmpty())
            << step;
}

TEST(Conflicts, TooManyOps) {
    const auto reasons = conflicts(
        with({"streams=128", "iterations=100000", "h2d.bytes=1B", "d2h.bytes=1B", "memset.bytes=1B"}));
    EXPECT_THAT(reasons,
                ElementsAre(testing::AllOf(HasSubstr("iterations=100000"), HasSubstr("64000001 ops"))));
}

TEST(Conflicts, TheCapOnOpsIsExact) {
    // 5 streams x 79999 iterations x 5 steps and the wait at the end: 1 999 976. NULL-stream ops are too
    // many.
    EXPECT_THAT(conflicts(with({"streams=5", "iterations=79999"})), IsEmpty());
    EXPECT_THAT(conflicts(with({"streams=5", "iterations=79999", "null_op=event"})), testing::SizeIs(1));
}

TEST(Conflicts, AbsurdBuffers) {
    const auto reasons = conflicts(with({"streams=8", "h2d.bytes=64GiB"}));
    EXPECT_THAT(reasons, ElementsAre(HasSubstr("512 GiB on the host")));
    EXPECT_THAT(conflicts(with({"streams=8", "h2d.bytes=64GiB", "h2d=off"})), IsEmpty());
}

TEST(Conflicts, AllAreToldAtOnce) {
    EXPECT_THAT(conflicts(with({"streams=128", "iterations=100000", "h2d.bytes=64GiB"})), testing::SizeIs(2));
}

struct Idle {
    std::string_view cause, key;
};

class DisabledBecause : public testing::TestWithParam<Idle> {};

TEST_P(DisabledBecause, SaysWhyOnlyWhileTheCauseHolds) {
    const Experiment experiment = with({GetParam().cause});
    EXPECT_THAT(disabledBecause(experiment, GetParam().key), testing::EndsWith("."));
    EXPECT_EQ(disabledBecause({}, GetParam().key), "");
}

INSTANTIATE_TEST_SUITE_P(Options, DisabledBecause,
                         testing::Values(Idle{"h2d=off", "h2d.bytes"}, Idle{"h2d=off", "h2d.memory"},
                                         Idle{"memset=off", "memset.bytes"},
                                         Idle{"kernel=off", "kernel.kind"}, Idle{"kernel=off", "kernel.us"},
                                         Idle{"kernel=off", "kernel.blocks"},
                                         Idle{"kernel=off", "kernel.threads"}, Idle{"d2h=off", "d2h.bytes"},
                                         Idle{"d2h=off", "d2h.memory"}, Idle{"streams=1", "order"},
                                         Idle{"stream.kind=per-thread", "stream.priority"},
                                         Idle{"callback=off", "callback.us"},
                                         Idle{"h2d.memory=pageable", "h2d.portable"},
                                         Idle{"d2h.memory=mapped", "sync.at"}, Idle{"streams=1", "buffers"}));

TEST(DisabledBecauseMore, NullOpNeedsTwoPasses) {
    EXPECT_NE(disabledBecause(with({"streams=1", "iterations=1"}), "null_op"), "");
    EXPECT_NE(disabledBecause(with({"iterations=1", "order=breadth"}), "null_op"), "");
    EXPECT_EQ(disabledBecause(with({"iterations=1", "order=depth"}), "null_op"), "");
}

TEST(DisabledBecauseMore, AControlWhoseOtherChoicesConflictSaysWhy) {
    const Experiment graph = with({"submit=graph"});
    for (const char* key : {"null_op", "interfere", "sync.every", "sync.at", "issue.threads", "devices"})
        EXPECT_THAT(disabledBecause(graph, key), HasSubstr("submit=graph")) << key;
    EXPECT_EQ(disabledBecause(graph, "order"), "");
    EXPECT_THAT(disabledBecause({}, "p2p"), HasSubstr("devices=all"));
    EXPECT_EQ(disabledBecause(with({"devices=all"}), "p2p"), "");
}

TEST(DisabledBecauseMore, AStepCanAlwaysBeTurnedOff) {
    EXPECT_EQ(disabledBecause(with({"memset=off", "h2d=off", "d2h=off"}), "kernel"), "");
}

TEST(ConflictOf, TellsOnlyWhatTheChangeAdds) {
    EXPECT_THAT(conflictOf({}, "stream.kind", "per-thread"), HasSubstr("issue.threads=per-stream"));
    EXPECT_EQ(conflictOf(with({"issue.threads=per-stream"}), "stream.kind", "per-thread"), "");
    EXPECT_EQ(conflictOf(with({"stream.kind=per-thread"}), "order", "breadth"), "");
}

/// Assignments that cannot be together, and what the sentence must name.
struct Impossible {
    std::vector<std::string> assignments;
    std::vector<std::string> named;
};

class Combination : public testing::TestWithParam<Impossible> {};

TEST_P(Combination, IsRefusedWithWhatExcludesIt) {
    Experiment experiment;
    for (const std::string& assignment : GetParam().assignments)
        setOption(experiment, assignment);
    const auto reasons = conflicts(experiment);
    ASSERT_EQ(reasons.size(), 1u);
    for (const std::string& name : GetParam().named)
        EXPECT_THAT(reasons[0], HasSubstr(name));
    EXPECT_TRUE(reasons[0].ends_with("."));
}

INSTANTIATE_TEST_SUITE_P(
    Options, Combination,
    testing::Values(Impossible{{"h2d.memory=mapped", "kernel=off"}, {"h2d.memory=mapped", "kernel"}},
                    Impossible{{"d2h.memory=managed", "kernel=off"}, {"d2h.memory=managed", "kernel"}},
                    Impossible{{"h2d.target=constant"}, {"h2d.bytes", "12288B"}},
                    Impossible{{"h2d.target=constant", "h2d.bytes=1KiB", "h2d.memory=mapped"}, {"in place"}},
                    Impossible{{"issue=on-callback", "callback=off"}, {"callback is off"}},
                    Impossible{{"issue=on-callback", "sync.every=op"}, {"sync.every"}},
                    Impossible{{"stream.kind=per-thread"}, {"issue.threads=per-stream"}},
                    Impossible{{"kernel.stream=other", "streams=1"}, {"two streams"}},
                    Impossible{{"kernel.stream=other", "issue.threads=per-stream"}, {"issue.threads=1"}},
                    Impossible{{"kernel.stream=other", "issue=on-callback"}, {"issue=ahead"}},
                    Impossible{{"stream.roles=on"}, {"at most 3, not 4"}},
                    Impossible{{"stream.roles=on", "streams=2", "kernel=off"}, {"kernel=on"}},
                    Impossible{{"stream.roles=on", "streams=2", "h2d=off", "d2h=off"}, {"h2d or d2h"}},
                    Impossible{{"stream.roles=on", "streams=2", "devices=all"}, {"devices=one"}},
                    Impossible{{"stream.roles=on", "streams=2", "issue.threads=per-stream"},
                               {"issue.threads=1"}},
                    Impossible{{"stream.roles=on", "streams=2", "kernel.stream=null"}, {"kernel.stream=own"}},
                    Impossible{{"stream.roles=on", "streams=2", "deps=same-stream"}, {"deps=none"}},
                    Impossible{{"stream.roles=on", "streams=2", "buffers=shared"}, {"buffers=own"}},
                    Impossible{{"stream.roles=on", "streams=3", "iterations=12000"}, {"100000 events"}},
                    Impossible{{"deps=event-chain", "streams=1"}, {"two streams"}},
                    Impossible{{"deps=event-chain", "issue=on-callback"}, {"issue=ahead"}},
                    Impossible{{"deps=copy-to-kernel"}, {"kernel.stream"}},
                    Impossible{{"deps=same-stream", "kernel=off"}, {"kernel is off"}},
                    Impossible{{"deps=same-stream", "h2d=off", "memset=off"}, {"h2d"}},
                    Impossible{{"deps=event-chain", "iterations=30000"}, {"100000 events"}},
                    Impossible{{"interfere=malloc", "iterations=10000"}, {"interfere=malloc"}},
                    Impossible{{"submit=graph", "issue=on-callback"}, {"submit=graph", "issue=on-callback"}},
                    Impossible{{"submit=graph", "null_op=event"}, {"null_op=event", "captured"}},
                    Impossible{{"submit=graph", "stream.kind=legacy"}, {"stream.kind=legacy"}},
                    Impossible{{"submit=graph", "callback.method=poll"}, {"callback.method=poll"}},
                    Impossible{{"submit=graph", "kernel.stream=null"}, {"kernel.stream=null"}},
                    Impossible{{"submit=graph", "iterations=2000"}, {"20000 ops"}},
                    Impossible{{"p2p=on"}, {"devices=all"}},
                    Impossible{{"p2p=on", "devices=all", "d2h=off"}, {"d2h=on"}}));

TEST(EnvironmentOf, NamesWhatCudaReadsWhenItStarts) {
    EXPECT_THAT(environmentOf({}), IsEmpty());
    EXPECT_THAT(environmentOf(with({"env.max_connections=9", "env.launch_blocking=on",
                                    "env.module_loading=eager", "env.launch_queues=0.25x"})),
                ElementsAre("CUDA_DEVICE_MAX_CONNECTIONS=9", "CUDA_LAUNCH_BLOCKING=1",
                            "CUDA_MODULE_LOADING=EAGER", "CUDA_SCALE_LAUNCH_QUEUES=0.25x"));
}

} // namespace
} // namespace olab::experiment
