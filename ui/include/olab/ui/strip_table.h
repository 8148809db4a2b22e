// The level-of-detail index of one strip: for any time, how many of its things began before and how long each
// layer (class) was busy before, without a search. Time is cut into slots of equal length, about five things
// in each; a row per slot holds both answers for the slot's begin. From there it is a few steps to the exact
// answer, and a view whose columns are much longer than a slot needs no step at all: between two rows it
// takes the straight line, which is off by a quarter of a slot at most. A slot with many things (work comes
// in bursts) has a table of its own. Immutable; any thread.
#pragma once

#include <olab/trace/trace.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <vector>

namespace olab {

/// Begins and ends of things that do not cross, sorted: the columns of a lane, or an array of Interval.
class Times {
public:
    Times() = default;
    Times(std::span<const Ns> begins, std::span<const Ns> ends)
        : m_begins(begins.data())
        , m_ends(ends.data())
        , m_count(begins.size()) {}
    explicit Times(std::span<const Interval> intervals);
    Times part(std::size_t first, std::size_t count) const;
    std::size_t size() const { return m_count; }
    Ns begin(std::size_t i) const { return m_begins[i * m_step]; }
    Ns end(std::size_t i) const { return m_ends[i * m_step]; }
    Interval operator[](std::size_t i) const { return {begin(i), end(i)}; }
    /// The first one from `first` on, up to `last`, with begin >= t.
    std::size_t firstFrom(Ns t, std::size_t first, std::size_t last) const;
    void prefetch(std::size_t i) const {
        __builtin_prefetch(m_begins + i * m_step);
        __builtin_prefetch(m_ends + i * m_step);
    }

private:
    const Ns* m_begins = nullptr;
    const Ns* m_ends = nullptr;
    std::size_t m_step = 1, m_count = 0;
};

/// Which layer of its strip each thing belongs to. With one layer nothing is looked at.
struct Layers {
    const Trace* trace = nullptr;
    std::span<const ActivityIndex> activities;
    std::array<std::uint8_t, kClassCount> ofClass{};
    std::size_t count = 1;
    std::size_t operator()(std::size_t i) const {
        return count == 1 ? 0 : ofClass[static_cast<std::size_t>(trace->cls(activities[i]))];
    }
};

class StripTable {
public:
    using Sums = std::array<Ns, kClassCount>; ///< by layer

    StripTable() = default;
    /// Refers to what `times` and `layers` refer to. Takes `bytes` or less for each thing, and somewhat less
    /// on average, since slots are powers of two.
    StripTable(const Times& times, const Layers& layers, double bytes);

    const Times& times() const { return m_times; }
    std::size_t layers() const { return m_layers.count; }
    Ns slotLength() const { return Ns{1} << m_shift; }
    /// How many things begin before `t`.
    std::size_t position(Ns t) const;
    /// The same, and the time covered before `t`: exact but for the rounding of the rows' sums, which is
    /// nothing in a recording of 4 s and a small part of a slot in longer ones.
    std::size_t before(Ns t, Sums& sums) const;
    /// Time covered before `t`, right to a quarter of a slot.
    void estimate(Ns t, Sums& sums) const;
    /// Bounds of position(t): from the rows alone.
    std::size_t least(Ns t) const { return row(slotOf(t))[0]; }
    std::size_t most(Ns t) const { return row(std::min(slotOf(t) + 1, m_slots))[0]; }
    void prefetchRow(Ns t) const { __builtin_prefetch(row(slotOf(t))); }
    void prefetchTimes(Ns t) const;
    std::size_t memoryBytes() const;

private:
    friend class StripWalker;
    std::size_t slotOf(Ns t) const {
        return t <= m_origin ? 0 : std::min(static_cast<std::size_t>(since(t) >> m_shift), m_slots);
    }
    std::uint64_t since(Ns t) const { // of t >= m_origin: fits, whatever the two are
        return static_cast<std::uint64_t>(t) - static_cast<std::uint64_t>(m_origin);
    }
    Ns slotBegin(std::size_t slot) const { return m_origin + (static_cast<Ns>(slot) << m_shift); }
    const std::uint32_t* row(std::size_t slot) const { return m_rows.data() + slot * (1 + m_layers.count); }
    void cutIntoSlots(double bytes);
    void fillRows();
    void addBursts(double bytes);
    void add(Ns t, std::size_t i, Sums& sums) const {
        sums[m_layers(i)] += std::min(m_times.end(i), t) - m_times.begin(i);
    }
    struct Burst;
    const Burst* burstIn(std::size_t slot) const;

    Times m_times;
    Layers m_layers;
    Ns m_origin = 0;
    unsigned m_shift = 0;    ///< a slot is 2^m_shift ns long
    unsigned m_unit = 0;     ///< sums of rows are in 2^m_unit ns
    std::size_t m_slots = 0; ///< rows are one more
    Column<std::uint32_t> m_rows{0,
                                 0}; ///< per slot: things begun before it, then busy time before it by layer
    std::vector<std::pair<std::size_t, std::shared_ptr<const Burst>>> m_bursts; ///< by slot
};

/// Goes over a strip from left to right: what it last found is the start of the next step.
class StripWalker {
public:
    explicit StripWalker(const StripTable& table)
        : m_table(table) {}
    void seek(Ns t);
    std::size_t position() const { return m_at; }
    const StripTable::Sums& sums() const { return m_sums; }

private:
    const StripTable& m_table;
    StripTable::Sums m_sums{};
    std::size_t m_at = 0;
    Ns m_time = 0;
    bool m_looked = false;
};

} // namespace olab
