#include "first_launches.h"

#include <utility>

namespace olab::replay {
namespace {

constexpr Ns kLoading = 200'000; ///< loading a module takes longer, launching a kernel never does
constexpr Ns kTimesUsual = 20;

Ns medianOf(std::vector<Ns> times) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    return *middle;
}

} // namespace

FirstLaunches::FirstLaunches(const Sketch& sketch) {
    std::vector<std::uint8_t> launched(sketch.trace.texts(), 0); // per name of a kernel
    std::vector<Ns> times;
    std::vector<ActivityIndex> slow;
    for (std::size_t n = 0; n < sketch.facts.deviceWork().size(); ++n) {
        const ActivityIndex row = sketch.facts.deviceWork().row(n);
        if (sketch.trace.cls(row) != ActivityClass::Kernel)
            continue;
        const bool isFirst = std::exchange(launched[sketch.trace.nameOf(row).value], 1) == 0;
        const ActivityIndex call = sketch.facts.apiOf(row);
        if (call == kNoActivity)
            continue;
        times.push_back(sketch.trace.duration(call));
        if (isFirst && times.back() > kLoading)
            slow.push_back(call);
    }
    if (slow.empty())
        return;
    m_usual = medianOf(std::move(times));
    std::erase_if(slow,
                  [&](ActivityIndex call) { return sketch.trace.duration(call) < kTimesUsual * m_usual; });
    std::ranges::sort(slow);
    m_calls = std::move(slow);
}

} // namespace olab::replay
