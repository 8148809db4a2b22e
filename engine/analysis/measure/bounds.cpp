#include "measure/bounds.h"

#include "facts/looks.h"
#include "facts/sentences.h"
#include "facts/sums.h"

#include <cmath>

namespace olab {
namespace {

// Kernels whose residency nobody recorded are taken to share the SMs as much as they did in this trace.
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

/// Of the engines alone: what streams order is a bound of this pipeline only.
Limit limitOf(const Facts& facts, const std::vector<Load>& sums) {
    Limit limit;
    for (std::size_t d = 0; d < sums.size(); ++d) {
        limit.atLeast(sums[d].compute, engineName(EngineKind::Compute));
        for (std::size_t e = 1; e < kEngineCount; ++e)
            limit.atLeast(sums[d].engines[e], engineName(static_cast<EngineKind>(e)));
        if (facts.trace().devices()[d].copyEngines == 1)
            limit.atLeast(sums[d].copies(), "copy engine");
    }
    return limit;
}

bool nothingToOverlap(Ns serial, Ns bound) {
    return bound <= 0 || static_cast<double>(serial) < kNothingToOverlap * static_cast<double>(bound);
}

Bounds addedUp(const std::vector<Load>& sums) {
    Ns serial = 0, oneCopyEngine = 0, twoCopyEngines = 0;
    for (const Load& load : sums) {
        addCapped(serial, load.serial);
        oneCopyEngine = std::max({oneCopyEngine, load.copies(), load.compute});
        twoCopyEngines = std::max({twoCopyEngines, load.compute, *std::ranges::max_element(load.engines)});
    }
    Bounds bounds;
    bounds.serial = serial;
    bounds.oneCopyEngine = oneCopyEngine;
    bounds.twoCopyEngines = twoCopyEngines;
    return bounds;
}

} // namespace

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

// A kernel of half the blocks the device holds at once needs half the device.
void LoadAdder::add(const OpRow& op) {
    const Ns solo = op.work->solo;
    Load& load = m_loads[op.device];
    addCapped(load.serial, solo);
    if (op.cls == ActivityClass::Kernel)
        addCapped(load.compute, std::llround(static_cast<double>(solo) *
                                             op.work->shareOfDevice().value_or(m_sharing[op.device])));
    else if (op.engine == EngineKind::Compute)
        addCapped(load.compute, solo);
    else
        addCapped(load.engines[static_cast<std::size_t>(op.engine)], solo);
}

Ns criticalPath(const Facts& facts, const RunControl& control) {
    const Trace& trace = facts.trace();
    const DeviceWork& work = facts.deviceWork();
    std::vector<Ns> streamEnd(trace.queues().size(), 0);
    std::vector<Ns> chain(facts.hasEvents() ? work.size() : 0, 0); // with its own time
    Ns longest = 0;
    for (std::size_t n = 0; n < work.size(); ++n) { // by begin: what an op waits for comes before it
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

Bounds boundsOf(const Facts& facts, const std::vector<Load>& loads, Ns criticalPath) {
    Bounds bounds;
    bounds.fromSolos = facts.hasSolos();
    if (facts.waits().empty()) { // no device work: sums of nothing would look like the best pipeline there is
        bounds.limiting = "no device work was recorded";
        return bounds;
    }
    bounds = addedUp(loads);
    bounds.fromSolos = facts.hasSolos();
    bounds.criticalPath = criticalPath;
    const Ns serial = *bounds.serial, measured = facts.trace().deviceSpan().length();
    bounds.measured = measured;
    Limit limit = limitOf(facts, loads);
    const bool nothing = nothingToOverlap(serial, limit.time);
    limit.atLeast(criticalPath, "chain");
    bounds.limiting = nothing ? "nothing to overlap" : limit.name;
    // one stream is its own bound: it gains nothing as it is, though its work could overlap in several
    if (!nothingToOverlap(serial, limit.time))
        bounds.efficiency = static_cast<double>(serial - measured) / static_cast<double>(serial - limit.time);
    return bounds;
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
