// How long each class was busy and each pair of classes at once, in any range of one device: exact, in some
// ten microseconds however long the recording, so that numbers can follow the mouse. One sweep over the ends
// of all intervals keeps its state every kEvery ends; an answer sweeps on from there. Refers to the lanes it
// was made from. Immutable; any thread.
#pragma once

#include <olab/trace/lanes.h>

#include <memory>

namespace olab {

/// Lengths of time in a range.
struct RangeOverlap {
    static constexpr std::size_t kPairs = kDeviceClassCount * (kDeviceClassCount - 1) / 2;
    std::array<Ns, kDeviceClassCount> busy{};
    std::array<Ns, kPairs> both{};
    /// Time with both classes at work; of a class with itself, its busy time.
    Ns overlap(ActivityClass a, ActivityClass b) const;
    friend bool operator==(const RangeOverlap&, const RangeOverlap&) = default;
};

class OverlapIndex {
public:
    OverlapIndex() = default; ///< of nothing
    OverlapIndex(const LaneSet& lanes, std::uint8_t device);
    RangeOverlap measure(Interval range) const;
    std::size_t memoryBytes() const;

private:
    static constexpr std::size_t kEvery = 1024;
    /// Where a sweep is: for each class how many ends of its intervals lie behind.
    struct State {
        Ns time = 0;
        std::array<std::uint32_t, kDeviceClassCount> passed{};
    };
    struct Checkpoint {
        State state;
        RangeOverlap sums; ///< until then
    };
    class Sweep;
    RangeOverlap before(Ns t) const;

    std::vector<std::pair<ActivityClass, const IntervalSet*>> m_sets; ///< those that are not empty
    std::vector<std::unique_ptr<const IntervalSet>> m_own;            ///< of classes in several lanes
    std::vector<Ns> m_times;                                          ///< of the checkpoints
    std::vector<Checkpoint> m_checkpoints;
};

} // namespace olab
