#include <olab/run/fix_options.h>

#include <algorithm>
#include <array>

namespace olab {
namespace {

using Values = std::vector<std::string>;

constexpr std::string_view kWork = "another amount of work could not be held against this one";
constexpr std::string_view kKernel = "the kernel would be another one, which computes something else";
constexpr std::string_view kMeaning = "somebody asked for this order or this buffer: it may mean something";
constexpr std::string_view kMeasuring = "it is about how the run is measured";
constexpr std::string_view kMachine = "it chooses a machine, not a pipeline";

/// Streams that share out all passes evenly.
Values streamCounts(const Experiment& e) {
    Values values;
    if (e.h2dFirstBytes > 0) // the first stream's passes move another number of bytes
        return values;
    for (const int streams : {2, 3, 4, 6, 8, 12, 16, 24, 32})
        if (streams != e.streams && e.streams * e.iterations % streams == 0)
            values.push_back(std::to_string(streams));
    return values;
}

/// mapped and managed leave out the copy: the kernel reads the memory in place, each byte once.
Values sourceMemory(const Experiment&) {
    return {"pinned", "registered", "wc", "mapped"};
}
Values targetMemory(const Experiment&) {
    return {"pinned", "registered", "mapped"};
}

/// Waits that stream order makes redundant bring nothing but their cost.
Values dependencies(const Experiment& e) {
    return e.deps == Deps::SameStream ? Values{"none"} : Values{};
}

/// A call that leaves no work on the device belongs outside of the loop; what it is there for happens all the
/// same.
Values interference(const Experiment& e) {
    constexpr std::array kWorkers{Interfere::MemsetSync, Interfere::D2d, Interfere::FirstLaunch};
    return std::ranges::find(kWorkers, e.interfere) == kWorkers.end() ? Values{"none"} : Values{};
}

Values connections(const Experiment&) {
    return {"default", "32"};
}
Values off(const Experiment&) {
    return {"off"};
}
Values launchQueues(const Experiment&) {
    return {"default", "4x"};
}

constexpr FixOption kOptions[] = {
    {"h2d", kWork},
    {"memset", kWork},
    {"kernel", kWork},
    {"d2h", kWork},
    {"callback", kWork},
    {"h2d.bytes", kWork},
    {"h2d.first_bytes", kWork},
    {"d2h.bytes", kWork},
    {"memset.bytes", kWork},
    {"h2d.memory", "", sourceMemory},
    {"h2d.portable", ""},
    {"h2d.target", "the kernel would have to read its input elsewhere"},
    {"d2h.memory", "", targetMemory},
    {"memset.method", ""},
    {"buffers", kMeaning},
    {"kernel.kind", kKernel},
    {"kernel.us", kKernel},
    {"kernel.blocks", kKernel},
    {"kernel.threads", kKernel},
    {"kernel.smem", kKernel},
    {"kernel.stream", ""},
    {"streams", "", streamCounts},
    {"iterations", kWork},
    {"stream.kind", ""},
    {"stream.priority", ""},
    {"null_op", kWork},
    {"order", ""},
    {"gate", kMeasuring},
    {"issue", ""},
    {"issue.threads", ""},
    {"api", ""},
    {"submit", ""},
    {"sync", ""},
    {"sync.every", ""},
    {"sync.at", ""},
    {"deps", "", dependencies},
    {"interfere", "", interference},
    {"callback.method", ""},
    {"callback.us", kWork},
    {"device", kMachine},
    {"devices", kMachine},
    {"p2p", kWork},
    {"env.max_connections", "", connections},
    {"env.launch_blocking", "", off},
    {"env.module_loading", ""},
    {"env.launch_queues", "", launchQueues},
    {"warmup", kMeasuring},
    {"repeat", kMeasuring},
    {"trace", kMeasuring},
    {"seed", kMeasuring},
    {"sim.device", kMachine},
    {"sim.submission", kMachine},
};

Values valuesOf(const FixOption& option, const Experiment& experiment) {
    if (option.values)
        return option.values(experiment);
    const auto& choices = findOption(option.key)->choices;
    return {choices.begin(), choices.end()};
}

/// The same number of passes in all.
OptionChanges changeTo(const FixOption& option, const std::string& value, const Experiment& experiment) {
    OptionChanges changes{{std::string(option.key), value}};
    if (option.key == "streams")
        changes.emplace_back("iterations",
                             std::to_string(experiment.streams * experiment.iterations / std::stoi(value)));
    return changes;
}

} // namespace

std::span<const FixOption> fixOptions() {
    return kOptions;
}

bool keepsWork(const OptionChanges& changes) {
    return std::ranges::all_of(changes, [](const auto& change) {
        const auto* option = std::ranges::find(kOptions, change.first, &FixOption::key);
        return option != std::end(kOptions) && option->keptBecause.empty();
    });
}

std::vector<OptionChanges> singleChanges(const Experiment& experiment) {
    std::vector<OptionChanges> found;
    for (const FixOption& option : kOptions) {
        if (!option.keptBecause.empty())
            continue;
        const std::string now = optionText(experiment, option.key);
        for (const std::string& value : valuesOf(option, experiment))
            if (value != now)
                found.push_back(changeTo(option, value, experiment));
    }
    return found;
}

} // namespace olab
