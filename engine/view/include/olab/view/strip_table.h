// The level-of-detail index of one strip: for any time, how many of its items began before and how long each
// layer (class) was busy before, without a search. Time is divided into slots of equal length, about ten
// items in each; a row per slot holds both answers for the slot's begin. From there a few steps lead to the
// exact answer. A view whose columns are longer than a slot needs no steps: the row also has a bit for each
// 64th of the slot, set so that the bits up to any time add up to the busy time until then within half a
// 64th. A slot with many items (work comes in bursts) has its own table. A view of a long time reads a
// coarser table of the same items, with slots eight times as long, or one of those above it. Immutable; any
// thread.
#pragma once

#include <olab/trace/times.h>
#include <olab/trace/trace.h>
#include <olab/view/looks.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <span>
#include <vector>

namespace olab::view {

/// The layer of each item in its strip: of its look, or of its colour (colouring.h). With one layer nothing
/// is read.
struct Layers {
    const Looks* looks = nullptr; ///< read only while the table is made
    NearNumbers activities;
    std::array<std::uint8_t, kLooks> ofLook{};
    std::size_t count = 1;
    const std::uint8_t* colours = nullptr;  ///< by activity; null: looks decide
    const std::uint8_t* ofColour = nullptr; ///< read only while the table is made
    std::size_t operator()(std::size_t i) const {
        if (count == 1)
            return 0;
        return colours ? ofColour[colours[activities[i]]]
                       : ofLook[static_cast<std::size_t>(looks->of(activities[i]))];
    }
};

class StripTable {
public:
    using Sums = std::array<Ns, kLooks>;        ///< by layer
    static constexpr std::uint64_t kSteps = 64; ///< of a slot
    static constexpr std::size_t kLong = 64;    ///< more items in a slot than are worth scanning

    StripTable() = default;
    /// Refers to the same objects as `times` and `layers`. Takes about `bytes` per item.
    StripTable(const Times& times, const Layers& layers, double bytes);

    const Times& times() const { return m_times; }
    std::size_t layers() const { return m_layers.count; }
    Ns slotLength() const { return static_cast<Ns>(m_slot); }
    Ns stepLength() const { return static_cast<Ns>(m_step); } ///< the time that a bit stands for
    Ns rounding() const { return Ns{1} << m_unit; }           ///< of the sums in rows
    /// How many items begin before `t`.
    std::size_t position(Ns t) const;
    /// The same, and the time covered before `t`: exact except for the rounding of the rows' sums, which is
    /// zero in recordings of up to 4 s and a small part of a slot in longer ones.
    std::size_t before(Ns t, Sums& sums) const;
    /// Time covered before `t`, exact to half a step.
    void estimate(Ns t, Ns* sums) const;
    /// The same for many times; layers() sums for each of them.
    void estimateAll(std::span<const Ns> times, Ns* sums) const;
    /// Bounds of position(t): from the rows alone.
    std::size_t least(Ns t) const { return row(slotOf(t))[0]; }
    std::size_t most(Ns t) const { return row(std::min(slotOf(t) + 1, m_slots))[0]; }
    /// The coarsest table of the same items, this one or one with longer slots, whose estimates of the time
    /// covered between two times are exact to `error` ns; null: there is none.
    const StripTable* within(Ns error) const;
    std::size_t memoryBytes() const;
    /// The layer of item `i`.
    std::size_t layerOf(std::size_t i) const {
        if (m_layers.count == 1)
            return 0;
        const std::size_t bit = i * m_codeBits;
        return (*m_codes)[bit / 64] >> bit % 64 & ((std::uint64_t{1} << m_codeBits) - 1);
    }
    static constexpr std::size_t kManyLayers = 64;
    /// The layers of kManyLayers items from `first` on, for two layers or more; after the last item any
    /// values.
    void layersFrom(std::size_t first, std::array<std::uint8_t, kManyLayers>& out) const;

private:
    std::size_t slotOf(Ns t) const {
        return t <= m_origin ? 0 : std::min(static_cast<std::size_t>(slotAt(since(t))), m_slots);
    }
    std::uint64_t since(Ns t) const { // for t >= m_origin: always fits
        return static_cast<std::uint64_t>(t) - static_cast<std::uint64_t>(m_origin);
    }
    /// time / m_slot: the multiplication is faster, and off by at most one.
    std::uint64_t slotAt(std::uint64_t time) const {
        const std::uint64_t guess = scaled(time, m_perSlot);
        if (guess * m_slot > time)
            return guess - 1;
        return time - guess * m_slot >= m_slot ? guess + 1 : guess;
    }
    /// Via signed numbers, which processors convert in one instruction.
    static std::uint64_t scaled(std::uint64_t time, double factor) {
        return static_cast<std::uint64_t>(
            static_cast<std::int64_t>(static_cast<double>(static_cast<std::int64_t>(time)) * factor));
    }
    Ns slotBegin(std::size_t slot) const {
        return static_cast<Ns>(static_cast<std::uint64_t>(m_origin) + slot * m_slot);
    }
    std::size_t rowLength() const { return 1 + kLayerWords * m_layers.count; }
    const std::uint32_t* row(std::size_t slot) const { return m_rows.data() + slot * rowLength(); }
    StripTable(const StripTable& finer, double bytes);
    void addCoarser(double bytes);
    template <unsigned Bits>
    void readCodes(std::size_t first, std::array<std::uint8_t, kManyLayers>& out) const;
    void cutIntoSlots(double bytes);
    void packLayers();
    void fillRows();
    void addBursts(double bytes);
    void add(Ns t, std::size_t i, Sums& sums) const {
        const Interval time = m_times[i];
        sums[layerOf(i)] += std::min(time.end, t) - time.begin;
    }
    struct Burst;
    const Burst* burstIn(std::size_t slot) const;
    void estimateInside(Ns t, std::size_t slot, Ns* sums) const;
    void estimatePlain(std::span<const Ns> times, Ns* sums) const;
    void estimateWide(std::span<const Ns> times, Ns* sums) const;
    void estimateEach(std::span<const Ns> times, Ns* sums) const;
    template <typename Look>
    void eachSlot(std::span<const Ns> times, Look look) const;

    static constexpr std::size_t kLayerWords = 3; ///< of a row: the sum, 64 bits
    class RowMaker;

    Times m_times;
    Layers m_layers;
    Ns m_origin = 0;
    std::uint64_t m_step = 1, m_slot = kSteps; ///< lengths in ns
    double m_perStep = 1, m_perSlot = 1.0 / kSteps;
    unsigned m_unit = 0;     ///< sums of rows are in 2^m_unit ns
    std::size_t m_slots = 0; ///< there is one more row
    Column<std::uint32_t> m_rows{0,
                                 0}; ///< per slot: items begun before it, then busy time before it by layer
    std::shared_ptr<const Column<std::uint64_t>>
        m_codes; ///< the layer of each item, m_codeBits each; empty for one layer
    std::size_t m_codeBits = 0;
    std::vector<std::pair<std::size_t, std::shared_ptr<const Burst>>> m_bursts; ///< by slot
    std::shared_ptr<const StripTable> m_coarser; ///< with longer slots; null: this one is small
};

} // namespace olab::view
