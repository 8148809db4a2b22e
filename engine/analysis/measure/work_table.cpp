#include "measure/work_table.h"

#include "facts/looks.h"
#include "measure/solo_seen.h"

#include <map>
#include <numeric>
#include <unordered_map>

namespace olab::analysis {
namespace {

constexpr std::uint32_t kNotPlanned = 0xfffffffe; // in place of a solo run: found by class and bytes

// What makes two activities the same work, as far as records tell.
struct Kind {
    std::int64_t bytes = 0;
    std::uint32_t name = 0, geometry = 0, soloRun = kNoNumber;
    ActivityClass cls{};
    MemoryKind source{}, target{};
    friend bool operator==(const Kind&, const Kind&) = default;
};

std::uint64_t hashOf(const Kind& kind) {
    constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15u;
    const auto small = static_cast<std::uint64_t>(kind.cls) << 16 |
                       static_cast<std::uint64_t>(kind.source) << 8 | static_cast<std::uint64_t>(kind.target);
    std::uint64_t hash = (static_cast<std::uint64_t>(kind.bytes) ^ small << 40) * kMix;
    hash = (hash ^ hash >> 32 ^ (std::uint64_t{kind.name} << 32 | kind.geometry)) * kMix;
    return (hash ^ hash >> 29 ^ kind.soloRun) * kMix;
}

/// Numbered kinds, in an array that is at most half full.
class KindTable {
public:
    /// Its number; for a new kind, `make` provides it.
    template <typename Make>
    std::uint32_t operator()(const Kind& kind, Make make) {
        std::size_t slot = slotOf(kind);
        for (; m_slots[slot] != kNoNumber; slot = (slot + 1) & (m_slots.size() - 1))
            if (m_kinds[m_slots[slot]].first == kind)
                return m_kinds[m_slots[slot]].second;
        const std::uint32_t number = make();
        m_kinds.emplace_back(kind, number);
        if (2 * m_kinds.size() > m_slots.size())
            grow();
        else
            place(static_cast<std::uint32_t>(m_kinds.size() - 1));
        return number;
    }

private:
    std::size_t slotOf(const Kind& kind) const { return hashOf(kind) >> m_shift; }
    void place(std::uint32_t entry) {
        std::size_t slot = slotOf(m_kinds[entry].first);
        while (m_slots[slot] != kNoNumber)
            slot = (slot + 1) & (m_slots.size() - 1);
        m_slots[slot] = entry;
    }
    void grow() {
        m_slots.assign(2 * m_slots.size(), kNoNumber);
        --m_shift;
        for (std::uint32_t entry = 0; entry < m_kinds.size(); ++entry)
            place(entry);
    }
    static constexpr unsigned kFirstBits = 10;
    std::vector<std::pair<Kind, std::uint32_t>> m_kinds;
    std::vector<std::uint32_t> m_slots = std::vector<std::uint32_t>(std::size_t{1} << kFirstBits, kNoNumber);
    unsigned m_shift = 64 - kFirstBits;
};

// Finds the solo run of an activity: by its planned op, else by class and bytes if unambiguous.
class SoloFinder {
public:
    explicit SoloFinder(const Facts& facts)
        : m_schedule(facts.schedule()) {
        const auto solos = facts.trace().solos();
        std::unordered_map<std::uint32_t, std::uint32_t> byNumber;
        for (std::uint32_t s = 0; s < solos.size(); ++s) {
            if (solos[s].duration <= 0)
                continue; // a run without a time is useless
            byNumber.emplace(solos[s].solo, s);
            const auto [at, isNew] = m_byWork.emplace(std::pair{solos[s].cls, solos[s].bytes}, s);
            if (!isNew)
                at->second = kNoNumber;
        }
        m_any = !byNumber.empty();
        if (!m_any || !m_schedule)
            return;
        for (const experiment::Op& op : m_schedule->ops) {
            const auto at = byNumber.find(op.solo);
            m_ofOp.push_back(at == byNumber.end() ? kNoNumber : at->second);
        }
    }
    /// kNotPlanned: use byWork().
    std::uint32_t planned(OpId op) const {
        if (!m_any)
            return kNoNumber;
        return op.value < m_ofOp.size() ? m_ofOp[op.value] : kNotPlanned;
    }
    /// Activities of one kind may have different solo runs.
    bool dependsOnOp() const { return !m_ofOp.empty(); }
    std::uint32_t byWork(const Kind& kind) const {
        const auto at = m_byWork.find({kind.cls, kind.bytes});
        return at == m_byWork.end() ? kNoNumber : at->second;
    }

private:
    const experiment::Schedule* m_schedule;
    bool m_any = false;
    std::vector<std::uint32_t> m_ofOp;
    std::map<std::pair<ActivityClass, std::int64_t>, std::uint32_t> m_byWork; // kNoNumber: several
};

/// Per geometry of the trace: the first one with as many blocks and threads, because grids of one size are
/// the same work. An empty grid becomes kNoNumber, like an unknown one.
std::vector<std::uint32_t> geometriesBySize(const Trace& trace) {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> first;
    std::vector<std::uint32_t> same;
    for (const KernelGeometry& g : trace.geometries()) {
        const std::pair size(g.blocks(), g.threads());
        const auto id = static_cast<std::uint32_t>(same.size());
        same.push_back(size == std::pair<std::uint64_t, std::uint64_t>()
                           ? kNoNumber
                           : first.emplace(size, id).first->second);
    }
    return same;
}

class Sorter {
public:
    explicit Sorter(const Facts& facts)
        : m_trace(facts.trace())
        , m_solos(facts)
        , m_sameSize(geometriesBySize(facts.trace())) {}

