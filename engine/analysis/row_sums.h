// What the measured numbers are made of that no coverage tells, gathered in one pass over the trace: counts,
// plain sums, and time with several at once.
#pragma once

#include <olab/analysis/facts.h>

namespace olab {

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
    Interval span;                             ///< from the first begin to the last end
    IntervalSet crowdedCompute, crowdedCopies; ///< two or more at once on the SMs; on the copy engines
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
/// Some of the devices: those whose number leaves `part` when it is divided by `of`.
struct DevicePart {
    std::size_t part = 0, of = 1;
    bool has(std::uint8_t device) const { return device % of == part; }
};
/// @throws Error only when cancelled
RowSums sumRows(const Facts& facts, Crowds crowds, DevicePart devices, const RunControl& control);
/// Of other devices.
void addSums(RowSums& sums, RowSums&& more, DevicePart devices);

} // namespace olab
