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

void comesBack(const Experiment& experiment) {
    const std::string json = experimentToJson(experiment);
    Experiment again = experimentFromJson(json);
    require(experimentToJson(again) == json);
    again.simDevice = experiment.simDevice; // a path may be any bytes, which JSON cannot hold
    require(again == experiment);
    again = {};
    for (const std::string& assignment : differsFromDefault(experiment))
        setOption(again, assignment);
    require(again == experiment);
}

void judge(const Experiment& experiment) {
    comesBack(experiment);
    environmentOf(experiment);
    for (const OptionRow& row : optionTable()) {
        disabledBecause(experiment, row.key);
        conflictOf(experiment, row.key, optionDefault(row));
    }
    const bool isRefused = !conflicts(experiment).empty();
    if (std::int64_t{experiment.streams} * experiment.iterations > kSmall)
        return;
    const bool isPlanned = fuzz::accepted([&] {
        const Schedule schedule = plan(experiment, 2);
        dependencies(schedule);
        mayRace(schedule);
    });
    require(isPlanned != isRefused);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text = fuzz::textOf(data, size);
    Experiment experiment;
    const bool isRead = fuzz::accepted([&] {
        if (text.starts_with('{'))
            experiment = experimentFromJson(text);
        else
            for (; !text.empty(); text.remove_prefix(std::min(text.size(), text.find('\n') + 1))) {
                setOption(experiment, text.substr(0, text.find('\n')));
                if (text.find('\n') == text.npos)
                    break;
            }
    });
    if (isRead)
        judge(experiment);
    return 0;
}
