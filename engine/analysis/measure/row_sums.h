// What the measured numbers are made of that no coverage tells, gathered in one pass over the trace: counts,
// plain sums, and time with several at once.
#pragma once

#include <olab/analysis/facts.h>
#include <olab/trace/side_by_side.h>

namespace olab::analysis {

/// Time with two or more at once of intervals that come sorted by begin: the contract's concurrent_ns. What
/// one shares with those before it ends where the earlier of the two ends, so the two latest ends so far are
/// all there is to know.
class ConcurrentSum {
public:
    /// What it adds; nothing where its end is not behind its begin. Whether it is cannot be foreseen, so
    /// nothing is decided by it.
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
    /// The last end so far: what begins there or later shares nothing with what came before.
    Ns latest() const { return m_latest; }
    /// Goes on behind intervals that were added to another, which knew of none before them.
    /// @param across what those shared with the ones before them
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
    /// Of a device with migrations: those of any class, and host copies that are none. In begin order.
    std::vector<Interval> unified, explicitCopies;
    bool any() const {
        return std::ranges::any_of(classes, [](const ClassSums& c) { return c.count > 0; });
    }
};

struct RowSums {
    std::vector<DeviceSums> devices;       ///< as Trace::devices()
    std::vector<ClassMask> classesOfQueue; ///< that occurred in it
};
/// Whether the times with two or more at once are kept as sets: the numbers need their lengths only.
enum class Crowds : std::uint8_t { Kept, NotKept };
/// Of device work with these numbers; all but migrations. @throws Error only when cancelled
RowSums sumRows(const Facts& facts, Crowds crowds, Stretch work, const RunControl& control);
/// Few recordings have migrations: their rows are read once more.
void gatherUnified(const Facts& facts, RowSums& sums);

} // namespace olab::analysis
