#include "expect_error.h"

#include <olab/experiment/experiment.h>
#include <olab/experiment/option_table.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>

namespace olab::experiment {
namespace {

using nlohmann::json;
using test::expectUsageError;

std::int64_t randomIn(std::mt19937_64& random, const OptionRow& row) {
    return std::uniform_int_distribution<std::int64_t>(row.min / row.step, row.max / row.step)(random) *
           row.step;
}

std::string randomText(std::mt19937_64& random, const OptionRow& row) {
    if (!row.choices.empty())
        return std::string(row.choices[random() % row.choices.size()]);
    if (row.type == OptionType::Blocks && random() % 2 == 0)
        return "fill:" + std::to_string(1 + random() % static_cast<std::uint64_t>(kMaxFill));
    return std::to_string(randomIn(random, row));
}

TEST(ExperimentJson, RandomExperimentsComeBackEqual) {
    std::mt19937_64 random(20240229);
    for (int i = 0; i < 500; ++i) {
        Experiment experiment;
        for (const OptionRow& row : optionTable())
            row.set(experiment, randomText(random, row));
        EXPECT_EQ(experimentFromJson(experimentToJson(experiment)), experiment)
            << experimentToJson(experiment);
    }
}

TEST(ExperimentJson, EveryKeyIsThereWithItsType) {
    const json object = json::parse(experimentToJson({}));
    EXPECT_EQ(object.size(), optionTable().size());
    for (const OptionRow& row : optionTable()) {
        const json& value = object.at(std::string(row.key));
        const bool number = row.type == OptionType::Integer || row.type == OptionType::Bytes;
        EXPECT_EQ(value.is_number_integer(), number) << row.key;
        EXPECT_EQ(value.is_string(), !number) << row.key;
    }
    EXPECT_EQ(object.at("h2d.bytes"), 16777216);
    EXPECT_EQ(object.at("gate"), "on");
    EXPECT_EQ(object.at("kernel.blocks"), "64");
}

TEST(ExperimentJson, MissingKeysKeepTheirDefault) {
    EXPECT_EQ(experimentFromJson("{}"), Experiment{});
}

TEST(ExperimentJson, OtherFormsOfAValueAreRead) {
    const Experiment experiment = experimentFromJson(
        R"({"h2d.bytes": "2MiB", "d2h.bytes": 4096, "memset": false, "gate": "off", "streams": "2", "kernel.blocks": 7})");
    EXPECT_EQ(experiment.h2dBytes, 2 << 20);
    EXPECT_EQ(experiment.d2hBytes, 4096);
    EXPECT_FALSE(experiment.memset);
    EXPECT_FALSE(experiment.gate);
    EXPECT_EQ(experiment.streams, 2);
    EXPECT_EQ(experiment.kernelBlocks, (BlockCount{7, 0}));
}

TEST(ExperimentJson, UnknownKeyIsRefused) {
    expectUsageError([] { experimentFromJson(R"({"streamz": 2})"); }, "bad-key", {"streamz", "'streams'"});
}

TEST(ExperimentJson, BadValuesNameTheKey) {
    for (const char* value :
         {"0", "129", "2.5", "true", "null", "[2]", "{}", "\"two\"", "18446744073709551615", "1e2"})
        expectUsageError([&] { experimentFromJson(std::string(R"({"streams": )") + value + "}"); },
                         "bad-value", {"streams", "from 1 to 128"});
}

TEST(ExperimentJson, HugeAndDeepValuesGiveAShortMessage) {
    const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
    const std::string huge = '"' + std::string(1'000'000, 'x') + '"';
    for (const auto& [value, code] : {std::pair{deep, "bad-json"}, {huge, "bad-value"}}) {
        const std::string text = "{\"streams\": " + value + "}";
        const auto error = test::errorOf([&] { experimentFromJson(text); });
        ASSERT_TRUE(error);
        EXPECT_EQ(error->code(), code);
        EXPECT_LT(std::string(error->what()).size(), 300u);
    }
}

TEST(ExperimentJson, TextThatIsNoObjectIsRefused) {
    for (const char* text : {"", "{", "[]", "3", "null", "\"streams\"", "{\"streams\": 2} x", "\xff\xfe"})
        expectUsageError([&] { experimentFromJson(text); }, "bad-json", {});
}

TEST(OptionTableJson, TellsEverythingAFormNeeds) {
    const json table = json::parse(optionTableJson());
    ASSERT_EQ(table.size(), optionTable().size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        const OptionRow& row = optionTable()[i];
        EXPECT_EQ(table[i].at("key"), row.key);
        EXPECT_EQ(table[i].at("type"), optionTypeName(row.type));
        EXPECT_EQ(table[i].at("help"), row.help);
        EXPECT_TRUE(table[i].contains("unit") && table[i].contains("default"));
        EXPECT_NE(table[i].contains("values"), table[i].contains("min") && table[i].contains("max"))
            << row.key;
    }
}

TEST(OptionTableJson, DefaultsAreThoseOfAnExperiment) {
    const json defaults = json::parse(experimentToJson({}));
    for (const json& row : json::parse(optionTableJson()))
        EXPECT_EQ(row.at("default"), defaults.at(row.at("key").get<std::string>())) << row;
}

} // namespace
} // namespace olab::experiment
