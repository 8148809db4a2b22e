#include "expect_error.h"

#include <olab/experiment/experiment.h>
#include <olab/experiment/option_table.h>

#include <gtest/gtest.h>

#include <set>

namespace olab::experiment {
namespace {

using test::expectUsageError;

/// Texts that must be accepted, in the form `get` gives them.
std::vector<std::string> goodTexts(const OptionRow& row) {
    switch (row.type) {
    case OptionType::Integer:
        return {std::to_string(row.min), std::to_string(row.max)};
    case OptionType::Bytes:
        return {bytesToText(row.min), "1000B", "3KiB", bytesToText(row.max)};
    case OptionType::Blocks:
        return {"1", "64", "2147483647", "fill:1", "fill:64"};
    case OptionType::Model:
        return {"h200", "file:model.json", "file:/some where/my model.json"};
    case OptionType::Switch:
    case OptionType::Choice:
        break;
    }
    return {row.choices.begin(), row.choices.end()};
}

std::vector<std::string> badTexts(const OptionRow& row) {
    std::vector<std::string> texts{"", " ", "nonsense", "-1", "1.5", "99999999999999999999999"};
    if (row.type == OptionType::Integer)
        texts.insert(texts.end(),
                     {std::to_string(row.min - 1), std::to_string(row.max + 1), "+1", "1 ", "0x10"});
    if (row.type == OptionType::Bytes)
        texts.insert(texts.end(), {std::to_string(row.min - 1), "65GiB", "16MB", "16mib", "1 B", "B", "GiB",
                                   "9007199254740993GiB"});
    if (row.type == OptionType::Blocks)
        texts.insert(texts.end(),
                     {"0", "2147483648", "fill:", "fill:0", "fill:65", "fill:-1", "fill:1.5", "64B"});
    if (row.type == OptionType::Model)
        texts.insert(texts.end(), {"file:", "H200", "h100", "model.json", "file: \n"});
    return texts;
}

// That the keys are those of the contract (cli.md) is tested with the page, which a person writes anew.
TEST(OptionTable, HasEveryKeyOnce) {
    std::set<std::string_view> keys;
    for (const OptionRow& row : optionTable())
        EXPECT_TRUE(keys.insert(row.key).second) << row.key << " is there twice";
    EXPECT_GT(keys.size(), 50u);
}

TEST(OptionTable, EveryRowCanBeShownInAForm) {
    std::set<std::string_view> labels;
    for (const OptionRow& row : optionTable()) {
        SCOPED_TRACE(row.key);
        EXPECT_TRUE(labels.insert(row.label).second) << "two options have the label " << row.label;
        EXPECT_FALSE(row.group.empty());
        EXPECT_GT(row.help.size(), 40u) << "the help must say what the option does";
        EXPECT_TRUE(row.help.ends_with("."));
    }
}

TEST(OptionTable, RowsOfOneGroupStandTogether) {
    std::set<std::string_view> closed;
    std::string_view open;
    for (const OptionRow& row : optionTable()) {
        if (row.group == open)
            continue;
        closed.insert(open);
        open = row.group;
        EXPECT_FALSE(closed.contains(open)) << row.key << " is away from its group " << open;
    }
}

TEST(OptionTable, DefaultsAreThoseOfTheExperiment) {
    const std::vector<std::pair<std::string_view, std::string_view>> expected{{"streams", "4"},
                                                                              {"warmup", "1"},
                                                                              {"repeat", "1"},
                                                                              {"h2d", "on"},
                                                                              {"callback", "on"},
                                                                              {"h2d.bytes", "16MiB"},
                                                                              {"memset.bytes", "16MiB"},
                                                                              {"h2d.memory", "pinned"},
                                                                              {"kernel.kind", "compute"},
                                                                              {"kernel.us", "400"},
                                                                              {"kernel.blocks", "64"},
                                                                              {"kernel.threads", "256"},
                                                                              {"stream.kind", "nonblocking"},
                                                                              {"null_op", "off"},
                                                                              {"order", "depth"},
                                                                              {"gate", "on"},
                                                                              {"sync", "device"},
                                                                              {"trace", "both"},
                                                                              {"seed", "1"}};
    for (const auto& [key, value] : expected)
        EXPECT_EQ(optionDefault(*findOption(key)), value) << key;
    EXPECT_EQ(optionDefault(*findOption("iterations")), std::to_string(Experiment{}.iterations));
}

TEST(OptionTable, SettingEveryDefaultChangesNothing) {
    Experiment experiment;
    for (const OptionRow& row : optionTable())
        row.set(experiment, optionDefault(row));
    EXPECT_EQ(experiment, Experiment{});
}

TEST(OptionTable, TheFirstChoiceIsTheDefault) {
    for (const OptionRow& row : optionTable()) {
        if (row.type == OptionType::Choice) {
            EXPECT_EQ(optionDefault(row), row.choices.front()) << row.key;
        }
    }
}

TEST(OptionTable, EveryGoodValueComesBackAndTouchesNoOtherOption) {
    for (const OptionRow& row : optionTable()) {
        for (const std::string& text : goodTexts(row)) {
            SCOPED_TRACE(std::string(row.key) + "=" + text);
            Experiment experiment;
            row.set(experiment, text);
            EXPECT_EQ(row.get(experiment), text);
            row.set(experiment, optionDefault(row));
            EXPECT_EQ(experiment, Experiment{});
        }
    }
}

TEST(OptionTable, EveryBadValueIsRefusedByNameAndLeavesTheExperimentAlone) {
    for (const OptionRow& row : optionTable()) {
        for (const std::string& text : badTexts(row)) {
            SCOPED_TRACE(std::string(row.key) + "=" + text);
            Experiment experiment;
            expectUsageError([&] { row.set(experiment, text); }, "bad-value",
                             {std::string(row.key), text, optionAllowed(row)});
            EXPECT_EQ(experiment, Experiment{});
        }
    }
}

TEST(OptionTable, SwitchesTakeTrueAndFalse) {
    Experiment experiment;
    setOption(experiment, "h2d", "false");
    EXPECT_FALSE(experiment.h2d);
    setOption(experiment, "h2d", "true");
    EXPECT_TRUE(experiment.h2d);
}

TEST(OptionTable, ThreadsAreWholeWarps) {
    Experiment experiment;
    setOption(experiment, "kernel.threads", "1024");
    EXPECT_EQ(experiment.kernelThreads, 1024);
    expectUsageError([&] { setOption(experiment, "kernel.threads", "100"); }, "bad-value",
                     {"100", "multiple of 32"});
}

TEST(OptionTable, BlocksAreANumberOrAFill) {
    Experiment experiment;
    setOption(experiment, "kernel.blocks", "fill:8");
    EXPECT_EQ(experiment.kernelBlocks.fill, 8u);
    setOption(experiment, "kernel.blocks", "132");
    EXPECT_EQ(experiment.kernelBlocks, (BlockCount{132, 0}));
}

TEST(OptionTable, EqualFillsAreEqualExperiments) {
    Experiment a, b;
    setOption(a, "kernel.blocks", "fill:2");
    setOption(b, "kernel.blocks", "500");
    setOption(b, "kernel.blocks", "fill:2");
    EXPECT_EQ(a, b);
}

TEST(OptionBytes, TextAndNumber) {
    EXPECT_EQ(bytesFromText("k", "16MiB"), 16777216);
    EXPECT_EQ(bytesFromText("k", "16777216"), 16777216);
    EXPECT_EQ(bytesFromText("k", "512B"), 512);
    EXPECT_EQ(bytesToText(16777216), "16MiB");
    EXPECT_EQ(bytesToText(1536), "1536B");
    EXPECT_EQ(bytesToText(2048), "2KiB");
    EXPECT_EQ(bytesToText(0), "0B");
    EXPECT_EQ(bytesToText(std::int64_t{3} << 30), "3GiB");
    EXPECT_EQ(bytesToText(std::int64_t{1} << 40), "1024GiB");
}

TEST(OptionBytes, OverflowIsRefused) {
    expectUsageError([] { bytesFromText("k", "8589934592GiB"); }, "bad-value", {"k", "8589934592GiB"});
}

struct Typo {
    std::string_view wrong, meant;
};

class NearestKey : public testing::TestWithParam<Typo> {};

TEST_P(NearestKey, IsTheOneMeant) {
    EXPECT_EQ(nearestKey(GetParam().wrong), GetParam().meant);
}

INSTANTIATE_TEST_SUITE_P(Typos, NearestKey,
                         testing::Values(Typo{"stream", "streams"}, Typo{"steams", "streams"},
                                         Typo{"strems", "streams"}, Typo{"kernel_us", "kernel.us"},
                                         Typo{"H2D.Bytes", "h2d.bytes"}, Typo{"d2h.bytse", "d2h.bytes"},
                                         Typo{"blocks", "kernel.blocks"}, Typo{"null-op", "null_op"},
                                         Typo{"hd2", "h2d"}, Typo{"iteration", "iterations"},
                                         Typo{"xyzzy", ""}, Typo{"", ""}, Typo{"q", ""}));

TEST(NearestKeyLimits, ALongTextIsNoTypo) {
    EXPECT_EQ(nearestKey(std::string(100'000, 'x')), "");
}

} // namespace
} // namespace olab::experiment
