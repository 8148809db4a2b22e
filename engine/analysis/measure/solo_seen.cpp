#include "measure/solo_seen.h"

#include "facts/sentences.h"
#include "measure/measure.h"

#include <algorithm>
#include <cmath>

namespace olab::analysis {
namespace {

/// Mann and Whitney: by how many standard deviations `longer` lies above `shorter`, which is sorted.
double rankScore(std::span<const Ns> shorter, std::span<const Ns> longer) {
    double above = 0;
    for (const Ns value : longer) {
        const auto [first, last] = std::equal_range(shorter.begin(), shorter.end(), value);
        above += static_cast<double>(first - shorter.begin()) + static_cast<double>(last - first) / 2;
    }
    const auto n = static_cast<double>(shorter.size()), m = static_cast<double>(longer.size());
    return (above - n * m / 2) / std::sqrt(n * m * (n + m + 1) / 12);
}

} // namespace

std::optional<Ns> LikeKernels::solo() const {
    constexpr double kByChance = 3; // standard deviations: one in 740
    if (m_alone.empty() || m_beside.empty())
        return std::nullopt;
    std::vector<Ns> alone = m_alone, beside = m_beside;
    const Ns solo = medianOf(alone);
    if (!isNoticeable(medianOf(beside) - solo, solo))
        return std::nullopt;
    std::ranges::sort(alone);
    return rankScore(alone, beside) > kByChance ? std::optional(solo) : std::nullopt;
}

void SoloSeen::close(Device& device, Ns besideNext) {
    if (device.work == kNoNumber)
        return;
    if (device.work >= m_like.size())
        m_like.resize(device.work + 1);
    const Ns beside = std::max(device.beside, besideNext), length = device.last.length();
    if (beside == 0 || 2 * beside >= length) // partial overlaps count for neither group
        m_like[device.work].add(length, beside > 0);
}

void SoloSeen::add(ActivityIndex row, std::uint32_t work) {
    Device& device = m_devices[m_trace.device(row)];
    const Interval time = m_trace.time(row);
    const auto timeBeside = [&](Ns end) { return std::clamp(end, time.begin, time.end) - time.begin; };
    close(device, timeBeside(device.last.end));
    device.last = time;
    device.beside = timeBeside(device.end);
    device.work = work;
    device.end = std::max(device.end, time.end);
}

void SoloSeen::setIn(std::span<Work> works) {
    for (Device& device : m_devices)
        close(device, 0);
    for (std::size_t w = 0; w < m_like.size(); ++w)
        if (const std::optional<Ns> solo = m_like[w].solo()) {
            works[w].solo = *solo;
            works[w].soloIsSeen = true;
        }
}

} // namespace olab::analysis
