#include "host/first_launches.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace olab::replay {
namespace {

constexpr Ns kTimesUsual = 20;

/// Usual duration of a launch that loads nothing.
Ns usualOf(const analysis::HostNumbers::Api& calls, std::size_t first) {
    return calls.count < 2 * first ? std::min(usual::kCall, calls.median) : calls.median;
}

/// A launch that waits for its kernel does not load anything by that.
bool isBeforeItsKernel(const Trace& trace, ActivityIndex call, ActivityIndex kernel) {
    return trace.end(call) - trace.begin(kernel) < trace.duration(call) / 2;
}

struct FirstLaunch {
    ActivityIndex call = kNoActivity, kernel = kNoActivity;
};

/// By the name of the call.
std::map<std::string, std::vector<FirstLaunch>> firstLaunches(const Sketch& sketch) {
    const Trace& trace = sketch.trace;
    std::vector<std::uint8_t> launched(trace.texts(), 0); // per kernel name
    std::map<std::string, std::vector<FirstLaunch>> first;
    for (std::size_t n = 0; n < sketch.facts.deviceWork().size(); ++n) {
        const ActivityIndex row = sketch.facts.deviceWork().row(n), call = sketch.facts.apiOf(row);
        if (trace.cls(row) == ActivityClass::Kernel && call != kNoActivity &&
            std::exchange(launched[trace.nameOf(row).value], 1) == 0)
            first[std::string(trace.text(trace.nameOf(call)))].push_back({call, row});
    }
    return first;
}

} // namespace

std::map<ActivityIndex, Ns> slowFirstLaunches(const Sketch& sketch) {
    const Trace& trace = sketch.trace;
    const auto& byName = sketch.facts.host().numbers.api;
    std::map<ActivityIndex, Ns> slow;
    for (const auto& [name, first] : firstLaunches(sketch)) {
        const auto calls = byName.find(name);
        if (calls == byName.end())
            continue;
        const Ns usual = usualOf(calls->second, first.size());
        for (const FirstLaunch& launch : first)
            if (trace.duration(launch.call) > std::max(usual::kLoad, kTimesUsual * usual) &&
                isBeforeItsKernel(trace, launch.call, launch.kernel))
                slow.emplace(launch.call, usual);
    }
    return slow;
}

} // namespace olab::replay
