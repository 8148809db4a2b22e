#include "test_places.h"

#include <olab/experiment/plan.h>
#include <olab/experiment/presets.h>
#include <olab/experiment/schedule.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace olab::experiment {
namespace {

using testing::ElementsAre;

std::vector<std::string> changes(std::string_view id) {
    const Preset* preset = findPreset(id);
    EXPECT_NE(preset, nullptr) << id;
    return preset ? differsFromDefault(preset->experiment) : std::vector<std::string>{};
}

TEST(Presets, TheFirstIsTheDefaultExperiment) {
    ASSERT_FALSE(presets().empty());
    EXPECT_EQ(presets().front().id, "default");
    EXPECT_EQ(presets().front().experiment, HeldExperiment{});
}

TEST(Presets, EveryFileIsBuiltInUnderItsName) {
    std::set<std::string> files, ids;
    for (const auto& entry : std::filesystem::directory_iterator(OLAB_SOURCE_DIR "/resources/presets"))
        files.insert(entry.path().stem().string());
    for (const Preset& preset : presets())
        EXPECT_TRUE(ids.insert(preset.id).second) << preset.id << " is there twice";
    EXPECT_EQ(ids, files);
}

TEST(Presets, EachCanRunAndSaysWhatItShows) {
    std::set<std::string> titles;
    for (const Preset& preset : presets()) {
        SCOPED_TRACE(preset.id);
        EXPECT_FALSE(plan(preset.experiment, 2).ops.empty());
        EXPECT_TRUE(titles.insert(preset.title).second);
        EXPECT_FALSE(preset.source.empty());
        EXPECT_GT(preset.text.size(), 100u);
    }
}

TEST(Presets, ThoseOfOneGroupStandTogether) {
    std::set<std::string> closed;
    std::string open;
    for (const Preset& preset : presets()) {
        if (preset.group == open)
            continue;
        EXPECT_TRUE(closed.insert(open).second);
        open = preset.group;
        EXPECT_FALSE(closed.contains(open)) << preset.id << " is away from its group " << open;
    }
}

TEST(Presets, NoTwoAreTheSameExperiment) {
    for (const Preset& a : presets())
        for (const Preset& b : presets())
            EXPECT_EQ(a.experiment == b.experiment, a.id == b.id) << a.id << " and " << b.id;
}

TEST(Presets, TheCasesOfTheContractSetWhatTheyMust) {
    EXPECT_THAT(changes("pageable"), ElementsAre("h2d.memory=pageable", "d2h.memory=pageable"));
    EXPECT_THAT(changes("null-stream"), ElementsAre("stream.kind=blocking", "null_op=memset"));
    EXPECT_THAT(changes("null-stream-nonblocking"), ElementsAre("null_op=memset"));
    EXPECT_THAT(changes("full-grid"),
                ElementsAre("callback=off", "kernel.us=800", "kernel.blocks=fill:8", "streams=2"));
    EXPECT_THAT(changes("one-stream"), ElementsAre("streams=1"));
    EXPECT_THAT(changes("breadth-first"), ElementsAre("order=breadth"));
}

TEST(Presets, UnknownIdIsNull) {
    EXPECT_EQ(findPreset("no-such-preset"), nullptr);
}

TEST(PresetsJson, HoldsThemAllAndTheirExperimentsReadBack) {
    const auto list = nlohmann::json::parse(presetsJson());
    ASSERT_EQ(list.size(), presets().size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Preset& preset = presets()[i];
        EXPECT_EQ(list[i].at("id"), preset.id);
        EXPECT_EQ(list[i].at("title"), preset.title);
        EXPECT_EQ(list[i].at("source"), preset.source);
        EXPECT_EQ(list[i].at("text"), preset.text);
        EXPECT_EQ(list[i].at("shows"), preset.shows);
        EXPECT_EQ(experimentFromJson(list[i].at("experiment").dump()), preset.experiment);
    }
}

} // namespace
} // namespace olab::experiment
