#include "measure.h"
#include "sums.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace olab {
namespace {

constexpr std::array kCopies{ActivityClass::MemcpyH2D, ActivityClass::MemcpyD2H, ActivityClass::MemcpyD2D,
                             ActivityClass::MemcpyP2P, ActivityClass::MemcpyOther};

constexpr std::size_t indexOf(ActivityClass c) {
    return static_cast<std::size_t>(c);
}
constexpr ActivityClass classAt(std::size_t i) {
    return static_cast<ActivityClass>(i);
}
constexpr EngineKind engineAt(std::size_t i) {
    return static_cast<EngineKind>(i);
}

bool isHostCopy(ActivityClass c) {
    return c == ActivityClass::MemcpyH2D || c == ActivityClass::MemcpyD2H;
}

// As Python prints it: a number nobody knows is None there.
std::string numberText(std::uint32_t number) {
    return number == kNoNumber ? "None" : std::to_string(number);
}

void addRow(DeviceRows& rows, const Activity& a, std::size_t queueCount) {
    DeviceRows::Rows& r = rows.classes[indexOf(a.cls)];
    ++r.numbers.count;
    addCapped(r.numbers.sum, a.duration());
    r.numbers.zeroDuration += a.duration() == 0;
    addCapped(r.numbers.bytes, a.bytes);
    r.intervals.push_back(a.time());
    r.queues.resize(queueCount);
    r.queues[a.queue.value] = true;
    if (a.flags & kFlagUnified)
        rows.unified.push_back(a.time());
    else if (isHostCopy(a.cls))
        rows.explicitCopies.push_back(a.time());
}

std::vector<std::string> streamTexts(const Trace& trace, const std::vector<bool>& queues) {
    std::set<std::string> texts; // sorted as text, as the contract has it: "13" before "7"
    for (std::size_t q = 0; q < queues.size(); ++q)
        if (queues[q])
            texts.insert(numberText(trace.queues()[q].number));
    return {texts.begin(), texts.end()};
}

void measureClasses(const Trace& trace, DeviceRows& rows, const ClassCoverage& coverage,
                    DeviceReport& report) {
    for (std::size_t c = 0; c < kDeviceClassCount; ++c) {
        DeviceRows::Rows& r = rows.classes[c];
        if (r.numbers.count == 0 && classAt(c) == ActivityClass::MemcpyOther)
            continue;
        ClassNumbers numbers = r.numbers;
        numbers.busy = coverage[c].total();
        numbers.concurrent = concurrentLength(std::move(r.intervals));
        numbers.streams = streamTexts(trace, r.queues);
        report.classes.emplace(classAt(c), std::move(numbers));
    }
}

void measurePairs(const ClassCoverage& coverage, DeviceReport& report) {
    for (auto a = report.classes.begin(); a != report.classes.end(); ++a)
        for (auto b = std::next(a); b != report.classes.end(); ++b)
            report.pairs[{a->first, b->first}] =
                overlapLength(coverage[indexOf(a->first)], coverage[indexOf(b->first)]);
}

void measureDerived(DeviceRows& rows, const ClassCoverage& coverage, DeviceReport& report) {
    const IntervalSet& kernels = coverage[indexOf(ActivityClass::Kernel)];
    IntervalSet copies;
    for (const ActivityClass c : kCopies)
        copies = copies.united(coverage[indexOf(c)]);
    const IntervalSet hostCopies =
        coverage[indexOf(ActivityClass::MemcpyH2D)].united(coverage[indexOf(ActivityClass::MemcpyD2H)]);
    const IntervalSet explicitCopies = IntervalSet::unionOf(std::move(rows.explicitCopies));
    DerivedNumbers& d = report.derived;
    d.copyBusy = copies.total();
    d.kernelAndCopy = overlapLength(kernels, copies);
    d.copyHdBusy = hostCopies.total();
    d.kernelAndCopyHd = overlapLength(kernels, hostCopies);
    d.copyHdExclUvmBusy = explicitCopies.total();
    d.kernelAndCopyHdExclUvm = overlapLength(kernels, explicitCopies);
    d.uvmCount = rows.unified.size();
    d.uvmBusy = IntervalSet::unionOf(std::move(rows.unified)).total();
}

void measureSpan(const DeviceRows& rows, const ClassCoverage& coverage, DeviceReport& report) {
    bool started = false;
    IntervalSet any;
    for (std::size_t c = 0; c < kDeviceClassCount; ++c) {
        any = any.united(coverage[c]);
        for (const Interval& i : rows.classes[c].intervals) {
            report.first = started ? std::min(report.first, i.begin) : i.begin;
            report.last = started ? std::max(report.last, i.end) : i.end;
            started = true;
        }
    }
    report.span = report.last - report.first;
    report.busyAny = any.total();
    report.idle = report.span - report.busyAny;
}

EngineNumbers measureEngine(const Trace& trace, const Lane& lane) {
    EngineNumbers numbers;
    std::vector<Interval> intervals;
    std::vector<bool> channels(trace.channels().size());
    intervals.reserve(lane.activities.size());
    for (const ActivityIndex i : lane.activities) {
        const Activity a = trace[i];
        intervals.push_back(a.time());
        numbers.byClass.try_emplace(a.cls, lane.coverage[indexOf(a.cls)].total());
        if (a.channel != kNoChannel)
            channels[a.channel.value] = true;
    }
    std::set<std::uint32_t> numbersSeen;
    for (std::size_t c = 0; c < channels.size(); ++c)
        if (channels[c] && trace.channels()[c].number != kNoNumber)
            numbersSeen.insert(trace.channels()[c].number);
    numbers.count = lane.activities.size();
    numbers.busy = lane.busy.total();
    numbers.concurrent = concurrentLength(std::move(intervals));
    numbers.channels.assign(numbersSeen.begin(), numbersSeen.end());
    return numbers;
}

void measureEngines(const Trace& trace, const LaneSet& lanes, std::uint8_t device, DeviceReport& report) {
    std::vector<std::pair<EngineKind, const Lane*>> present;
    for (std::size_t e = 1; e < kEngineCount; ++e)
        if (const Lane* lane = lanes.engine(device, engineAt(e)); lane && !lane->activities.empty())
            present.emplace_back(engineAt(e), lane);
    for (std::size_t a = 0; a < present.size(); ++a) {
        report.engines.emplace(present[a].first, measureEngine(trace, *present[a].second));
        for (std::size_t b = a + 1; b < present.size(); ++b)
            report.enginePairs[{present[a].first, present[b].first}] =
                overlapLength(present[a].second->busy, present[b].second->busy);
    }
}

} // namespace

