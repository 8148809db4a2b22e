#include "solo_times.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace olab {
namespace {

constexpr Ns kCoarsestStep = 1000;

// What makes two activities the same work, as far as records tell.
struct Kind {
    std::int64_t bytes = 0;
    std::uint64_t blocks = 0, threads = 0;
    std::uint32_t name = 0;
    std::uint8_t cls = 0, source = 0, target = 0;
    friend bool operator==(const Kind&, const Kind&) = default;
};

struct KindHash {
    std::size_t operator()(const Kind& k) const {
        std::uint64_t h = 0;
        for (const std::uint64_t part :
             {static_cast<std::uint64_t>(k.bytes), k.blocks, std::uint64_t{k.name}, k.threads,
              std::uint64_t{k.cls} << 16 | std::uint64_t{k.source} << 8 | k.target})
            h = (h ^ part) * 0x9e3779b97f4a7c15u + (h >> 29);
        return static_cast<std::size_t>(h);
    }
};

Kind kindOf(const Trace& trace, ActivityIndex i) {
    const Activity a = trace[i];
    Kind kind;
    kind.bytes = a.bytes, kind.name = a.name.value;
    kind.cls = static_cast<std::uint8_t>(a.cls);
    kind.source = static_cast<std::uint8_t>(a.source), kind.target = static_cast<std::uint8_t>(a.target);
    if (const KernelGeometry* g = trace.geometry(i)) {
        kind.blocks = g->blocks();
        kind.threads = g->threads();
    }
    return kind;
}

// Finds the solo run of an activity: through its planned op, else by class and bytes if that leaves no
// choice.
class SoloFinder {
public:
    explicit SoloFinder(const Facts& facts)
        : m_facts(facts) {
        const auto solos = facts.trace.solos();
        for (std::uint32_t s = 0; s < solos.size(); ++s) {
            if (solos[s].duration <= 0)
                continue; // a run that left no time says nothing
            m_byNumber.emplace(solos[s].solo, s);
            const auto [at, isNew] = m_byWork.emplace(std::pair{solos[s].cls, solos[s].bytes}, s);
            if (!isNew)
                at->second = kNoNumber;
        }
    }
    std::uint32_t find(const Activity& a) const {
        if (m_byNumber.empty())
            return kNoNumber;
        if (m_facts.schedule && a.op.value < m_facts.schedule->ops.size())
            return planned(m_facts.schedule->ops[a.op.value].solo);
        const auto at = m_byWork.find({a.cls, a.bytes});
        return at == m_byWork.end() ? kNoNumber : at->second;
    }

private:
    std::uint32_t planned(std::uint32_t solo) const {
        const auto at = m_byNumber.find(solo);
        return at == m_byNumber.end() ? kNoNumber : at->second;
    }
    const Facts& m_facts;
    std::unordered_map<std::uint32_t, std::uint32_t> m_byNumber;
    std::map<std::pair<ActivityClass, std::int64_t>, std::uint32_t> m_byWork; // kNoNumber: several
};

void useSoloRuns(Facts& facts) {
    const SoloFinder finder(facts);
    for (ActivityIndex i = 0; i < facts.trace.size(); ++i) {
        if (!isDeviceClass(facts.trace.cls(i)))
            continue;
        const std::uint32_t s = finder.find(facts.trace[i]);
        if (s == kNoNumber)
            continue;
        facts.hasSolos = true;
        facts.soloOf[i] = s;
        facts.solo[i] = facts.trace.solos()[s].duration;
        facts.residentBlocks[i] = facts.trace.solos()[s].residentBlocks;
    }
}

void useShortestOfKind(Facts& facts) {
    std::unordered_map<Kind, Ns, KindHash> shortest;
    const auto needsOne = [&facts](ActivityIndex i) {
        return isDeviceClass(facts.trace.cls(i)) && facts.soloOf[i] == kNoNumber;
    };
    for (ActivityIndex i = 0; i < facts.trace.size(); ++i)
        if (needsOne(i)) {
            const Ns length = facts.trace.time(i).length();
            Ns& best = shortest.try_emplace(kindOf(facts.trace, i), length).first->second;
            best = std::min(best, length);
        }
    for (ActivityIndex i = 0; i < facts.trace.size(); ++i)
        if (needsOne(i))
            facts.solo[i] = shortest.at(kindOf(facts.trace, i));
}

} // namespace

void findSoloTimes(Facts& facts) {
    facts.soloOf.assign(facts.trace.size(), kNoNumber);
    facts.solo.assign(facts.trace.size(), 0);
    facts.residentBlocks.assign(facts.trace.size(), 0);
    useSoloRuns(facts);
    useShortestOfKind(facts);
}

Ns timeStampResolution(const Trace& trace) {
    Ns step = 0;
    for (ActivityIndex i = 0; i < trace.size() && step != 1; ++i)
        if (isDeviceClass(trace.cls(i))) {
            const Interval time = trace.time(i);
            step = std::gcd(step, std::gcd(time.begin - trace.deviceSpan().begin, time.length()));
        }
    return std::clamp<Ns>(step, 1, kCoarsestStep);
}

std::uint64_t blocksOf(const Facts& facts, ActivityIndex kernel) {
    if (const KernelGeometry* g = facts.trace.geometry(kernel))
        return g->blocks();
    const std::uint32_t s = facts.soloOf[kernel];
    return s == kNoNumber ? 0 : facts.trace.solos()[s].blocks;
}

bool soloIsTrusted(const Facts& facts, ActivityIndex activity) {
    return facts.soloOf[activity] != kNoNumber || facts.trace.cls(activity) != ActivityClass::Kernel;
}

} // namespace olab