    std::uint32_t sortIn(ActivityIndex i) {
        Kind kind;
        kind.bytes = m_trace.bytes(i), kind.name = m_trace.nameOf(i).value;
        kind.cls = m_trace.cls(i), kind.source = m_trace.source(i), kind.target = m_trace.target(i);
        const std::uint32_t geometry = m_trace.geometryOf(i);
        kind.geometry = geometry == kNoNumber ? kNoNumber : m_sameSize[geometry];
        kind.soloRun = m_solos.planned(m_trace.opOf(i));
        return workOf(kind);
    }
    void count(std::uint32_t work, ActivityIndex i) {
        Work& w = m_works[work];
        ++w.count;
        if (w.soloRun == kNoNumber)
            w.solo = std::min(w.solo, m_trace.duration(i));
    }
    bool dependsOnOp() const { return m_solos.dependsOnOp(); }
    /// The shortest of its kind stands in, which says little for a kernel.
    bool lacksSolo(std::uint32_t work) const { return !m_works[work].soloIsTrusted(); }
    std::vector<Work> take() { return std::move(m_works); }

private:
    std::uint32_t workOf(const Kind& kind) {
        if (kind.soloRun != kNotPlanned)
            return m_kinds(kind, [&] { return add(kind); });
        return m_unplanned(kind, [&] {
            Kind found = kind;
            found.soloRun = m_solos.byWork(kind);
            return workOf(found);
        });
    }
    std::uint32_t add(const Kind& kind) {
        Work& work = m_works.emplace_back();
        work.cls = kind.cls, work.source = kind.source, work.target = kind.target;
        work.name.value = kind.name, work.bytes = kind.bytes, work.soloRun = kind.soloRun;
        work.solo = std::numeric_limits<Ns>::max(); // replaced by the shortest below
        if (kind.soloRun != kNoNumber) {
            const SoloRecord& solo = m_trace.solos()[kind.soloRun];
            work.solo = solo.duration, work.residentBlocks = solo.residentBlocks, work.blocks = solo.blocks;
        }
        if (kind.geometry != kNoNumber) {
            const KernelGeometry& g = m_trace.geometries()[kind.geometry];
            work.blocks = g.blocks(), work.threads = g.threads();
        }
        return static_cast<std::uint32_t>(m_works.size() - 1);
    }

    const Trace& m_trace;
    SoloFinder m_solos;
    std::vector<std::uint32_t> m_sameSize;
    KindTable m_kinds, m_unplanned;
    std::vector<Work> m_works;
};

} // namespace

WorkTable findWork(const Facts& facts, const RunControl& control) {
    WorkTable table;
    const DeviceWork& device = facts.deviceWork();
    Sorter sorter(facts);
    const bool byOp = sorter.dependsOnOp();
    if (byOp)
        table.workOf.resize(device.size());
    else
        table.workOfKind.assign(facts.trace().kinds().size(), kNoNumber);
    SoloSeen seen(facts.trace());
    for (std::size_t n = 0; n < device.size(); ++n) {
        lookAtCancel(n, control);
        const ActivityIndex i = device.row(n);
        std::uint32_t& work = byOp ? table.workOf[n] : table.workOfKind[facts.trace().kindOf(i)];
        if (byOp || work == kNoNumber)
            work = sorter.sortIn(i);
        sorter.count(work, i);
        seen.add(i, sorter.lacksSolo(work) ? work : kNoNumber);
    }
    table.works = sorter.take();
    seen.setIn(table.works);
    table.hasSolos = std::ranges::any_of(table.works, [](const Work& w) { return w.soloRun != kNoNumber; });
    return table;
}

} // namespace olab::analysis
