// How long each class was busy, and each pair of classes at once, in any range of one device: exact, in about
// ten microseconds for any recording, so that numbers can follow the mouse. One sweep over the ends of all
// intervals saves its state every kEvery ends; a query continues from there. Immutable; any thread.
#pragma once

#include <olab/trace/interval_set.h>

#include <vector>

namespace olab {

class LaneSet;

/// Durations in a range.
struct RangeOverlap {
    static constexpr std::size_t kPairs = kDeviceClassCount * (kDeviceClassCount - 1) / 2;
    std::array<Ns, kDeviceClassCount> busy{};
    std::array<Ns, kPairs> both{};
    /// Time with both classes busy; for a class with itself, its busy time.
    Ns overlap(ActivityClass a, ActivityClass b) const;
    friend bool operator==(const RangeOverlap&, const RangeOverlap&) = default;
};

class OverlapIndex {
public:
    OverlapIndex() = default; ///< of nothing
    OverlapIndex(const LaneSet& lanes, std::uint8_t device);
    RangeOverlap measure(Interval range) const;
    /// Time of the whole recording with any of these classes busy; with any of `a` and any of `b` busy at
    /// once.
    Ns any(ClassMask classes) const { return both(classes, classes); }
    Ns both(ClassMask a, ClassMask b) const;
    std::size_t memoryBytes() const; ///< without the sets, which are mostly shared with the lanes

private:
    static constexpr std::size_t kEvery = 1024;
    /// Position of a sweep: for each class the number of interval ends already passed.
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
        m_sets;              ///< the non-empty ones; mostly those of the lanes
    std::vector<Ns> m_times; ///< of the checkpoints
    std::vector<Checkpoint> m_checkpoints;
    /// Time with exactly these classes busy, for each combination that occurs.
    std::array<Ns, std::size_t{1} << kDeviceClassCount> m_exactly{};
};

} // namespace olab
