// How long each class was busy and each pair of classes at once, in any range of one device: exact, in some
// ten microseconds however long the recording, so that numbers can follow the mouse. One sweep over the ends
// of all intervals keeps its state every kEvery ends; an answer sweeps on from there. Immutable; any thread.
#pragma once

#include <olab/trace/interval_set.h>

#include <vector>

namespace olab {

class LaneSet;

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
    /// Time of the whole recording with any of these classes at work; with any of `a` and any of `b` at once.
    Ns any(ClassMask classes) const { return both(classes, classes); }
    Ns both(ClassMask a, ClassMask b) const;
    std::size_t memoryBytes() const; ///< beside the sets, which are mostly shared with the lanes

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

    std::vector<std::pair<ActivityClass, IntervalSet>>
        m_sets;              ///< those that are not empty; mostly the lanes'
    std::vector<Ns> m_times; ///< of the checkpoints
    std::vector<Checkpoint> m_checkpoints;
    /// Time with exactly these classes at work, for each combination there is.
    std::array<Ns, std::size_t{1} << kDeviceClassCount> m_exactly{};
};

} // namespace olab
