#include "first_launches.h"

#include <utility>

namespace olab::replay {
namespace {

constexpr Ns kLoading = 200'000; ///< loading a module takes longer, launching a kernel never does
constexpr Ns kTimesUsual = 20;

} // namespace

std::map<ActivityIndex, Ns> slowFirstLaunches(const Sketch& sketch) {
    const Trace& trace = sketch.trace;
    const auto& byName = sketch.facts.host().numbers.api;
    std::vector<std::uint8_t> launched(trace.texts(), 0); // per name of a kernel
    std::map<ActivityIndex, Ns> slow;
    for (std::size_t n = 0; n < sketch.facts.deviceWork().size(); ++n) {
        const ActivityIndex row = sketch.facts.deviceWork().row(n), call = sketch.facts.apiOf(row);
        if (trace.cls(row) != ActivityClass::Kernel ||
            std::exchange(launched[trace.nameOf(row).value], 1) != 0 || call == kNoActivity)
            continue;
        const auto usual = byName.find(std::string(trace.text(trace.nameOf(call))));
        if (usual != byName.end() &&
            trace.duration(call) > std::max(kLoading, kTimesUsual * usual->second.median))
            slow.emplace(call, usual->second.median);
    }
    return slow;
}

} // namespace olab::replay
