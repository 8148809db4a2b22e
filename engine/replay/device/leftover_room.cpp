#include "device/leftover_room.h"

#include "graph/room.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <vector>

namespace olab::replay {
namespace {

struct Kernel {
    NodeId node = 0;
    double share = 0; ///< of the device
    double done = 0;  ///< ns of solo time completed so far
    bool met = false; ///< it overlapped another kernel for some time
};

void findMeetings(const Sketch& sketch, std::vector<Kernel>& kernels) {
    constexpr Ns kPart = 10; // of the shorter one
    Kernel* last = nullptr;  // to end
    const auto timeOf = [&](const Kernel& kernel) { return sketch.graph.nodes[kernel.node].measured; };
    for (Kernel& kernel : kernels) {
        const Interval own = timeOf(kernel), before = last ? timeOf(*last) : Interval{own.begin, own.begin};
        const Ns together = std::min(before.end, own.end) - own.begin;
        if (together * kPart > std::min(before.length(), own.length()))
            kernel.met = last->met = true;
        if (!last || own.end > before.end)
            last = &kernel;
    }
}

/// By begin. Empty: the need for room of some kernel is unknown.
std::vector<Kernel> kernelsOf(const Sketch& sketch, std::uint8_t device) {
    std::vector<Kernel> kernels;
    for (const NodeId n : sketch.graph.workOf) {
        const Node& node = sketch.graph.nodes[n];
        if (node.device != device || node.cls != ActivityClass::Kernel)
            continue;
        const float share = residentShareOf(sketch.trace, node);
        if (share <= 0)
            return {};
        kernels.push_back({n, share});
    }
    findMeetings(sketch, kernels);
    return kernels;
}

/// Running kernels, in order of begin.
class Running {
public:
    Running(const Sketch& sketch, std::vector<Kernel>& kernels)
        : m_sketch(sketch)
        , m_kernels(kernels) {}

    void add(std::size_t kernel) {
        const Ns begin = timeOf(kernel).begin;
        while (!m_running.empty() && firstEnd() <= begin) // each end changes the room of the others
            goOnTo(firstEnd());
        goOnTo(begin);
        m_isInDoubt = m_isInDoubt || m_running.size() >= kMostAtOnce ||
                      std::ranges::any_of(m_running, [&](std::size_t other) {
                          return priorityOf(kernel) < priorityOf(other);
                      });
        m_running.push_back(kernel);
    }
    /// A kernel began during another of lower priority, or more kernels ran than the device can hold.
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

struct Tolerance {
    double alike;          ///< how much longer one kernel of a kind may take than another
    double few;            ///< share of all kernel time that may differ by more
    bool anySizes = false; ///< a kernel may have several sizes of work, each of which was seen undisturbed
};

/// Kernels of one kind.
class LikeKernels {
public:
    void add(const Kernel& kernel, Ns recorded) {
        m_seen.push_back({kernel.done, static_cast<double>(recorded)});
        m_met = m_met || kernel.met;
    }
    double all() const { return recordedOf(m_seen); }
    /// Time of kernels that take longer or less than others of their kind. Kinds that never overlapped
    /// another may do different work.
    double differing(Tolerance tolerance) {
        std::ranges::sort(m_seen, {}, &Seen::done);
        if (!m_met || isOneSize(m_seen, tolerance.alike))
            return 0;
        if (!tolerance.anySizes)
            return all();
        double differing = 0;
        for (std::span<const Seen> rest(m_seen); !rest.empty();) {
            const auto size = rest.first(endOfSize(rest));
            if (!isOneSize(size, tolerance.alike) || !isUndisturbed(size))
                differing += recordedOf(size);
            rest = rest.subspan(size.size());
        }
        return differing;
    }

private:
    struct Seen {
        double done, recorded;
    };
    static double recordedOf(std::span<const Seen> seen) {
        double sum = 0;
        for (const Seen& each : seen)
            sum += each.recorded;
        return sum;
    }
    /// `sorted`: times by length. The end of the group before the next much longer time.
    static std::size_t endOfSize(std::span<const Seen> sorted) {
        constexpr double kApart = 1.3;
        std::size_t end = 1;
        while (end < sorted.size() && sorted[end].done <= kApart * sorted[end - 1].done)
            ++end;
        return end;
    }
    static bool isOneSize(std::span<const Seen> sorted, double most) { // compares the 9th decile with the 1st
        return sorted[sorted.size() * 9 / 10].done <= most * sorted[sorted.size() / 10].done;
    }
    static bool isUndisturbed(std::span<const Seen> size) {
        constexpr double kNearly = 0.9;
        return std::ranges::any_of(size, [](const Seen& s) { return s.done >= kNearly * s.recorded; });
    }
    std::vector<Seen> m_seen;
    bool m_met = false;
};

/// Kernels of one kind take about the same time, whether the device was free or not, with few exceptions. If
/// not, they did not wait for places.
bool agree(const Sketch& sketch, const std::vector<Kernel>& kernels, Tolerance tolerance) {
    std::map<std::uint32_t, LikeKernels> kinds;
    for (const Kernel& kernel : kernels) {
        const Node& node = sketch.graph.nodes[kernel.node];
        kinds[sketch.trace.kindOf(node.row)].add(kernel, node.measured.length());
    }
    double all = 0, differ = 0;
    for (auto& [number, kind] : kinds) {
        all += kind.all();
        differ += kind.differing(tolerance);
    }
    return differ <= tolerance.few * all;
}

/// Of kernels that fill the device, or keep all its compute busy, one at a time makes progress, whichever
/// blocks got the places: each from the end of the previous one, in order of their ends.
class FullOnes {
public:
    FullOnes(const Sketch& sketch, std::vector<Kernel>& kernels)
        : m_sketch(sketch)
        , m_kernels(kernels) {}

