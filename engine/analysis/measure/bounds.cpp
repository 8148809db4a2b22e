#include "measure/bounds.h"

#include "facts/looks.h"
#include "facts/sentences.h"
#include "facts/sums.h"

#include <olab/analysis/ideal.h>
#include <olab/trace/lanes.h>

#include <algorithm>
#include <cmath>

namespace olab::analysis {
namespace {

constexpr std::string_view kNothing = "nothing to overlap", kOneCopyEngine = "copy engine", kChain = "chain";

// Kernels with unrecorded residency are assumed to share the SMs as much as in this trace.
double observedSharing(const DeviceReport& device) {
    const ClassNumbers& k = device.classes.at(ActivityClass::Kernel);
    return k.sum > 0 ? static_cast<double>(k.busy) / static_cast<double>(k.sum) : 1;
}

struct Limit {
    Ns time = 0;
    std::string name;
    void atLeast(Ns other, std::string_view otherName) {
        if (other > time) {
            time = other;
            name = otherName;
        }
    }
};

/// From the engines only: the order of streams is a bound of this pipeline only.
Limit limitOf(const Facts& facts, const std::vector<Load>& sums) {
    Limit limit;
    for (std::size_t d = 0; d < sums.size(); ++d) {
        limit.atLeast(sums[d].compute, engineName(EngineKind::Compute));
        for (std::size_t e = 1; e < kEngineCount; ++e)
            limit.atLeast(sums[d].engines[e], engineName(static_cast<EngineKind>(e)));
        if (facts.trace().devices()[d].copyEngines == 1)
            limit.atLeast(sums[d].copies(), kOneCopyEngine);
    }
    return limit;
}

/// No engine needs longer than it was busy: it did the work in that time.
std::vector<Load> asDone(const Facts& facts, std::vector<Load> loads) {
    for (const DeviceReport& device : facts.devices())
        for (const auto& [engine, numbers] : device.engines) {
            Load& load = loads[device.index];
            Ns& needed =
                engine == EngineKind::Compute ? load.compute : load.engines[static_cast<std::size_t>(engine)];
            needed = std::min(needed, numbers.busy);
        }
    return loads;
}

bool savesLittle(Ns serial, Ns bound) {
    return bound <= 0 || static_cast<double>(serial) < kNothingToOverlap * static_cast<double>(bound);
}

bool anyOverlapped(const Facts& facts) {
    return std::ranges::any_of(facts.devices(), [](const DeviceReport& device) {
        return std::ranges::any_of(device.pairs, [](const auto& pair) { return pair.second > 0; });
    });
}

/// The serial work of one unit took that long, whatever the solo runs say.
Ns busiestUnit(const Facts& facts) {
    Ns busiest = 0;
    for (const Lane& lane : facts.lanes().lanes())
        if (lane.kind == LaneKind::Stream || lane.kind == LaneKind::Engine)
            busiest = std::max(busiest, lane.busy.total());
    return busiest;
}

Ns serialOf(const Facts& facts, const std::vector<Load>& loads) {
    Ns serial = 0;
    for (const Load& load : loads)
        addCapped(serial, load.serial);
    return std::max(serial, busiestUnit(facts));
}

IdealNeeds needsOf(const Facts& facts, const std::vector<Load>& loads, Ns chain) {
    IdealNeeds needs;
    for (const Load& load : loads) {
        needs.oneCopyEngine = std::max({needs.oneCopyEngine, load.copies(), load.compute});
        needs.twoCopyEngines =
            std::max({needs.twoCopyEngines, load.compute, *std::ranges::max_element(load.engines)});
    }
    Limit limit = limitOf(facts, loads);
    limit.atLeast(chain, kChain);
    needs.chain = chain;
    needs.limiting = limit.name;
    return needs;
}

std::optional<double> efficiencyOf(Ns serial, Ns measured, Ns ideal) {
    if (savesLittle(serial, ideal))
        return std::nullopt;
    return static_cast<double>(serial - measured) / static_cast<double>(serial - ideal);
}

/// From solo runs: above 1 they do not fit this run.
std::optional<double> claimedEfficiency(const Facts& facts, const Bounds& bounds,
                                        const std::vector<Load>& loads, Ns chain) {
    return efficiencyOf(*bounds.serial, *bounds.measured, std::max(limitOf(facts, loads).time, chain));
}

void atMost(std::optional<Ns>& time, Ns most) {
    time = std::min(time.value_or(most), most);
}

} // namespace

std::optional<Ns> Bounds::limit() const {
    return limiting == kChain ? criticalPath : limiting == kOneCopyEngine ? oneCopyEngine : twoCopyEngines;
}

Ns Load::copies() const {
    Ns sum = 0;
    for (const Ns e : engines)
        addCapped(sum, e);
    return sum;
}

void Load::add(const Load& part) {
    addCapped(serial, part.serial);
    addCapped(compute, part.compute);
    for (std::size_t e = 0; e < kEngineCount; ++e)
        addCapped(engines[e], part.engines[e]);
}

LoadAdder::LoadAdder(const Facts& facts)
    : m_loads(facts.perDevice().size())
    , m_sharing(facts.perDevice().size(), 1) {
    for (const DeviceReport& device : facts.devices())
        m_sharing[device.index] = observedSharing(device);
}

// A kernel with half of the blocks that the device holds at once needs half the device.
void LoadAdder::add(const OpRow& op, Ns length) {
    Load& load = m_loads[op.device];
    addCapped(load.serial, length);
    if (op.cls == ActivityClass::Kernel)
        addCapped(load.compute, std::llround(static_cast<double>(length) *
                                             op.work->shareOfDevice().value_or(m_sharing[op.device])));
    else if (op.engine == EngineKind::Compute)
        addCapped(load.compute, length);
    else
        addCapped(load.engines[static_cast<std::size_t>(op.engine)], length);
}

Ns criticalPath(const Facts& facts, const RunControl& control) {
    const Trace& trace = facts.trace();
    const DeviceWork& work = facts.deviceWork();
    std::vector<Ns> streamEnd(trace.queues().size(), 0);
    std::vector<Ns> chain(facts.hasEvents() ? work.size() : 0, 0); // including its own time
    Ns longest = 0;
    for (std::size_t n = 0; n < work.size(); ++n) { // by begin: an op comes after its predecessors
        lookAtCancel(n, control);
        const ActivityIndex row = work.row(n);
        Ns& end = streamEnd[trace.queueOf(row).value];
        for (const ActivityIndex before : facts.awaitedEvents(row))
            if (isDeviceClass(trace.cls(before)))
                end = std::max(end, chain[work.numberOf(before)]);
        addCapped(end, facts[facts.workAt(n)].solo);
        if (!chain.empty())
            chain[n] = end;
        longest = std::max(longest, end);
    }
    return longest;
}

Interval runSpanOf(const TraceFacts& facts) {
    for (const WindowRecord& window : facts.trace().windows())
        if (window.traced)
            return {window.begin, window.end};
    Interval run = facts.trace().deviceSpan();
    if (facts.deviceWork().size() > 0)
        if (const ActivityIndex call = facts.apiOf(facts.deviceWork().row(0)); call != kNoActivity)
            run.begin = std::min(run.begin, facts.trace().begin(call));
    return run;
}

Bounds boundsOf(const Facts& facts, const std::vector<Load>& loads, Ns criticalPath) {
    Bounds bounds;
    bounds.fromSolos = facts.hasSolos();
    if (facts.waits().empty()) { // no device work: zero sums would look like the best pipeline possible
        bounds.limiting = "no device work was recorded";
        return bounds;
    }
    bounds.measured = facts.runSpan().length();
    bounds.serial = serialOf(facts, loads);
    const std::vector<Load> done = asDone(facts, loads);
    const IdealNeeds needs = needsOf(facts, done, std::min(criticalPath, *bounds.measured));
    bounds.oneCopyEngine = needs.oneCopyEngine;
    bounds.twoCopyEngines = needs.twoCopyEngines;
    bounds.criticalPath = needs.chain;
    const Ns engines = limitOf(facts, done).time;
    bounds.ideal = std::max(engines, needs.chain);
    bounds.gainsLittle = savesLittle(*bounds.serial, engines);
    bounds.limiting = bounds.gainsLittle && !anyOverlapped(facts) ? kNothing : needs.limiting;
    bounds.efficiency = efficiencyOf(*bounds.serial, *bounds.measured, *bounds.ideal);
    if (const auto claimed = claimedEfficiency(facts, bounds, loads, criticalPath);
        claimed.value_or(0) > kMaxEfficiency)
        bounds.efficiency = claimed;
    return bounds;
}

IdealNeeds idealNeeds(const Facts& facts, std::span<const Ns> lengths, Ns chain) {
    LoadAdder adder(facts);
    for (std::size_t n = 0; n < lengths.size(); ++n)
        adder.add(OpRow::of(facts, n), lengths[n]);
    return needsOf(facts, asDone(facts, adder.loads()), chain);
}

void followIdeal(Bounds& bounds, const Ledger& ledger) {
    if (!ledger.missing.empty() || ledger.measured <= 0 || !bounds.serial)
        return;
    if (ledger.part && ledger.part->bounds) {
        const bool believed = bounds.believed;
        bounds = *ledger.part->bounds;
        bounds.believed = believed;
    }
    const IdealNeeds& needs = ledger.needs;
    bounds.measured = ledger.measured;
    bounds.ideal = ledger.ideal;
    bounds.idealIsEstimate = false;
    bounds.efficiency =
        bounds.believed ? efficiencyOf(*bounds.serial, ledger.measured, ledger.ideal) : std::nullopt;
    if (needs.limiting.empty()) // not determined
        return;
    atMost(bounds.oneCopyEngine, needs.oneCopyEngine);
    atMost(bounds.twoCopyEngines, std::min(needs.twoCopyEngines, ledger.ideal));
    atMost(bounds.criticalPath, std::min(needs.chain, ledger.ideal));
    bounds.gainsLittle = savesLittle(*bounds.serial, *bounds.twoCopyEngines);
    if (bounds.limiting != kNothing || !bounds.gainsLittle)
        bounds.limiting = needs.limiting;
    if (bounds.limiting == kOneCopyEngine)
        atMost(bounds.oneCopyEngine, ledger.ideal);
    const bool isCompute = bounds.gainsLittle || bounds.limiting == engineName(EngineKind::Compute);
    if (ledger.ifIndependent.gain > 0 && isCompute) { // it has room: the limit is its order
        bounds.gainsLittle = false;
        bounds.limiting = kChain;
    }
}

bool isFarFromIdeal(const Bounds& bounds) {
    constexpr double kLonger = 1.25, kGood = 0.8;
    if (bounds.idealIsEstimate)
        return bounds.efficiency.value_or(1) < kGood;
    return bounds.believed && static_cast<double>(bounds.measured.value_or(0)) >
                                  kLonger * static_cast<double>(bounds.ideal.value_or(0));
}

void refuseExceeded(Bounds& bounds, std::vector<Defect>& defects) {
    if (!bounds.efficiency || *bounds.efficiency <= kMaxEfficiency)
        return;
    defects.push_back({DefectCode::BoundExceeded, 1, kAllClasses,
                       "measured " + timeText(bounds.measured.value_or(0)) + ", efficiency " +
                           percentText(*bounds.efficiency)});
    bounds.efficiency.reset();
    bounds.believed = false;
}

} // namespace olab::analysis
