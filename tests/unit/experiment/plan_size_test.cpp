// plannedOps() counts what plan() will make without making it: limits and the form rely on that. Tried with
// every two values of the table together, and with values of all options at once.
#include "plan_parts.h"

#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/experiment/schedule.h>

#include <gtest/gtest.h>

#include <random>

namespace olab::experiment {
namespace {

struct Value {
    std::string_view key;
    std::string text;
};

std::vector<Value> valuesOf(const OptionRow& row) {
    std::vector<Value> values;
    for (const std::string_view choice : row.choices)
        values.push_back({row.key, std::string(choice)});
    if (row.type == OptionType::Integer)
        for (std::int64_t n = row.min; n <= std::min(row.max, row.min + 3 * row.step); n += row.step)
            values.push_back({row.key, std::to_string(n)});
    return values;
}

std::vector<Value> allValues() {
    std::vector<Value> values;
    for (const OptionRow& row : optionTable())
        for (Value& value : valuesOf(row))
            values.push_back(std::move(value));
    return values;
}

/// Few of each, so that thousands can be tried.
Experiment few() {
    Experiment experiment;
    experiment.streams = 2, experiment.iterations = 3, experiment.warmup = 0;
    return experiment;
}

/// False where the combination cannot be.
bool isCountedRight(const Experiment& experiment, int devices) {
    if (!conflicts(experiment).empty())
        return false;
    const Schedule made = plan(experiment, devices);
    const int used = experiment.devices == DeviceUse::All ? devices : 1;
    EXPECT_EQ(detail::plannedOps(experiment, used), static_cast<std::int64_t>(made.ops.size()));
    return true;
}

TEST(PlanSize, IsThatOfThePlanForEveryTwoValues) {
    const std::vector<Value> values = allValues();
    ASSERT_GT(values.size(), 100u);
    std::size_t tried = 0;
    for (std::size_t a = 0; a < values.size() && !testing::Test::HasFailure(); ++a)
        for (std::size_t b = a; b < values.size() && !testing::Test::HasFailure(); ++b) {
            SCOPED_TRACE(std::string(values[a].key) + "=" + values[a].text + " " +
                         std::string(values[b].key) + "=" + values[b].text);
            Experiment experiment = few();
            setOption(experiment, values[a].key, values[a].text);
            setOption(experiment, values[b].key, values[b].text);
            tried += isCountedRight(experiment, 2) ? 1 : 0;
        }
    EXPECT_GT(tried, 5'000u);
}

TEST(PlanSize, IsThatOfThePlanForValuesOfAllOptionsAtOnce) {
    std::mt19937 random(11);
    std::size_t tried = 0;
    for (int round = 0; round < 12'000 && !testing::Test::HasFailure(); ++round) {
        Experiment experiment = few();
        std::string all;
        for (const OptionRow& row : optionTable())
            if (const auto values = valuesOf(row); !values.empty() && random() % 4 == 0) {
                const Value& value = values[random() % values.size()];
                all += std::string(value.key) + "=" + value.text + " ";
                setOption(experiment, value.key, value.text);
            }
        SCOPED_TRACE(all);
        tried += isCountedRight(experiment, 2 + round % 2) ? 1 : 0;
    }
    EXPECT_GT(tried, 1'000u);
}

} // namespace
} // namespace olab::experiment