bool DeviceRows::any() const {
    return std::any_of(classes.begin(), classes.end(), [](const Rows& r) { return r.numbers.count > 0; });
}

std::vector<DeviceRows> gatherRows(const Trace& trace) {
    std::vector<DeviceRows> rows(trace.devices().size());
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (isDeviceClass(trace.cls(i))) {
            const Activity a = trace[i];
            addRow(rows[a.device], a, trace.queues().size());
        }
    return rows;
}

ClassCoverage classCoverage(const LaneSet& lanes, std::uint8_t device) {
    ClassCoverage coverage;
    for (std::size_t c = 0; c < kDeviceClassCount; ++c)
        coverage[c] = lanes.classCoverage(device, classAt(c));
    return coverage;
}

DeviceReport measureDevice(const Trace& trace, const LaneSet& lanes, std::uint8_t device, DeviceRows& rows,
                           const ClassCoverage& coverage) {
    DeviceReport report;
    report.id = numberText(trace.devices()[device].device);
    report.name = trace.devices()[device].name;
    report.index = device;
    measureSpan(rows, coverage, report); // before the classes, which take the intervals away
    measureClasses(trace, rows, coverage, report);
    measurePairs(coverage, report);
    measureDerived(rows, coverage, report);
    measureEngines(trace, lanes, device, report);
    return report;
}

Ns medianOf(std::vector<Ns>& values) {
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

HostNumbers measureHost(const Trace& trace) {
    HostNumbers host;
    std::vector<Interval> callbacks;
    std::map<std::uint32_t, std::vector<Ns>> calls; // by name id
    for (ActivityIndex i = 0; i < trace.size(); ++i) {
        if (trace.cls(i) == ActivityClass::HostFn)
            callbacks.push_back(trace.time(i));
        else if (trace.cls(i) == ActivityClass::Api)
            calls[trace[i].name.value].push_back(trace.time(i).length());
    }
    host.hostFnCount = callbacks.size();
    host.hostFnBusy = IntervalSet::unionOfSorted(callbacks).total();
    for (auto& [name, durations] : calls) {
        HostNumbers::Api& api = host.api[name == 0 ? "(unnamed)" : std::string(trace.text(StringId{name}))];
        api = {durations.size(), medianOf(durations), *std::max_element(durations.begin(), durations.end())};
    }
    return host;
}

} // namespace olab
