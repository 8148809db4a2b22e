#include "measure/measure.h"

#include <olab/trace/lanes.h>

#include <algorithm>
#include <set>

namespace olab::analysis {
namespace {

constexpr ClassMask kHostCopies = maskOf(ActivityClass::MemcpyH2D) | maskOf(ActivityClass::MemcpyD2H);
constexpr ClassMask kKernels = maskOf(ActivityClass::Kernel);

constexpr std::size_t indexOf(ActivityClass c) {
    return static_cast<std::size_t>(c);
}
constexpr ActivityClass classAt(std::size_t i) {
    return static_cast<ActivityClass>(i);
}
constexpr EngineKind engineAt(std::size_t i) {
    return static_cast<EngineKind>(i);
}

// As Python prints it: an unknown number is None there.
std::string numberText(std::uint32_t number) {
    return number == kNoNumber ? "None" : std::to_string(number);
}

std::vector<std::string> streamTexts(const Facts& facts, const RowSums& rows, std::uint8_t device,
                                     ActivityClass cls) {
    std::set<std::string> texts; // sorted as text, as the contract has it: "13" before "7"
    for (const Lane& lane : facts.lanes().ofDevice(device)) {
        if (lane.kind != LaneKind::Stream || (rows.classesOfQueue[lane.queue.value] & maskOf(cls)) == 0)
            continue;
        const Queue& queue = facts.trace().queue(lane.queue);
        texts.insert(queue.number == kNoNumber ? numberText(kNoNumber)
                                               : facts.trace().queueNumberText(queue));
    }
    return {texts.begin(), texts.end()};
}

void measureClasses(const Facts& facts, const RowSums& rows, const DeviceFacts& known, DeviceReport& report) {
    for (std::size_t c = 0; c < kDeviceClassCount; ++c) {
        const ClassSums& sums = rows.devices[report.index].classes[c];
        if (sums.count == 0 && classAt(c) == ActivityClass::MemcpyOther)
            continue;
        ClassNumbers numbers;
        numbers.count = sums.count, numbers.sum = sums.sum, numbers.bytes = sums.bytes;
        numbers.zeroDuration = sums.zeroDuration;
        numbers.busy = known.coverage[c].total();
        numbers.concurrent = sums.concurrent.total();
        numbers.streams = streamTexts(facts, rows, report.index, classAt(c));
        report.classes.emplace(classAt(c), std::move(numbers));
    }
}

void measurePairs(const OverlapIndex& overlaps, DeviceReport& report) {
    for (auto a = report.classes.begin(); a != report.classes.end(); ++a)
        for (auto b = std::next(a); b != report.classes.end(); ++b)
            report.pairs[{a->first, b->first}] = overlaps.both(maskOf(a->first), maskOf(b->first));
}

void measureDerived(const DeviceSums& sums, const DeviceFacts& known, DeviceReport& report) {
    DerivedNumbers& d = report.derived;
    d.copyBusy = known.overlaps.any(kCopyClasses);
    d.kernelAndCopy = known.overlaps.both(kKernels, kCopyClasses);
    d.copyHdExclUvmBusy = d.copyHdBusy = known.overlaps.any(kHostCopies);
    d.kernelAndCopyHdExclUvm = d.kernelAndCopyHd = known.overlaps.both(kKernels, kHostCopies);
    if (sums.unified.empty())
        return;
    const IntervalSet explicitCopies = IntervalSet::unionOfSorted(sums.explicitCopies);
    d.copyHdExclUvmBusy = explicitCopies.total();
    d.kernelAndCopyHdExclUvm = overlapLength(known.coverage[indexOf(ActivityClass::Kernel)], explicitCopies);
    d.uvmCount = sums.unified.size();
    d.uvmBusy = IntervalSet::unionOfSorted(sums.unified).total();
}

void measureSpan(const DeviceSums& sums, const OverlapIndex& overlaps, DeviceReport& report) {
    report.first = sums.span.begin, report.last = sums.span.end;
    report.span = report.last - report.first;
    report.busyAny = overlaps.any(kAllClasses);
    report.idle = report.span - report.busyAny;
}

EngineNumbers measureEngine(const Trace& trace, const Lane& lane, const EngineSums& sums) {
    EngineNumbers numbers;
    numbers.count = sums.count;
    numbers.busy = lane.busy.total();
    numbers.concurrent = sums.concurrent.total();
    for (std::size_t c = 0; c < kDeviceClassCount; ++c)
        if ((sums.classes & maskOf(classAt(c))) != 0)
            numbers.byClass.emplace(classAt(c), lane.coverage[c].total());
    std::set<std::uint32_t> seen;
    for (const ChannelId id : lane.channels)
        if (id != kNoChannel && trace.channels()[id.value].number != kNoNumber)
            seen.insert(trace.channels()[id.value].number);
    numbers.channels.assign(seen.begin(), seen.end());
    return numbers;
}

/// If each class is in a single engine, classes share the time that their engines share.
Ns sharedBy(const Lane& a, const Lane& b, const DeviceSums& sums, const OverlapIndex& overlaps) {
    ClassMask seen = 0, twice = 0;
    for (const EngineSums& engine : sums.engines) {
        twice |= seen & engine.classes;
        seen |= engine.classes;
    }
    const auto classesOf = [&](const Lane& lane) {
        return sums.engines[static_cast<std::size_t>(lane.engine)].classes;
    };
    return twice == 0 ? overlaps.both(classesOf(a), classesOf(b)) : overlapLength(a.busy, b.busy);
}

void measureEngines(const Facts& facts, const RowSums& rows, const OverlapIndex& overlaps,
                    DeviceReport& report) {
    const DeviceSums& sums = rows.devices[report.index];
    std::vector<std::pair<EngineKind, const Lane*>> present;
    for (std::size_t e = 1; e < kEngineCount; ++e)
        if (const Lane* lane = facts.lanes().engine(report.index, engineAt(e));
            lane && !lane->activities.empty())
            present.emplace_back(engineAt(e), lane);
    for (std::size_t a = 0; a < present.size(); ++a) {
        const auto& [kind, lane] = present[a];
        report.engines.emplace(
            kind, measureEngine(facts.trace(), *lane, sums.engines[static_cast<std::size_t>(kind)]));
        for (std::size_t b = a + 1; b < present.size(); ++b)
            report.enginePairs[{kind, present[b].first}] =
                sharedBy(*lane, *present[b].second, sums, overlaps);
    }
}

} // namespace

std::array<IntervalSet, kDeviceClassCount> classCoverage(const LaneSet& lanes, std::uint8_t device) {
    std::array<IntervalSet, kDeviceClassCount> coverage;
    for (std::size_t c = 0; c < kDeviceClassCount; ++c)
        coverage[c] = lanes.classCoverage(device, classAt(c));
    return coverage;
}

DeviceReport deviceReportOf(const Facts& facts, std::uint8_t device, const RowSums& rows,
                            const DeviceFacts& known) {
    DeviceReport report;
    report.id = numberText(facts.trace().devices()[device].device);
    report.name = facts.trace().devices()[device].name;
    report.label = facts.trace().deviceText(device);
    report.index = device;
    measureSpan(rows.devices[device], known.overlaps, report);
    measureClasses(facts, rows, known, report);
    measurePairs(known.overlaps, report);
    measureDerived(rows.devices[device], known, report);
    measureEngines(facts, rows, known.overlaps, report);
    return report;
}

Ns medianOf(std::vector<Ns>& values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace olab::analysis
