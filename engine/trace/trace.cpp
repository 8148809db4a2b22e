#include <olab/trace/trace.h>

#include <olab/trace/trace_builder.h>

#include <algorithm>
#include <unordered_set>

namespace olab {
namespace {

template <typename T, typename Allocator>
std::size_t bytesOf(const std::vector<T, Allocator>& v) {
    return v.capacity() * sizeof(T);
}

std::size_t heapOf(const std::string& s) {
    return s.capacity() > std::string().capacity() ? s.capacity() + 1 : 0;
}

// Codes for a record that was read and refused; the others are mostly about records never seen.
bool isRefusal(const Defect& d) {
    return d.code <= DefectCode::UnknownKind;
}

} // namespace

std::string_view rankAlignmentName(RankAlignment a) {
    switch (a) {
    case RankAlignment::Unaligned:
        return "none";
    case RankAlignment::Reference:
        return "reference";
    case RankAlignment::Clocks:
        return "clocks";
    case RankAlignment::Collectives:
        return "collectives";
    }
    return "invalid";
}

std::span<const KernelGeometry> Trace::geometries() const {
    return m_geometry;
}

std::span<const DeviceRecord> Trace::devices() const {
    return m_devices;
}

std::span<const ProcessRecord> Trace::processes() const {
    return m_processes;
}

std::span<const RankRecord> Trace::ranks() const {
    return m_ranks;
}

std::string Trace::rankText(std::uint32_t rank) const {
    const auto known = std::ranges::find(m_ranks, rank, &RankRecord::rank);
    return known != m_ranks.end() && !known->name.empty() ? known->name
                                                          : "recording " + std::to_string(rank + 1);
}

std::string Trace::deviceText(std::uint8_t device) const {
    const DeviceRecord& record = m_devices[device];
    const std::string gpu = "GPU " + (record.device == kNoNumber ? "?" : std::to_string(record.device));
    return record.rank == kNoNumber ? gpu : rankText(record.rank) + " · " + gpu;
}

std::span<const SoloRecord> Trace::solos() const {
    return m_solos;
}

std::span<const WindowRecord> Trace::windows() const {
    return m_windows;
}

bool Trace::hasTracedWindow() const {
    return std::ranges::any_of(m_windows, &WindowRecord::traced);
}

std::span<const Defect> Trace::defects() const {
    return m_defects;
}

std::string Trace::queueText(const Queue& queue) const {
    const std::string kind = queue.kind == Queue::Kind::Stream ? "stream" : "thread";
    const std::string name =
        queue.number == kNoNumber ? "unknown " + kind : kind + " " + queueNumberText(queue);
    return name + processText(queue);
}

std::string Trace::queueNumberText(const Queue& queue) const {
    const std::string number = std::to_string(queue.number);
    const bool isLarge = queue.kind == Queue::Kind::Stream && queue.number >= kLargeIds;
    const auto id = isLarge ? m_environment.find(std::string(kStreamIdKey) + number) : m_environment.end();
    return id != m_environment.end() ? id->second : number;
}

std::string Trace::processText(const Queue& queue) const {
    if (!m_severalProcesses)
        return {};
    const auto process = std::ranges::find(m_processes, queue.process, &ProcessRecord::process);
    const bool known = process != m_processes.end() && process->pid != kNoNumber;
    const std::string text = "process " + std::to_string(known ? process->pid : queue.process);
    if (process == m_processes.end() || process->rank == kNoNumber)
        return " of " + text;
    const bool several = std::ranges::count(m_processes, process->rank, &ProcessRecord::rank) > 1;
    return " of " + rankText(process->rank) + (several ? ", " + text : "");
}

std::size_t Trace::memoryBytes() const {
    std::size_t bytes = sizeof(*this);
    bytes += m_begin.memoryBytes() + m_length.memoryBytes() + m_kind.memoryBytes() + m_queue.memoryBytes() +
             m_correlation.memoryBytes() + m_op.memoryBytes() + bytesOf(m_cls) + bytesOf(m_kinds) +
             bytesOf(m_geometry) + bytesOf(m_strings) + bytesOf(m_devices) + bytesOf(m_processes) +
             bytesOf(m_ranks) + bytesOf(m_queues) + bytesOf(m_channels) + bytesOf(m_streamCalls) +
             bytesOf(m_solos) + bytesOf(m_windows) + bytesOf(m_defects);
    for (const std::string& s : m_strings)
        bytes += heapOf(s);
    for (const DeviceRecord& d : m_devices)
        bytes += heapOf(d.name) + heapOf(d.uuid);
    for (const ProcessRecord& p : m_processes)
        bytes += heapOf(p.name);
    for (const RankRecord& r : m_ranks)
        bytes += heapOf(r.name) + heapOf(r.file) + heapOf(r.leftOut);
    for (const Defect& d : m_defects)
        bytes += heapOf(d.detail);
    for (const auto& [key, value] : m_environment)
        bytes += sizeof(key) + sizeof(value) + heapOf(key) + heapOf(value) + 4 * sizeof(void*);
    return bytes;
}

ActivityRecord Trace::record(ActivityIndex i, std::span<const TextId> names) const {
    const Activity a = (*this)[i];
    const Queue& q = queue(a.queue);
    ActivityRecord r;
    r.cls = a.cls, r.begin = a.begin, r.end = a.end, r.bytes = a.bytes;
    r.correlation = a.correlation, r.op = a.op, r.flags = a.flags;
    r.source = a.source, r.target = a.target;
    r.name = names[a.name.value];
    r.process = q.process;
    if (q.kind == Queue::Kind::HostThread) {
        r.thread = q.number;
        return r;
    }
    r.device = m_devices[a.device].device, r.context = q.context, r.stream = q.number;
    if (a.channel != kNoChannel)
        r.channel = m_channels[a.channel.value].number, r.channelType = m_channels[a.channel.value].type;
    if (const KernelGeometry* g = geometry(i))
        r.geometry = *g;
    return r;
}

std::vector<RefusedRecord> Trace::refusals() const {
    // A defect does not keep which of its records were read before they were refused; only the sum does.
    // Assigning that sum to the refusals first, then to any, gives a builder the same counts and the same
    // defects.
    std::vector<RefusedRecord> records;
    std::uint64_t refused = m_counts.refused;
    for (const bool refusals : {true, false})
        for (const Defect& d : m_defects) {
            if (isRefusal(d) != refusals)
                continue;
            const std::uint64_t wasRead = std::min(refused, d.count);
            refused -= wasRead;
            if (wasRead > 0)
                records.push_back({d.code, wasRead, d.classes, d.detail, true});
            if (d.count > wasRead)
                records.push_back({d.code, d.count - wasRead, d.classes, d.detail, false});
        }
    return records;
}

void Trace::replay(RecordSink& sink) const {
    sink.add(m_provenance);
    for (const RankRecord& r : m_ranks)
        sink.add(r);
    for (const ProcessRecord& p : m_processes)
        sink.add(p);
    for (const auto& [key, value] : m_environment)
        sink.add(EnvironmentRecord{key, value});
    for (const DeviceRecord& d : m_devices)
        sink.add(d);
    for (const Queue& q : m_queues)
        if (q.kind == Queue::Kind::Stream && (q.streamKind != StreamKind::Unknown || q.priority != 0))
            sink.add(StreamRecord{q.context, q.number, q.streamKind, q.priority, q.process});
    for (const SoloRecord& s : m_solos)
        sink.add(s);
    for (const WindowRecord& w : m_windows)
        sink.add(w);
    std::vector<TextId> names;
    for (const std::string& text : m_strings)
        names.push_back(sink.intern(text));
    for (ActivityIndex i = 0; i < size(); ++i)
        sink.add(record(i, names));
    replayStreamCalls(sink);
    for (const RefusedRecord& r : refusals())
        sink.add(r);
}

namespace {

/// Passes on the records of the slice.
class SliceFilter final : public ForwardingSink {
public:
    SliceFilter(RecordSink& target, Interval range, Ns since)
        : ForwardingSink(target)
        , m_range(range)
        , m_since(since) {}
    using ForwardingSink::add;
    void add(const ActivityRecord& r) override {
        const bool isAhead = r.cls == ActivityClass::Api && r.begin >= m_since && r.begin < m_range.begin;
        if (!isAhead && !touches({r.begin, r.end}, m_range))
            return;
        if (r.cls == ActivityClass::Api && r.correlation != 0)
            m_calls.insert(r.correlation);
        target().add(r);
    }
    void add(const StreamCallRecord& r) override { // a trace delivers them after its activities
        if (m_calls.contains(r.correlation))
            target().add(r);
    }
    void add(const WindowRecord&) override {}

private:
    Interval m_range;
    Ns m_since;                                ///< calls before the range are included from this time on
    std::unordered_set<std::uint32_t> m_calls; ///< correlations
};

} // namespace

Trace sliceOf(const Trace& trace, Interval range) {
    return sliceOf(trace, range, range.begin);
}

Trace sliceOf(const Trace& trace, Interval range, Ns since) {
    TraceBuilder builder;
    SliceFilter filter(builder, range, since);
    trace.replay(filter);
    return builder.finish();
}

} // namespace olab
