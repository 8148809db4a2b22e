#include "expect_error.h"

#include <olab/experiment/option_table.h>

#include <gtest/gtest.h>

namespace olab {
namespace {

using test::errorOf;
using test::expectUsageError;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Experiment with(std::initializer_list<std::string_view> assignments) {
    Experiment experiment;
    for (const std::string_view assignment : assignments)
        setOption(experiment, assignment);
    return experiment;
}

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
    EXPECT_EQ(with({"d2h.memory=pageable"}).d2hMemory, HostMemory::Pageable);
    EXPECT_EQ(with({"order=breadth"}).order, IssueOrder::Breadth);
}

TEST(SetOption, ChoicesMeanTheEnumeratorTheyName) {
    EXPECT_EQ(with({"trace=on"}).trace, TraceMode::On);
    EXPECT_EQ(with({"trace=off"}).trace, TraceMode::Off);
    EXPECT_EQ(with({"stream.kind=blocking"}).streamKind, StreamFlavor::Blocking);
    EXPECT_EQ(with({"stream.kind=legacy"}).streamKind, StreamFlavor::Legacy);
    EXPECT_EQ(with({"null_op=memset"}).nullOp, NullOp::Memset);
    EXPECT_EQ(with({"null_op=kernel"}).nullOp, NullOp::Kernel);
    EXPECT_EQ(with({"null_op=event"}).nullOp, NullOp::Event);
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
                ElementsAre(testing::AllOf(HasSubstr("iterations=100000"), HasSubstr("64000000 ops"))));
}

TEST(Conflicts, TheCapOnOpsIsExact) {
    // 4 streams x 100000 iterations x 5 steps = 2 000 000; one NULL-stream op more is too many.
    EXPECT_THAT(conflicts(with({"streams=4", "iterations=100000"})), IsEmpty());
    EXPECT_THAT(conflicts(with({"streams=4", "iterations=100000", "null_op=event"})), testing::SizeIs(1));
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
                                         Idle{"d2h=off", "d2h.memory"}, Idle{"streams=1", "order"}));

TEST(DisabledBecauseMore, NullOpNeedsTwoPasses) {
    EXPECT_NE(disabledBecause(with({"streams=1", "iterations=1"}), "null_op"), "");
    EXPECT_NE(disabledBecause(with({"iterations=1", "order=breadth"}), "null_op"), "");
    EXPECT_EQ(disabledBecause(with({"iterations=1", "order=depth"}), "null_op"), "");
}

TEST(DisabledBecauseMore, OneChoiceIsNoChoice) {
    EXPECT_EQ(disabledBecause({}, "sync"), "device is the only choice.");
}

} // namespace
} // namespace olab
