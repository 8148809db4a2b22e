// Chrome trace JSON as PyTorch's profiler writes it: for Perfetto, chrome://tracing, speedscope and the
// tools made for Kineto. Read again it gives the same numbers and the same defects.
#include "event_lanes.h"
#include "text_blocks.h"

#include <olab/io/formats.h>
#include <olab/trace/visible_text.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace olab::io {
namespace exported {
namespace {

constexpr std::uint64_t kLaneStep = 10'000'000;       // between the rows of a stream that needs several
constexpr std::uint64_t kUnknownPids = 1'000'000'000; // of processes without a number
constexpr Ns kFirst = 1000;                           // of the first event: a time of 0 means none

std::string jsonText(std::string_view text) {
    std::string out = "\"";
    for (const char c : validUtf8(text)) {
        const auto byte = static_cast<unsigned char>(c);
        constexpr char kHex[] = "0123456789abcdef";
        if (c == '"' || c == '\\')
            out += '\\';
        if (byte < 0x20)
            out += std::string("\\u00") + kHex[byte >> 4] + kHex[byte & 15];
        else
            out += c;
    }
    return out + '"';
}

/// Microseconds with three decimals.
std::string micros(Ns time) {
    const std::string rest = std::to_string(time % 1000);
    return std::to_string(time / 1000) + "." + std::string(3 - rest.size(), '0') + rest;
}

std::string_view memoryText(MemoryKind kind) {
    constexpr std::string_view kNames[] = {"Unknown", "Pageable", "Pinned",        "Device",
                                           "Array",   "Managed",  "Device Static", "Managed Static"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string nameOf(const Trace& trace, const Activity& a) {
    const auto copy = [&a](std::string_view direction) {
        return "Memcpy " + std::string(direction) + " (" + std::string(memoryText(a.source)) + " -> " +
               std::string(memoryText(a.target)) + ")";
    };
    switch (a.cls) {
    case ActivityClass::MemcpyH2D:
        return copy("HtoD");
    case ActivityClass::MemcpyD2H:
        return copy("DtoH");
    case ActivityClass::MemcpyD2D:
        return copy("DtoD");
    case ActivityClass::MemcpyP2P:
        return copy("PtoP");
    case ActivityClass::MemcpyOther:
        return copy("Unknown");
    case ActivityClass::Memset:
        return "Memset (" + std::string(memoryText(a.target)) + ")";
    default:
        return std::string(trace.text(a.name));
    }
}

std::string_view categoryOf(const Trace& trace, const Activity& a) {
    switch (a.cls) {
    case ActivityClass::Kernel:
        return "kernel";
    case ActivityClass::Memset:
        return "gpu_memset";
    case ActivityClass::Api: {
        const std::string_view name = trace.text(a.name);
        return name.starts_with("cu") && !name.starts_with("cuda") ? "cuda_driver" : "cuda_runtime";
    }
    case ActivityClass::Sync:
        return "cuda_sync";
    case ActivityClass::Overhead:
        return "overhead";
    case ActivityClass::Nvtx:
        return "user_annotation";
    case ActivityClass::HostFn:
        return "host_function";
    default:
        return isCopyClass(a.cls) ? "gpu_memcpy" : className(a.cls);
    }
}

/// Subtracted from all times, so that the first is kFirst if possible.
Ns originOf(Interval all) {
    constexpr Ns kLeast = std::numeric_limits<Ns>::min() + kFirst,
                 kMost = std::numeric_limits<Ns>::max() - kFirst;
    return all.begin < kLeast || all.length() > kMost ? all.begin : all.begin - kFirst;
}

/// An unknown number is -1, as in Kineto.
std::string numberText(std::uint32_t number) {
    return number == kNoNumber ? "-1" : std::to_string(number);
}

/// A member of args, with a comma before it unless it is the first.
class Args {
public:
    explicit Args(TextBlocks& out)
        : m_out(out) {}
    void add(std::string_view key, std::string_view value) {
        m_out << (m_any ? ", \"" : "\"") << key << "\": " << value;
        m_any = true;
    }
    void add(std::string_view key, std::integral auto number) { add(key, std::to_string(number)); }

private:
    TextBlocks& m_out;
    bool m_any = false;
};

class KinetoWriter {
public:
    KinetoWriter(const Trace& trace, OutputFile& file, const RunControl& control)
        : m_trace(trace)
        , m_out(file)
        , m_control(control)
        , m_origin(originOf(trace.span()))
        , m_lanes(trace.queues().size()) {}

    void write() {
        writeHead();
        findCalls();
        std::size_t done = 0;
        for (const ActivityIndex i : inNestingOrder(m_trace)) {
            if (++done % 4096 == 0) {
                m_control.throwIfCancelled();
                m_control.report(static_cast<double>(done) / static_cast<double>(m_trace.size()), "writing");
            }
            writeActivity(i);
            m_out.next();
        }
        writeWaits();
        for (const Queue& queue : m_trace.queues())
            writeNames(queue);
        m_out << "\n  ],\n  \"traceName\": \"Overlap Lab\"\n}\n";
        m_out.flush();
    }

private:
    void writeHead();
    void writeDevice(const DeviceRecord& device, bool isFirst);
    void writeDefects();
    void findCalls();
    void writeActivity(ActivityIndex i);
    void writeWork(const Activity& a, ActivityIndex i);
    void writeWaits();
    void writeFlow(char phase, const Activity& a, std::uint64_t pid, std::uint64_t tid);
    void writeNames(const Queue& queue);
    std::uint64_t pidOf(const Queue& queue) const;
    static std::uint64_t tidOf(const Queue& queue) { return queue.number == kNoNumber ? 0 : queue.number; }
    void separate() {
        m_out << (m_any ? ",\n" : "\n");
        m_any = true;
    }

    const Trace& m_trace;
    TextBlocks m_out;
    const RunControl& m_control;
    Ns m_origin;
    EventLanes m_lanes;
    std::vector<std::uint32_t> m_called; ///< correlations of calls with device work, sorted
    bool m_any = false;
};

void KinetoWriter::writeDevice(const DeviceRecord& d, bool isFirst) {
    m_out << (isFirst ? "\n    {" : ",\n    {") << "\"id\": " << numberText(d.device)
          << ", \"name\": " << jsonText(d.name) << ", \"uuid\": " << jsonText(d.uuid)
          << ", \"totalGlobalMem\": " << d.memoryBytes << ", \"computeMajor\": " << d.computeMajor
          << ", \"computeMinor\": " << d.computeMinor
          << ", \"maxThreadsPerMultiprocessor\": " << d.maxThreadsPerSm
          << ", \"regsPerMultiprocessor\": " << d.registersPerSm
          << ", \"sharedMemPerMultiprocessor\": " << d.sharedPerSm << ", \"numSms\": " << d.smCount << "}";
}

/// For our reader: viewers show what they do not know as facts about the trace, or not at all.
void KinetoWriter::writeDefects() {
    std::string_view before = "  \"overlapLabDefects\": [\n    {";
    for (const RefusedRecord& d : m_trace.refusals()) {
        m_out << before << "\"code\": \"" << defectRow(d.code).id << "\", \"count\": " << d.count
              << ", \"countsAsRead\": " << (d.countsAsRead ? "true" : "false")
              << ", \"classes\": " << d.classes << ", \"detail\": " << jsonText(d.detail) << "}";
        before = ",\n    {";
    }
    if (!m_trace.defects().empty())
        m_out << "\n  ],\n";
}

void KinetoWriter::writeHead() {
    m_out << "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [";
    for (const DeviceRecord& device : m_trace.devices())
        if (device.device != kNoNumber)
            writeDevice(device, &device == m_trace.devices().data());
    m_out << "\n  ],\n";
    const auto& environment = m_trace.environment();
    for (const auto& [key, ours] : {std::pair{"cuda_driver_version", "driver"},
                                    {"cuda_runtime_version", "runtime"},
                                    {"cupti_version", "cupti"}})
        if (const auto found = environment.find(ours); found != environment.end())
            m_out << "  \"" << key << "\": " << jsonText(found->second) << ",\n";
    writeDefects();
    m_out << "  \"displayTimeUnit\": \"ns\",\n  \"baseTimeNanoseconds\": " << m_origin
          << ",\n  \"overlapLabOriginNs\": " << m_origin << ",\n  \"traceEvents\": [";
}

void KinetoWriter::findCalls() {
    std::vector<std::uint32_t> calls, work;
    for (ActivityIndex i = 0; i < m_trace.size(); ++i)
        if (const std::uint32_t correlation = m_trace.correlation(i); correlation != 0) {
            if (m_trace.cls(i) == ActivityClass::Api)
                calls.push_back(correlation);
            else if (isDeviceClass(m_trace.cls(i)))
                work.push_back(correlation);
        }
    std::ranges::sort(calls);
    std::ranges::sort(work);
    std::ranges::set_intersection(calls, work, std::back_inserter(m_called));
}

std::uint64_t KinetoWriter::pidOf(const Queue& queue) const {
    if (queue.kind == Queue::Kind::Stream) {
        const std::uint32_t device = m_trace.devices()[queue.device].device;
        return device == kNoNumber ? kUnknownPids - 1 : device;
    }
    for (const ProcessRecord& process : m_trace.processes())
        if (process.process == queue.process && process.pid != kNoNumber)
            return process.pid;
    return kUnknownPids + queue.process;
}

void KinetoWriter::writeActivity(ActivityIndex i) {
    const Activity a = m_trace[i];
    const Queue& queue = m_trace.queue(a.queue);
    const std::uint64_t pid = pidOf(queue);
    const std::uint64_t tid = tidOf(queue) + kLaneStep * m_lanes.laneOf(a.queue, a.time());
    separate();
    m_out << R"(    {"ph": "X", "cat": ")" << categoryOf(m_trace, a)
          << "\", \"name\": " << jsonText(nameOf(m_trace, a)) << ", \"pid\": " << pid << ", \"tid\": " << tid
          << ", \"ts\": " << micros(a.begin - m_origin) << ", \"dur\": " << micros(a.duration())
          << ", \"args\": {";
    writeWork(a, i);
    m_out << "}}";
    if (a.correlation != 0 && std::ranges::binary_search(m_called, a.correlation)) {
        if (a.cls == ActivityClass::Api)
            writeFlow('s', a, pid, tid);
        else if (isDeviceClass(a.cls))
            writeFlow('f', a, pid, tid);
    }
}

void KinetoWriter::writeWork(const Activity& a, ActivityIndex i) {
    Args args(m_out);
    if (a.correlation != 0)
        args.add("correlation", a.correlation);
    if (a.cls == ActivityClass::Sync)
        args.add("cuda_sync_kind", jsonText(m_trace.text(a.name)));
    if (!isDeviceClass(a.cls))
        return;
    const Queue& queue = m_trace.queue(a.queue);
    args.add("device", numberText(m_trace.devices()[a.device].device));
    if (queue.context != kNoNumber)
        args.add("context", queue.context);
    args.add("stream", numberText(queue.number));
    if (queue.priority != 0)
        args.add("priority", queue.priority);
    if (a.bytes != 0)
        args.add("bytes", a.bytes);
    if (a.flags & kFlagUnified)
        args.add("unified memory", 1);
    if (a.channel != kNoChannel) {
        const Channel& channel = m_trace.channels()[a.channel.value];
        args.add("channel", numberText(channel.number));
        args.add("channel type", static_cast<unsigned>(channel.type));
    }
    if (const KernelGeometry* g = m_trace.geometry(i)) {
        const auto list = [](const std::array<std::uint32_t, 3>& v) {
            return "[" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) +
                   "]";
        };
        args.add("registers per thread", g->registersPerThread);
        args.add("shared memory", std::uint64_t{g->staticShared} + g->dynamicShared);
        args.add("grid", list(g->grid));
        args.add("block", list(g->block));
    }
}

/// What streams were made to wait for, as Kineto writes it: on the row of the waiting stream, with the call
/// that recorded the event.
void KinetoWriter::writeWaits() {
    const auto recordKey = [](const StreamCall& call) {
        return std::tuple(call.process, call.event, call.recording);
    };
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, const StreamCall*> records;
    for (const StreamCall& call : m_trace.streamCalls())
        if (call.kind == StreamCallKind::EventRecord && call.recording != 0 && call.api != kNoActivity &&
            call.queue != kNoQueue)
            records.try_emplace(recordKey(call), &call);
    for (const StreamCall& call : m_trace.streamCalls()) {
        if (call.kind != StreamCallKind::StreamWait || call.api == kNoActivity || call.queue == kNoQueue)
            continue;
        const Queue& queue = m_trace.queue(call.queue);
        separate();
        m_out << R"(    {"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": )" << pidOf(queue)
              << ", \"tid\": " << tidOf(queue) << ", \"ts\": " << micros(m_trace[call.api].begin - m_origin)
              << R"(, "dur": 0.000, "args": {)";
        Args args(m_out);
        args.add("cuda_sync_kind", R"("Stream Wait Event")");
        args.add("correlation", m_trace.correlation(call.api));
        args.add("stream", numberText(queue.number));
        if (queue.context != kNoNumber)
            args.add("context", queue.context);
        args.add("wait_on_cuda_event_id", numberText(call.event));
        if (const auto record = records.find(recordKey(call)); record != records.end()) {
            args.add("wait_on_stream", numberText(m_trace.queue(record->second->queue).number));
            args.add("wait_on_cuda_event_record_corr_id", m_trace.correlation(record->second->api));
        }
        m_out << "}}";
    }
}

void KinetoWriter::writeFlow(char phase, const Activity& a, std::uint64_t pid, std::uint64_t tid) {
    separate();
    m_out << R"(    {"ph": ")" << std::string_view(&phase, 1) << "\", \"id\": " << a.correlation
          << ", \"pid\": " << pid << ", \"tid\": " << tid << ", \"ts\": " << micros(a.begin - m_origin)
          << R"(, "cat": "ac2g", "name": "ac2g")" << (phase == 'f' ? R"(, "bp": "e"})" : "}");
}

void KinetoWriter::writeNames(const Queue& queue) {
    const bool isStream = queue.kind == Queue::Kind::Stream;
    std::string process = "host";
    if (isStream)
        process = "GPU " + numberText(m_trace.devices()[queue.device].device) + " " +
                  m_trace.devices()[queue.device].name;
    else
        for (const ProcessRecord& known : m_trace.processes())
            if (known.process == queue.process && !known.name.empty())
                process = known.name;
    const auto put = [&](std::string_view what, const std::string& args) {
        separate();
        m_out << R"(    {"ph": "M", "name": ")" << what << "\", \"pid\": " << pidOf(queue)
              << ", \"tid\": " << tidOf(queue) << ", \"ts\": 0.000, \"args\": {" << args << "}}";
    };
    put("process_name", "\"name\": " + jsonText(process));
    put("process_sort_index", "\"sort_index\": " + std::to_string(isStream ? 5'000'000 + queue.device : 0));
    put("thread_name", "\"name\": " + jsonText(m_trace.queueText(queue)));
    put("thread_sort_index", "\"sort_index\": " + std::to_string(tidOf(queue)));
}

void exportKineto(const std::filesystem::path& path, const RecordingData& data, const RunControl& control) {
    control.throwIfCancelled();
    OutputFile file(path);
    KinetoWriter(data.trace, file, control).write();
    file.commit();
}

} // namespace

namespace kineto {

Exporter row() {
    return {"kineto", "Chrome trace as PyTorch writes it", "*.json", exportKineto, Keeps::Defects};
}

} // namespace kineto

} // namespace exported
} // namespace olab::io
