#include "bounds.h"

#include "sentences.h"
#include "solo_times.h"
#include "sums.h"

#include <algorithm>
#include <cmath>

namespace olab {
namespace {

// Solo sums of one device.
struct Load {
    Ns serial = 0, compute = 0;
    std::array<Ns, kEngineCount> engines{}; // copy engines
    Ns copies() const {
        Ns sum = 0;
        for (const Ns e : engines)
            addCapped(sum, e);
        return sum;
    }
};

// Kernels whose residency nobody recorded are taken to share the SMs as much as they did in this trace.
double observedSharing(const Facts& facts, std::uint8_t device) {
    for (const DeviceReport& d : facts.devices)
        if (d.index == device)
            if (const ClassNumbers& k = d.classes.at(ActivityClass::Kernel); k.sum > 0)
                return static_cast<double>(k.busy) / static_cast<double>(k.sum);
    return 1;
}

// A kernel of half the blocks the device holds at once needs half the device.
double shareOfDevice(const Facts& facts, ActivityIndex kernel, double sharing) {
    const std::uint64_t atOnce = facts.residentBlocks[kernel], blocks = blocksOf(facts, kernel);
    if (atOnce == 0 || blocks == 0)
        return sharing;
    return std::min(1.0, static_cast<double>(blocks) / static_cast<double>(atOnce));
}

std::vector<Load> loads(const Facts& facts) {
    std::vector<Load> sums(facts.perDevice.size());
    std::vector<double> sharing;
    for (std::size_t d = 0; d < sums.size(); ++d)
        sharing.push_back(observedSharing(facts, static_cast<std::uint8_t>(d)));
    for (const Wait& w : facts.waits) {
        const Activity a = facts.trace[w.activity];
        const Ns solo = facts.solo[w.activity];
        Load& load = sums[a.device];
        addCapped(load.serial, solo);
        if (a.cls == ActivityClass::Kernel)
            addCapped(load.compute, std::llround(static_cast<double>(solo) *
                                                 shareOfDevice(facts, w.activity, sharing[a.device])));
        else if (a.engine == EngineKind::Compute)
            addCapped(load.compute, solo);
        else
            addCapped(load.engines[static_cast<std::size_t>(a.engine)], solo);
    }
    return sums;
}

// The longest chain of solo durations: each stream in its order, and events between streams. The barriers of
// the NULL stream are not part of it: they are a cause that another kind of stream removes, so the bound must
// not take them for granted. Waits of the host and host functions are left out too, so this is a lower bound.
Ns criticalPath(const Facts& facts) {
    const PlannedNeeds& needs = facts.needs;
    std::vector<Ns> streamEnd(facts.trace.queues().size(), 0);
    std::vector<Ns> chain(needs.empty() ? 0 : facts.trace.size(), 0); // with its own time
    Ns longest = 0;
    for (const Wait& w : facts.waits) { // in the order of begin: what an op waits for comes before it
        const Activity a = facts.trace[w.activity];
        Ns& end = streamEnd[a.queue.value];
        if (a.op.value < needs.events.size())
            for (const ActivityIndex before : needs.events[a.op.value])
                end = std::max(end, chain[before]);
        addCapped(end, facts.solo[w.activity]);
        if (!chain.empty())
            chain[w.activity] = end;
        longest = std::max(longest, end);
    }
    return longest;
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

Limit limitOf(const Facts& facts, const std::vector<Load>& sums, const Bounds& bounds) {
    Limit limit;
    for (std::size_t d = 0; d < sums.size(); ++d) {
        limit.atLeast(sums[d].compute, engineName(EngineKind::Compute));
        for (std::size_t e = 1; e < kEngineCount; ++e)
            limit.atLeast(sums[d].engines[e], engineName(static_cast<EngineKind>(e)));
        if (facts.trace.devices()[d].copyEngines == 1)
            limit.atLeast(sums[d].copies(), "copy engine");
    }
    limit.atLeast(bounds.criticalPath.value_or(0), "chain");
    return limit;
}

bool nothingToOverlap(Ns serial, Ns bound) {
    return bound <= 0 || static_cast<double>(serial) < kNothingToOverlap * static_cast<double>(bound);
}

void addUp(const std::vector<Load>& sums, Facts& facts) {
    Ns serial = 0, oneCopyEngine = 0, twoCopyEngines = 0;
    for (std::size_t d = 0; d < sums.size(); ++d) {
        const Load& load = sums[d];
        facts.perDevice[d].computeLoad = load.compute;
        addCapped(serial, load.serial);
        oneCopyEngine = std::max({oneCopyEngine, load.copies(), load.compute});
        twoCopyEngines = std::max(
            {twoCopyEngines, load.compute, *std::max_element(load.engines.begin(), load.engines.end())});
    }
    facts.bounds.serial = serial;
    facts.bounds.oneCopyEngine = oneCopyEngine;
    facts.bounds.twoCopyEngines = twoCopyEngines;
}

} // namespace

void computeBounds(Facts& facts) {
    Bounds& bounds = facts.bounds;
    bounds.fromSolos = facts.hasSolos;
    if (facts.waits.empty()) { // no device work: sums of nothing would look like the best pipeline there is
        bounds.limiting = "no device work was recorded";
        return;
    }
    const std::vector<Load> sums = loads(facts);
    addUp(sums, facts);
    bounds.criticalPath = criticalPath(facts);
    const Ns serial = *bounds.serial, measured = facts.trace.deviceSpan().length();
    bounds.measured = measured;
    const Limit limit = limitOf(facts, sums, bounds);
    const bool nothing = nothingToOverlap(serial, limit.time);
    bounds.limiting = nothing ? "nothing to overlap" : limit.name;
    if (!nothing)
        bounds.efficiency = static_cast<double>(serial - measured) / static_cast<double>(serial - limit.time);
}

void refuseExceeded(Bounds& bounds, std::vector<Defect>& defects) {
    if (!bounds.efficiency || *bounds.efficiency <= kMaxEfficiency)
        return;
    defects.push_back({DefectCode::BoundExceeded, 1, kAllClasses,
                       "measured " + timeText(bounds.measured.value_or(0)) + ", efficiency " +
                           percentText(*bounds.efficiency)});
    bounds.efficiency.reset();
}

} // namespace olab
