#include "leftover_room.h"

#include "room.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace olab::replay {
namespace {

struct Kernel {
    NodeId node = 0;
    double share = 0; ///< of the device
    double done = 0;  ///< ns that it would have taken alone, so far
};

/// By begin. Empty: of one it is not known what it takes.
std::vector<Kernel> kernelsOf(const Sketch& sketch, std::uint8_t device) {
    std::vector<Kernel> kernels;
    for (const NodeId n : sketch.graph.workOf) {
        const Node& node = sketch.graph.nodes[n];
        if (node.device != device || node.cls != ActivityClass::Kernel)
            continue;
        const float share = residentShareOf(sketch.trace, node);
        if (share <= 0)
            return {};
        kernels.push_back({n, share, 0});
    }
    return kernels;
}

/// Those that run, in the order in which they began.
class Running {
public:
    Running(const Sketch& sketch, std::vector<Kernel>& kernels)
        : m_sketch(sketch)
        , m_kernels(kernels) {}

    void add(std::size_t kernel) {
        const Ns begin = timeOf(kernel).begin;
        while (!m_running.empty() && firstEnd() <= begin) // each end changes what is left for the others
            goOnTo(firstEnd());
        goOnTo(begin);
        m_isInDoubt = m_isInDoubt || m_running.size() >= kMostAtOnce ||
                      std::ranges::any_of(m_running, [&](std::size_t other) {
                          return priorityOf(kernel) < priorityOf(other);
                      });
        m_running.push_back(kernel);
    }
    /// One began in the midst of another of lower priority, or more ran than a device takes.
    bool isInDoubt() const { return m_isInDoubt; }
    void finish() {
        while (!m_running.empty())
            goOnTo(firstEnd());
    }

private:
    static constexpr std::size_t kMostAtOnce = 128; ///< grids on a device, by CUDA's own limit
    Interval timeOf(std::size_t kernel) const {
        return m_sketch.graph.nodes[m_kernels[kernel].node].measured;
    }
    std::int32_t priorityOf(std::size_t kernel) const { // the smaller number goes first
        return m_sketch.graph.nodes[m_kernels[kernel].node].priority;
    }
    Ns firstEnd() const {
        return timeOf(
                   *std::ranges::min_element(m_running, {}, [this](std::size_t k) { return timeOf(k).end; }))
            .end;
    }
    void goOnTo(Ns time) {
        double left = 1;
        for (const std::size_t k : m_running) {
            Kernel& kernel = m_kernels[k];
            const double got = std::min(kernel.share, left);
            left -= got;
            kernel.done += got / kernel.share * static_cast<double>(time - m_now);
        }
        m_now = time;
        std::erase_if(m_running, [&](std::size_t k) { return timeOf(k).end <= time; });
    }

    const Sketch& m_sketch;
    std::vector<Kernel>& m_kernels;
    std::vector<std::size_t> m_running;
    Ns m_now = 0;
    bool m_isInDoubt = false;
};

/// Kernels of one kind take about as long, those that found the device free and those that did not. If not,
/// places are not what they waited for.
bool agree(const Sketch& sketch, const std::vector<Kernel>& kernels) {
    constexpr double kAlike = 1.5; // the ninth tenth to the first
    std::map<std::uint32_t, std::vector<double>> kinds;
    for (const Kernel& kernel : kernels)
        kinds[sketch.trace.kindOf(sketch.graph.nodes[kernel.node].row)].push_back(kernel.done);
    return std::ranges::all_of(kinds, [](auto& kind) {
        std::vector<double>& times = kind.second;
        std::ranges::sort(times);
        return times[times.size() * 9 / 10] <= kAlike * times[times.size() / 10];
    });
}

} // namespace

void shareOutLeftovers(Sketch& sketch, std::uint8_t device) {
    std::vector<Kernel> kernels = kernelsOf(sketch, device);
    Running running(sketch, kernels);
    for (std::size_t k = 0; k < kernels.size() && !running.isInDoubt(); ++k)
        running.add(k);
    running.finish();
    if (running.isInDoubt() || !agree(sketch, kernels))
        return;
    for (const Kernel& kernel : kernels) {
        Node& node = sketch[kernel.node];
        node.share = std::min(static_cast<float>(kernel.share), kMostRoom);
        node.work = std::min(node.work, static_cast<Ns>(kernel.done + 0.5));
    }
}

} // namespace olab::replay
