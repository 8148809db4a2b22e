// Any text as an experiment: a JSON object, or lines of "key=value" as the command line and links have them.
// What is accepted comes back from JSON and from text, and is planned or refused with a reason.
#include "fuzz.h"

#include <olab/experiment/data_flow.h>
#include <olab/experiment/experiment.h>
#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/experiment/schedule.h>

using namespace olab;
using fuzz::require;

namespace {

constexpr std::int64_t kSmall = 3'000; ///< passes whose plan is quick to make

void comesBack(const experiment::Experiment& experiment) {
    const std::string json = experiment::experimentToJson(experiment);
    experiment::Experiment again = experiment::experimentFromJson(json);
    require(experiment::experimentToJson(again) == json);
    again.simDevice = experiment.simDevice; // a path may be any bytes, which JSON cannot hold
    require(again == experiment);
    again = {};
    for (const std::string& assignment : experiment::differsFromDefault(experiment))
        experiment::setOption(again, assignment);
    require(again == experiment);
}

void judge(const experiment::Experiment& experiment) {
    comesBack(experiment);
    experiment::environmentOf(experiment);
    for (const experiment::OptionRow& row : experiment::optionTable()) {
        experiment::disabledBecause(experiment, row.key);
        experiment::conflictOf(experiment, row.key, experiment::optionDefault(row));
    }
    const bool isRefused = !experiment::conflicts(experiment).empty();
    if (std::int64_t{experiment.streams} * experiment.iterations > kSmall)
        return;
    const bool isPlanned = fuzz::accepted([&] {
        const experiment::Schedule schedule = experiment::plan(experiment, 2);
        experiment::dependencies(schedule);
        experiment::mayRace(schedule);
    });
    require(isPlanned != isRefused);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text = fuzz::textOf(data, size);
    experiment::Experiment experiment;
    const bool isRead = fuzz::accepted([&] {
        if (text.starts_with('{'))
            experiment = experiment::experimentFromJson(text);
        else
            for (; !text.empty(); text.remove_prefix(std::min(text.size(), text.find('\n') + 1))) {
                experiment::setOption(experiment, text.substr(0, text.find('\n')));
                if (text.find('\n') == text.npos)
                    break;
            }
    });
    if (isRead)
        judge(experiment);
    return 0;
}
