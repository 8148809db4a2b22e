#include "decode_state.h"

#include <olab/trace/value_text.h>

#include <array>

namespace olab::cupti {
namespace {

template <typename Struct>
const Struct& as(const CUpti_Activity* record) {
    return *reinterpret_cast<const Struct*>(record);
}

// CUpti_ActivityMemcpyKind; the grouping of the counting contract.
ActivityClass copyClass(std::uint8_t copyKind) {
    switch (copyKind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
        return ActivityClass::MemcpyH2D;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
        return ActivityClass::MemcpyD2H;
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOA:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOA:
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
        return ActivityClass::MemcpyD2D;
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
        return ActivityClass::MemcpyP2P;
    default:
        return ActivityClass::MemcpyOther;
    }
}

/// The fields with the same names in all device work.
template <typename Struct>
ActivityRecord deviceWork(DecodeContext& c, ActivityClass cls, const Struct& r) {
    ActivityRecord a;
    if (r.graphNodeId != 0) // 0: not part of a graph
        a.op = c.sources.opOfNode(r.graphNodeId);
    else if (c.driverWork)
        c.driverWork->noteWork(r.correlationId);
    a.cls = cls;
    a.begin = static_cast<Ns>(r.start);
    a.end = static_cast<Ns>(r.end);
    a.device = r.deviceId;
    a.context = r.contextId;
    a.stream = r.streamId;
    a.correlation = r.correlationId;
    a.channel = r.channelID;
    a.channelType = static_cast<ChannelType>(r.channelType);
    return a;
}

void decodeDevice(DecodeContext& c, const CUpti_Activity* record) {
    const auto& r = as<DeviceStruct>(record);
    DeviceRecord d;
    d.device = r.id;
    d.name = c.sources.text(r.name);
    d.uuid = uuidText(r.uuid.bytes);
    d.smCount = r.numMultiprocessors;
    d.copyEngines = r.numMemcpyEngines;
    d.maxThreadsPerSm = r.maxWarpsPerMultiprocessor * r.numThreadsPerWarp;
    d.maxBlocksPerSm = r.maxBlocksPerMultiprocessor;
    d.registersPerSm = r.maxRegistersPerMultiprocessor;
    d.sharedPerSm = r.maxSharedMemoryPerMultiprocessor;
    d.memoryBytes = r.globalMemorySize;
    d.computeMajor = r.computeCapabilityMajor;
    d.computeMinor = r.computeCapabilityMinor;
    c.out.add(d);
}

void decodeContext(DecodeContext& c, const CUpti_Activity* record) {
    const auto& r = as<ContextStruct>(record);
    c.out.add(ContextRecord{r.contextId, r.deviceId, r.nullStreamId});
}

void decodeStream(DecodeContext& c, const CUpti_Activity* record) {
    const auto& r = as<StreamStruct>(record);
    StreamRecord s;
    s.context = r.contextId;
    s.stream = r.streamId;
    s.priority = static_cast<std::int32_t>(r.priority);
    s.kind = r.flag >= 1 && r.flag <= 3 ? static_cast<StreamKind>(r.flag) : StreamKind::Unknown;
    c.out.add(s);
}

void decodeKernel(DecodeContext& c, const CUpti_Activity* record) {
    const auto& r = as<KernelStruct>(record);
    if (c.unfinished.leavesOut(r.start, r.end))
        return;
    ActivityRecord a = deviceWork(c, ActivityClass::Kernel, r);
    a.name = c.out.intern(c.sources.text(r.name));
    a.flags = kFlagAsync;
    KernelGeometry g;
    g.grid = {static_cast<std::uint32_t>(r.gridX), static_cast<std::uint32_t>(r.gridY),
              static_cast<std::uint32_t>(r.gridZ)};
    g.block = {static_cast<std::uint32_t>(r.blockX), static_cast<std::uint32_t>(r.blockY),
               static_cast<std::uint32_t>(r.blockZ)};
    g.registersPerThread = r.registersPerThread;
    g.staticShared = static_cast<std::uint32_t>(r.staticSharedMemory);
    g.dynamicShared = static_cast<std::uint32_t>(r.dynamicSharedMemory);
    a.geometry = g;
    c.out.add(a);
}

template <typename Struct>
ActivityRecord copyRecord(DecodeContext& c, ActivityClass cls, const Struct& r) {
    ActivityRecord a = deviceWork(c, cls, r);
    a.bytes = static_cast<std::int64_t>(r.bytes);
    a.source = static_cast<MemoryKind>(r.srcKind);
    a.target = static_cast<MemoryKind>(r.dstKind);
    a.flags = (r.flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) ? kFlagAsync : 0;
    return a;
}

void decodeMemcpy(DecodeContext& c, const CUpti_Activity* record) {
    const auto& r = as<MemcpyStruct>(record);
    if (c.unfinished.leavesOut(r.start, r.end))
        return;
    c.out.add(copyRecord(c, copyClass(r.copyKind), r));
}

void decodePeerCopy(DecodeContext& c, const CUpti_Activity* record) {
    const auto& r = as<PeerCopyStruct>(record);
    if (!c.unfinished.leavesOut(r.start, r.end))
        c.out.add(copyRecord(c, ActivityClass::MemcpyP2P, r));
}

void decodeMemset(DecodeContext& c, const CUpti_Activity* record) {
    const auto& r = as<MemsetStruct>(record);
    if (c.unfinished.leavesOut(r.start, r.end))
        return;
    ActivityRecord a = deviceWork(c, ActivityClass::Memset, r);
    a.bytes = static_cast<std::int64_t>(r.bytes);
    a.target = static_cast<MemoryKind>(r.memoryKind);
    a.flags = (r.flags & CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC) ? kFlagAsync : 0;
    c.out.add(a);
}

void decodeApi(DecodeContext& c, const CUpti_Activity* record) {
    const auto& r = as<ApiStruct>(record);
    if (r.start != 0 && c.unfinished.leavesOut(r.start, r.end))
        return;
    if (c.driverWork && r.kind == CUPTI_ACTIVITY_KIND_RUNTIME)
        c.driverWork->noteCall(r.correlationId);
    ActivityRecord a;
    a.cls = ActivityClass::Api;
    a.begin = static_cast<Ns>(r.start);
    a.end = static_cast<Ns>(r.end);
    a.thread = r.threadId;
    a.correlation = r.correlationId;
    a.name = c.callNames.idOf(r.kind == CUPTI_ACTIVITY_KIND_DRIVER, r.cbid, c.out);
    a.flags = r.returnValue != 0 ? kFlagFailed : 0;
    c.out.add(a);
    if (!c.opOfCall)
        return;
    if (const OpId op = c.opOfCall(a.thread, {a.begin, a.end}); op != kNoOp)
        c.out.add(CorrelationRecord{a.correlation, op});
}

const char* syncName(CUpti_ActivitySynchronizationType type) {
    switch (type) {
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE:
        return "event synchronize";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT:
        return "stream wait event";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE:
        return "stream synchronize";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE:
        return "context synchronize";
    default:
        return "synchronization";
    }
}

StreamCallKind callKind(CUpti_ActivitySynchronizationType type) {
    switch (type) {
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE:
        return StreamCallKind::EventSync;
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT:
        return StreamCallKind::StreamWait;
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE:
        return StreamCallKind::StreamSync;
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE:
        return StreamCallKind::DeviceSync;
    default:
        return StreamCallKind::Unknown;
    }
}

/// Which recording of an event; all bits are ones, 32 or 64 of them, if it is meaningless.
std::uint64_t recordingOf(std::uint64_t eventSyncId) {
    const bool known = static_cast<std::uint32_t>(eventSyncId) != CUPTI_SYNCHRONIZATION_INVALID_VALUE;
    return known ? eventSyncId : 0;
}

// The record has no thread; TraceBuilder uses that of the call with the same correlation id.
void decodeSync(DecodeContext& c, const CUpti_Activity* record) {
    const auto& r = as<SyncStruct>(record);
    if (r.start != 0 && c.unfinished.leavesOut(r.start, r.end))
        return;
    ActivityRecord a;
    a.cls = ActivityClass::Sync;
    a.begin = static_cast<Ns>(r.start);
    a.end = static_cast<Ns>(r.end);
    a.correlation = r.correlationId;
    a.name = c.out.intern(syncName(r.type));
    c.out.add(a);
    c.out.add(StreamCallRecord{callKind(r.type), r.correlationId, r.contextId, r.streamId, r.cudaEventId,
                               recordingOf(r.cudaEventSyncId)});
}

// Event records order work; they take no time and are not activities.
void decodeEvent(DecodeContext& c, const CUpti_Activity* record) {
    const auto& r = as<EventStruct>(record);
    c.out.add(StreamCallRecord{StreamCallKind::EventRecord, r.correlationId, r.contextId, r.streamId,
                               r.eventId, recordingOf(r.cudaEventSyncId)});
}

const char* overheadName(CUpti_ActivityOverheadKind kind) {
    switch (kind) {
    case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER:
        return "driver compiler";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH:
        return "CUPTI buffer flush";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION:
        return "CUPTI instrumentation";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE:
        return "CUPTI resource";
    case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
        return "module loading";
    case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING:
        return "lazy function loading";
    case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL:
        return "command buffer full";
    case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST:
        return "activity buffer request";
    default:
        return "overhead";
    }
}

void decodeOverhead(DecodeContext& c, const CUpti_Activity* record) {
    const auto& r = as<OverheadStruct>(record);
    if (r.start != 0 && c.unfinished.leavesOut(r.start, r.end))
        return;
    ActivityRecord a;
    a.cls = ActivityClass::Overhead;
    a.begin = static_cast<Ns>(r.start);
    a.end = static_cast<Ns>(r.end);
    a.correlation = r.correlationId;
    a.name = c.out.intern(overheadName(r.overheadKind));
    if (r.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD)
        a.thread = r.objectId.pt.threadId;
    c.out.add(a);
}

void decodeCorrelation(DecodeContext& c, const CUpti_Activity* record) {
    const auto& r = as<CorrelationStruct>(record);
    if (r.externalKind == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0)
        c.out.add(CorrelationRecord{r.correlationId, OpId{static_cast<std::uint32_t>(r.externalId)}});
}

/// A range consists of two markers with the same id; only the first has the name and the thread.
void decodeMarker(DecodeContext& c, const CUpti_Activity* record) {
    const auto& r = as<MarkerStruct>(record);
    const auto time = static_cast<Ns>(r.timestamp);
    if (r.flags & CUPTI_ACTIVITY_FLAG_MARKER_END) {
        if (const auto begun = c.ranges.begun.extract(r.id)) {
            ActivityRecord a = begun.mapped();
            a.end = time;
            c.out.add(a);
        } else if (!c.ranges.ended.emplace(r.id, time).second)
            ++c.ranges.repeated;
        return;
    }
    ActivityRecord a;
    a.cls = ActivityClass::Nvtx;
    a.begin = a.end = time;
    a.name = c.out.intern(c.sources.text(r.name));
    if (r.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD)
        a.thread = r.objectId.pt.threadId;
    if (!(r.flags & CUPTI_ACTIVITY_FLAG_MARKER_START)) // a mark
        return c.out.add(a);
    if (const auto ended = c.ranges.ended.extract(r.id)) {
        a.end = ended.mapped();
        c.out.add(a);
    } else if (!c.ranges.begun.emplace(r.id, a).second)
        ++c.ranges.repeated;
}

/// The driver moves pages by itself, in no stream; what the program asked for (a prefetch) is asynchronous.
void decodeMigration(DecodeContext& c, const CUpti_Activity* record) {
    const auto& r = as<MigrationStruct>(record);
    if (r.start != 0 && c.unfinished.leavesOut(r.start, r.end))
        return;
    const bool toDevice = r.counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD;
    ActivityRecord a;
    a.cls = toDevice ? ActivityClass::MemcpyH2D : ActivityClass::MemcpyD2H;
    a.begin = static_cast<Ns>(r.start);
    a.end = static_cast<Ns>(r.end);
    a.device = toDevice ? r.dstId : r.srcId;
    a.bytes = static_cast<std::int64_t>(r.value);
    a.source = a.target = MemoryKind::Managed;
    const bool askedFor = r.flags == CUPTI_ACTIVITY_UNIFIED_MEMORY_MIGRATION_CAUSE_USER;
    a.flags = kFlagUnified | (askedFor ? kFlagAsync : 0);
    c.out.add(a);
}

const char* kernelText(const CUpti_Activity* record) {
    return as<KernelStruct>(record).name;
}
const char* deviceText(const CUpti_Activity* record) {
    return as<DeviceStruct>(record).name;
}
const char* markerText(const CUpti_Activity* record) {
    return as<MarkerStruct>(record).name;
}

constexpr ClassMask kCopies =
    kCopyClasses & ~maskOf(ActivityClass::MemcpyP2P); // those have a record of their own

// Sources and sizes: cupti_activity.h of CUDA 13.0. Devices, contexts and streams come first: the other kinds
// refer to them.
const KindRow kTable[] = {
    {CUPTI_ACTIVITY_KIND_DEVICE, "device", sizeof(DeviceStruct), true, kAllClasses, decodeDevice, deviceText},
    {CUPTI_ACTIVITY_KIND_CONTEXT, "context", sizeof(ContextStruct), true, kAllClasses, decodeContext,
     nullptr},
    {CUPTI_ACTIVITY_KIND_STREAM, "stream", sizeof(StreamStruct), true, kAllClasses, decodeStream, nullptr},
    {CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, "external correlation", sizeof(CorrelationStruct), false,
     kAllClasses, decodeCorrelation, nullptr, true},
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "kernel", sizeof(KernelStruct), false,
     maskOf(ActivityClass::Kernel), decodeKernel, kernelText},
    {CUPTI_ACTIVITY_KIND_MEMCPY, "memcpy", sizeof(MemcpyStruct), false, kCopies, decodeMemcpy, nullptr},
    {CUPTI_ACTIVITY_KIND_MEMCPY2, "peer memcpy", sizeof(PeerCopyStruct), false,
     maskOf(ActivityClass::MemcpyP2P), decodePeerCopy, nullptr},
    {CUPTI_ACTIVITY_KIND_MEMSET, "memset", sizeof(MemsetStruct), false, maskOf(ActivityClass::Memset),
     decodeMemset, nullptr},
    {CUPTI_ACTIVITY_KIND_RUNTIME, "runtime API", sizeof(ApiStruct), false, maskOf(ActivityClass::Api),
     decodeApi, nullptr},
    {CUPTI_ACTIVITY_KIND_DRIVER, "driver API", sizeof(ApiStruct), false, maskOf(ActivityClass::Api),
     decodeApi, nullptr, true},
    {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "synchronization", sizeof(SyncStruct), false,
     maskOf(ActivityClass::Sync), decodeSync, nullptr},
    {CUPTI_ACTIVITY_KIND_CUDA_EVENT, "CUDA event", sizeof(EventStruct), false, 0, decodeEvent, nullptr},
    {CUPTI_ACTIVITY_KIND_OVERHEAD, "overhead", sizeof(OverheadStruct), false, maskOf(ActivityClass::Overhead),
     decodeOverhead, nullptr},
    {CUPTI_ACTIVITY_KIND_MARKER, "NVTX marker", sizeof(MarkerStruct), false, maskOf(ActivityClass::Nvtx),
     decodeMarker, markerText, true},
    {CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, "managed memory", sizeof(MigrationStruct), false,
     maskOf(ActivityClass::MemcpyH2D) | maskOf(ActivityClass::MemcpyD2H), decodeMigration, nullptr, true},
};

} // namespace

std::span<const KindRow> kindsTable() {
    return kTable;
}

const KindRow* findKind(CUpti_ActivityKind kind) {
    static const auto rows = [] {
        std::array<const KindRow*, CUPTI_ACTIVITY_KIND_COUNT> byKind{};
        for (const KindRow& row : kTable)
            byKind[static_cast<std::size_t>(row.kind)] = &row;
        // The same record under the kind used by a capture that serialises kernels on purpose.
        byKind[CUPTI_ACTIVITY_KIND_KERNEL] = byKind[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL];
        return byKind;
    }();
    const auto number = static_cast<std::size_t>(kind);
    return number < rows.size() ? rows[number] : nullptr;
}

std::size_t indexOf(const KindRow& row) {
    return static_cast<std::size_t>(&row - kTable);
}

} // namespace olab::cupti
