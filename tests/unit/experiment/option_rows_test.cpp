// What a row of the option table says beside its value: its variable of the environment, what it sets of a
// schedule, why recorded work does not look at it.
#include "short_names.h"

#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace olab::experiment {
namespace {

TEST(OptionRows, AVariableOfTheEnvironmentIsInTheScheduleWhileItIsNotTheDefault) {
    EXPECT_THAT(plan(HeldExperiment()).process.environment, testing::IsEmpty());
    const Plan schedule = plan(test::with({"env.max_connections=3", "env.launch_blocking=on",
                                           "env.module_loading=eager", "env.launch_queues=0.25x"}));
    EXPECT_THAT(schedule.process.environment,
                testing::ElementsAre("CUDA_DEVICE_MAX_CONNECTIONS=3", "CUDA_LAUNCH_BLOCKING=1",
                                     "CUDA_MODULE_LOADING=EAGER", "CUDA_SCALE_LAUNCH_QUEUES=0.25x"));
}

TEST(OptionRows, NoTwoNameOneVariable) {
    std::set<std::string_view> seen;
    for (const OptionRow& row : optionTable())
        if (!row.environment.name.empty()) {
            EXPECT_TRUE(seen.insert(row.environment.name).second) << row.key;
            EXPECT_EQ(row.group, "Environment") << row.key;
        }
    EXPECT_GE(seen.size(), 4u);
}

/// plan() alone calls them; one that sets nothing is a mistake that no other test would see.
TEST(OptionRows, WhatIsLoweredByItsRowIsSetByIt) {
    for (const OptionRow& row : optionTable()) {
        if (!row.lower || row.type == OptionType::Model)
            continue;
        HeldExperiment other;
        row.set(other, row.type == OptionType::Switch   ? row.get(other) == "on" ? "off" : "on"
                       : row.type == OptionType::Choice ? row.choices.back()
                                                        : std::to_string(optionNumber(other, row.key) + 1));
        Schedule before, after;
        row.lower(HeldExperiment(), before);
        row.lower(other, after);
        EXPECT_NE(before, after) << row.key;
    }
}

} // namespace
} // namespace olab::experiment