    bool explain(Tolerance tolerance) {
        std::vector<Kernel*> byEnd;
        for (Kernel& kernel : m_kernels)
            byEnd.push_back(&kernel);
        std::ranges::stable_sort(byEnd, {}, [this](const Kernel* kernel) { return timeOf(*kernel).end; });
        for (Kernel* const kernel : byEnd)
            add(*kernel);
        constexpr double kFewBeside = 0.02; // of all
        // errors of consecutive kernels cancel: the sum is right
        return m_beside <= kFewBeside * m_all && agree(m_sketch, full(), tolerance);
    }

private:
    static constexpr double kFull = 0.85;
    /// A small kernel beside them runs when it finds a place, or waits.
    std::vector<Kernel> full() const {
        std::vector<Kernel> those;
        std::ranges::copy_if(m_kernels, std::back_inserter(those),
                             [](const Kernel& k) { return k.share >= kFull; });
        return those;
    }
    Interval timeOf(const Kernel& kernel) const { return m_sketch.graph.nodes[kernel.node].measured; }
    void add(Kernel& kernel) {
        const Interval time = timeOf(kernel);
        const bool isFull = kernel.share >= kFull;
        const Ns beside = m_end <= time.begin ? 0 : std::min(m_end, time.end) - time.begin;
        kernel.done = static_cast<double>(time.length() - (isFull ? beside : 0));
        m_all += static_cast<double>(time.length());
        if (!isFull && kernel.share + kFull > 1)
            m_beside += static_cast<double>(beside);
        if (isFull)
            m_end = std::max(m_end, time.end);
    }
    const Sketch& m_sketch;
    std::vector<Kernel>& m_kernels;
    Ns m_end = kNever;              ///< of the last full one
    double m_all = 0, m_beside = 0; ///< m_beside: of others that found unexplained room
};

void take(Sketch& sketch, const std::vector<Kernel>& kernels) {
    for (const Kernel& kernel : kernels) {
        Node& node = sketch[kernel.node];
        node.share = std::min(static_cast<float>(kernel.share), kMostRoom);
        node.work = std::min(node.work, static_cast<Ns>(kernel.done + 0.5));
    }
}

constexpr Tolerance kAlike{1.5, 0.02};

} // namespace

void shareOutLeftovers(Sketch& sketch, std::uint8_t device) {
    std::vector<Kernel> byPlaces = kernelsOf(sketch, device), byWork = byPlaces;
    for (Kernel& kernel : byWork)
        kernel.share = roomOf(sketch.facts, sketch[kernel.node]) / kMostRoom;
    if (FullOnes(sketch, byWork).explain(kAlike))
        return take(sketch, byWork);
    Running running(sketch, byPlaces);
    for (std::size_t k = 0; k < byPlaces.size() && !running.isInDoubt(); ++k)
        running.add(k);
    running.finish();
    if (running.isInDoubt())
        return;
    if (agree(sketch, byPlaces, kAlike) || FullOnes(sketch, byPlaces).explain({2, 0.25, true}))
        take(sketch, byPlaces);
}

} // namespace olab::replay
