// The parts of the measured numbers that no coverage provides, gathered in one pass over the trace: counts,
// plain sums, and time with several activities at once.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/trace/side_by_side.h>

namespace olab::analysis {

/// Time in which two or more intervals run at once (the contract's concurrent_ns); intervals are added sorted
/// by begin. An interval overlaps earlier ones until the earlier of its own end and the latest end so far, so
/// the two latest ends are all the state it needs.
class ConcurrentSum {
public:
    /// Returns the time added; empty unless its end is after its begin. No branch depends on that, because it
    /// cannot be predicted.
    Interval add(Interval time) {
        if (time.end <= time.begin)
            return {};
        const Ns end = std::min(time.end, m_latest);
        const Interval shared{std::max(time.begin, m_sharedUntil), end};
        m_latest = std::max(m_latest, time.end);
        m_sharedUntil = std::max(m_sharedUntil, end);
        m_total += shared.end > shared.begin ? shared.length() : 0;
        return shared;
    }
    Ns total() const { return m_total; }
    /// The latest end so far: intervals that begin there or later overlap nothing earlier.
    Ns latest() const { return m_latest; }
    /// Appends a sum that was computed separately for later intervals.
    /// @param across time that the later intervals share with these
    void append(const ConcurrentSum& behind, Ns across) {
        m_total += behind.m_total + across;
        m_sharedUntil = std::max({m_sharedUntil, behind.m_sharedUntil, std::min(m_latest, behind.m_latest)});
        m_latest = std::max(m_latest, behind.m_latest);
    }

private:
    static constexpr Ns kNever = std::numeric_limits<Ns>::min();
    Ns m_latest = kNever, m_sharedUntil = kNever;
    Ns m_total = 0;
};

struct ClassSums {
    std::uint64_t count = 0, zeroDuration = 0;
    Ns sum = 0;
    std::int64_t bytes = 0;
    ConcurrentSum concurrent;
};

struct EngineSums {
    std::uint64_t count = 0;
    ClassMask classes = 0;
    ConcurrentSum concurrent;
};

struct DeviceSums {
    std::array<ClassSums, kDeviceClassCount> classes;
    std::array<EngineSums, kEngineCount> engines;
    Interval span;                                 ///< from the first begin to the last end
    bool hasUnified = false;                       ///< has migrations
    std::array<IntervalSet, kEngineCount> crowded; ///< two or more at once on one engine
    IntervalSet crowdedCopies;                     ///< ... on all copy engines together
    /// For a device with migrations: all migrations, and host copies that are none. In begin order.
    std::vector<Interval> unified, explicitCopies;
    bool any() const {
        return std::ranges::any_of(classes, [](const ClassSums& c) { return c.count > 0; });
    }
};

struct RowSums {
    std::vector<DeviceSums> devices;       ///< as Trace::devices()
    std::vector<ClassMask> classesOfQueue; ///< classes that occurred in each queue
};
/// Whether times with two or more at once are kept as sets; the numbers only need their lengths.
enum class Crowds : std::uint8_t { Kept, NotKept };
/// For device work with these numbers, except migrations. @throws Error only when cancelled
RowSums sumRows(const Facts& facts, Crowds crowds, Stretch work, const RunControl& control);
/// Reads the rows again if the recording has migrations, which is rare.
void gatherUnified(const Facts& facts, RowSums& sums);

} // namespace olab::analysis
