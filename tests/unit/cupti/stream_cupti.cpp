// A libcupti that needs neither driver nor device: the functions that a capture calls, and records by the
// million. Calls are numbered from 1 over all threads; the work of a call has its number as correlation.
#include "stream_cupti.h"

#include "stream_clock.h"
#include "stream_tables.h"

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

#include <cupti.h>
#include <generated_nvtx_meta.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <set>
#include <unistd.h>
#include <vector>

using namespace olab::test;

namespace {

struct ThreadBuffer {
    std::mutex mutex;
    std::uint8_t* data = nullptr;
    std::size_t size = 0, used = 0;
    std::uint64_t completeFrom = 0; ///< when all work in it has ended
};

std::atomic<CUpti_BuffersCallbackRequestFunc> g_request{nullptr};
std::atomic<CUpti_BuffersCallbackCompleteFunc> g_complete{nullptr};
std::mutex g_mutex;
// Of all threads that ever made a record; it goes with the process, as what is in it does.
std::vector<ThreadBuffer*>& g_buffers = *new std::vector<ThreadBuffer*>;
std::set<std::uint8_t*> g_seen;
const pid_t g_process = ::getpid();
std::atomic<std::uint64_t> g_produced{0}, g_dropped{0};
std::atomic<CUpti_CallbackFunc> g_callback{nullptr}; ///< of the subscriber
std::atomic<void*> g_callbackData{nullptr};
std::atomic<bool> g_onCalls{false};   ///< it is told of all calls of the runtime
std::atomic<bool> g_onManaged{false}; ///< it is told of allocations of managed memory
std::atomic<std::uint64_t> g_migrations{0}, g_finalized{0};
std::mutex g_followedMutex;
std::set<std::uint32_t> g_followed[3]; ///< calls of the driver, of NVTX, of the runtime
std::atomic<bool> g_hangs{false};
std::atomic<bool> g_kinds[CUPTI_ACTIVITY_KIND_COUNT];
std::atomic<std::uint32_t> g_calls{0};
thread_local std::vector<std::uint64_t> t_tags;

bool follows(int which, std::uint32_t id) {
    const std::lock_guard lock(g_followedMutex);
    return g_followed[which].contains(id);
}

/// The subscriber, if there is one.
void tell(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* about) {
    if (const CUpti_CallbackFunc callback = g_callback)
        callback(g_callbackData, domain, id, about);
}

ThreadBuffer& mine() {
    thread_local ThreadBuffer* buffer = nullptr;
    if (!buffer) {
        buffer = new ThreadBuffer; // outlives its thread: the rest is flushed later
        const std::lock_guard lock(g_mutex);
        g_buffers.push_back(buffer);
    }
    return *buffer;
}

void complete(ThreadBuffer& buffer) {
    if (buffer.data)
        g_complete.load()(nullptr, 0, buffer.data, buffer.size, buffer.used);
    buffer.data = nullptr;
}

bool askFor(ThreadBuffer& buffer) {
    std::size_t records = 0;
    buffer.used = 0;
    g_request.load()(&buffer.data, &buffer.size, &records);
    if (buffer.data && ::getpid() == g_process) { // else somebody may have had the lock when it was forked
        const std::lock_guard lock(g_mutex);
        g_seen.insert(buffer.data);
    }
    return buffer.data != nullptr;
}

template <typename Record>
void put(const Record& record) {
    ThreadBuffer& buffer = mine();
    const std::lock_guard lock(buffer.mutex);
    ++g_produced;
    if (buffer.data && buffer.used + sizeof record > buffer.size)
        complete(buffer);
    if (!buffer.data && !askFor(buffer)) {
        ++g_dropped;
        return;
    }
    std::memcpy(buffer.data + buffer.used, &record, sizeof record);
    buffer.used += sizeof record;
}

template <typename Record>
Record made(CUpti_ActivityKind kind) {
    Record record;
    std::memset(static_cast<void*>(&record), 0, sizeof record);
    record.kind = kind;
    return record;
}

template <typename Record>
void putWork(Record record, std::uint32_t call, const FakeWork& work) {
    const bool badEnd = work.badEnds;
    if (!g_kinds[record.kind])
        return;
    const std::uint64_t time = work.realTimes ? stamp() : 1'000 + 100ull * call;
    record.start = badEnd ? time + 50 : time;
    record.end = work.unfinished ? 0 : badEnd ? time : time + 50;
    record.contextId = 1;
    record.streamId = 7 + call % 4;
    record.correlationId = call;
    record.graphNodeId = work.inGraphs ? 1 : 0;
    put(record);
    ThreadBuffer& buffer = mine();
    const std::lock_guard lock(buffer.mutex);
    buffer.completeFrom = workEnds();
}

/// What CUPTI does not know when it is forced to give a buffer out, or has another clock than before.
void forgetTimes(const ThreadBuffer& buffer) {
    CUpti_Activity* record = nullptr;
    while (cuptiActivityGetNextRecord(buffer.data, buffer.used, &record) == CUPTI_SUCCESS)
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
            reinterpret_cast<CUpti_ActivityKernel10*>(record)->end = 0;
        else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY)
            reinterpret_cast<CUpti_ActivityMemcpy6*>(record)->end = 0;
}

void putTag(std::uint32_t call) {
    if (t_tags.empty())
        return;
    static const auto kTemplate =
        made<CUpti_ActivityExternalCorrelation>(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION);
    auto tag = kTemplate;
    tag.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
    tag.externalId = t_tags.back();
    tag.correlationId = call;
    put(tag);
}

std::atomic<bool> g_recorded[2][1024]; // by API and number

void putCall(bool driver, std::uint32_t cbid, std::uint32_t number, bool realTimes) {
    static const auto kCall = made<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME);
    if (!g_recorded[driver][cbid])
        return;
    auto api = kCall;
    api.kind = driver ? CUPTI_ACTIVITY_KIND_DRIVER : CUPTI_ACTIVITY_KIND_RUNTIME;
    api.cbid = cbid;
    api.start = realTimes ? stamp() : 900 + 100ull * number;
    api.end = realTimes ? stamp() : 950 + 100ull * number;
    api.threadId = static_cast<std::uint32_t>(::gettid());
    api.correlationId = number;
    put(api);
}

void putCalls(const FakeWork& work, std::uint32_t number) {
    if (work.byDriver || work.withinRuntime) // an inner call ends first
        putCall(true, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, number, work.realTimes);
    if (!work.byDriver)
        putCall(false, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, number, work.realTimes);
}

/// The end of a call that is not recorded.
void tellCall() {
    if (!g_onCalls)
        return;
    CUpti_CallbackData data{};
    data.callbackSite = CUPTI_API_EXIT;
    tell(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020, &data);
}

void call(const FakeWork& work) {
    static const auto kKernel = made<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
    static const auto kCopy = made<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
    if (work.asQuestion)
        putCall(false, CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020, ++g_calls, work.realTimes);
    const std::uint32_t number = ++g_calls;
    tellCall();
    putCalls(work, number);
    putTag(number);
    if (number % 2 == 0) {
        auto kernel = kKernel;
        kernel.name = number % 4 == 0 ? "one_kernel" : "another_kernel";
        kernel.gridX = kernel.gridY = kernel.gridZ = kernel.blockX = kernel.blockY = kernel.blockZ = 1;
        putWork(kernel, number, work);
    } else {
        auto copy = kCopy;
        copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
        copy.bytes = 4096;
        putWork(copy, number, work);
    }
}

/// No name: its end.
void putMarker(std::uint32_t id, std::uint64_t time, const char* name) {
    auto marker = made<CUpti_ActivityMarker2>(CUPTI_ACTIVITY_KIND_MARKER);
    marker.flags = name ? CUPTI_ACTIVITY_FLAG_MARKER_START : CUPTI_ACTIVITY_FLAG_MARKER_END;
    marker.id = id;
    marker.timestamp = time;
    marker.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    marker.objectId.pt.threadId = static_cast<std::uint32_t>(::gettid());
    marker.name = name;
    put(marker);
}

// --- what NVTX calls

std::atomic<std::uint32_t> g_ranges{0};
std::atomic<std::uint64_t> g_rangesTold{0};
thread_local std::vector<std::uint32_t> t_ranges; ///< that are open

int rangePushed(const char* name) {
    ++g_rangesTold;
    t_ranges.push_back(++g_ranges);
    if (g_kinds[CUPTI_ACTIVITY_KIND_MARKER])
        putMarker(t_ranges.back(), wallTime(), ::strdup(name)); // it stays, as CUPTI's do
    return static_cast<int>(t_ranges.size()) - 1;
}

int domainRangePushed(nvtxDomainHandle_t, const nvtxEventAttributes_t*) {
    ++g_rangesTold;
    return 0;
}
int rangePopped() {
    ++g_rangesTold;
    if (t_ranges.empty())
        return NVTX_NO_PUSH_POP_TRACKING;
    if (g_kinds[CUPTI_ACTIVITY_KIND_MARKER])
        putMarker(t_ranges.back(), wallTime(), nullptr);
    t_ranges.pop_back();
    return static_cast<int>(t_ranges.size());
}

CUptiResult recordAll(CUpti_ActivityKind kind, bool on) {
    g_kinds[kind == CUPTI_ACTIVITY_KIND_KERNEL ? CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL : kind] = on;
    if (kind == CUPTI_ACTIVITY_KIND_RUNTIME || kind == CUPTI_ACTIVITY_KIND_DRIVER)
        for (std::atomic<bool>& recorded : g_recorded[kind == CUPTI_ACTIVITY_KIND_DRIVER])
            recorded = on;
    return CUPTI_SUCCESS;
}

} // namespace

extern "C" {

// --- what it can be told

void fakeProduce(const FakeWork* work) {
    for (std::uint64_t i = 0; i < work->calls; ++i)
        call(*work);
}
bool fakeRecords(bool driver, std::uint32_t cbid) {
    return g_recorded[driver][cbid];
}
void fakeMarker(std::uint32_t id, std::uint64_t time, bool begins) {
    putMarker(id, time, begins ? "a range" : nullptr);
}
std::uint64_t fakeRangesTold() {
    return g_rangesTold;
}
void fakeUnknown() {
    put(made<CUpti_ActivityName>(CUPTI_ACTIVITY_KIND_NAME));
}
void fakeManagedMemory() {
    CUpti_CallbackData data{};
    if (!g_onManaged)
        return;
    for (const CUpti_ApiCallbackSite site : {CUPTI_API_ENTER, CUPTI_API_EXIT}) {
        data.callbackSite = site;
        tell(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuMemAllocManaged, &data);
    }
}
void fakeProfiler(bool starts) {
    const std::uint32_t id =
        starts ? CUPTI_DRIVER_TRACE_CBID_cuProfilerStart : CUPTI_DRIVER_TRACE_CBID_cuProfilerStop;
    CUpti_CallbackData data{};
    for (const CUpti_ApiCallbackSite site : {CUPTI_API_ENTER, CUPTI_API_EXIT}) {
        data.callbackSite = site;
        if (follows(0, id))
            tell(CUPTI_CB_DOMAIN_DRIVER_API, id, &data);
    }
}
void fakeRangePush(const char* name) {
    const nvtxRangePushA_params params{name};
    const CUpti_NvtxData data{"nvtxRangePushA", &params, nullptr};
    if (follows(1, CUPTI_CBID_NVTX_nvtxRangePushA))
        tell(CUPTI_CB_DOMAIN_NVTX, CUPTI_CBID_NVTX_nvtxRangePushA, &data);
}
void fakeRangePop() {
    const CUpti_NvtxData data{"nvtxRangePop", nullptr, nullptr};
    if (follows(1, CUPTI_CBID_NVTX_nvtxRangePop))
        tell(CUPTI_CB_DOMAIN_NVTX, CUPTI_CBID_NVTX_nvtxRangePop, &data);
}
void fakeRegisteredRange(const char* name, bool begins) {
    auto* const domain = reinterpret_cast<nvtxDomainHandle_t>(0x10);
    auto* const handle = reinterpret_cast<nvtxStringHandle_t>(0x20);
    if (begins) {
        const nvtxDomainRegisterStringA_params registered{domain, name};
        const CUpti_NvtxData about{"nvtxDomainRegisterStringA", &registered, &handle};
        tell(CUPTI_CB_DOMAIN_NVTX, CUPTI_CBID_NVTX_nvtxDomainRegisterStringA, &about);
        nvtxEventAttributes_t attributes{};
        attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
        attributes.message.registered = handle;
        const nvtxDomainRangePushEx_params pushed{domain, {&attributes}};
        const CUpti_NvtxData data{"nvtxDomainRangePushEx", &pushed, nullptr};
        tell(CUPTI_CB_DOMAIN_NVTX, CUPTI_CBID_NVTX_nvtxDomainRangePushEx, &data);
        return;
    }
    const nvtxDomainRangePop_params popped{domain};
    const CUpti_NvtxData data{"nvtxDomainRangePop", &popped, nullptr};
    tell(CUPTI_CB_DOMAIN_NVTX, CUPTI_CBID_NVTX_nvtxDomainRangePop, &data);
}
void fakeDeviceSynchronize() {
    const std::uint32_t id = CUPTI_RUNTIME_TRACE_CBID_cudaDeviceSynchronize_v3020;
    CUpti_CallbackData data{};
    for (const CUpti_ApiCallbackSite site : {CUPTI_API_ENTER, CUPTI_API_EXIT}) {
        data.callbackSite = site;
        if (g_onCalls || follows(2, id))
            tell(CUPTI_CB_DOMAIN_RUNTIME_API, id, &data);
    }
}
void fakeHang() {
    g_hangs = true;
}
bool fakeSubscribed() {
    return g_callback != nullptr;
}
bool fakeRecordsKernels() {
    return g_kinds[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL];
}
bool fakeRecordsKind(std::uint32_t kind) {
    return g_kinds[kind];
}
std::uint64_t fakeFinalized() {
    return g_finalized;
}
std::uint64_t fakeMigrations() {
    return g_migrations;
}
void fakeDrop(std::uint64_t records) {
    g_produced += records;
    g_dropped += records;
}
std::uint64_t fakeProduced() {
    return g_produced;
}
std::uint64_t fakeBuffers() {
    const std::lock_guard lock(g_mutex);
    return g_seen.size();
}

// --- CUPTI

int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t exports) {
    const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(exports(NVTX_ETID_CALLBACKS));
    NvtxFunctionTable table = nullptr;
    if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, nullptr) == 0)
        return 0;
    *table[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(rangePushed);
    *table[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(rangePopped);
    if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, nullptr) == 0)
        return 0;
    *table[NVTX_CBID_CORE2_DomainRangePushEx] = reinterpret_cast<NvtxFunctionPointer>(domainRangePushed);
    return 1;
}
CUptiResult CUPTIAPI cuptiGetVersion(uint32_t* version) {
    *version = 130001;
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiGetResultString(CUptiResult, const char** text) {
    *text = "made up";
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiSubscribe_v2(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback,
                                       void* data, CUpti_SubscriberParams*) {
    if (g_callback)
        return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    g_callbackData = data;
    g_callback = callback;
    *subscriber = reinterpret_cast<CUpti_SubscriberHandle>(&g_callback);
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiSubscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback,
                                    void* data) {
    return cuptiSubscribe_v2(subscriber, callback, data, nullptr);
}
CUptiResult CUPTIAPI cuptiUnsubscribe(CUpti_SubscriberHandle) {
    g_callback = nullptr;
    g_onCalls = g_onManaged = false;
    const std::lock_guard lock(g_followedMutex);
    for (auto& followed : g_followed)
        followed.clear();
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiEnableDomain(uint32_t enable, CUpti_SubscriberHandle, CUpti_CallbackDomain domain) {
    if (domain == CUPTI_CB_DOMAIN_RUNTIME_API)
        g_onCalls = enable != 0;
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiFinalize() {
    for (int kind = 0; kind < CUPTI_ACTIVITY_KIND_COUNT; ++kind)
        recordAll(static_cast<CUpti_ActivityKind>(kind), false);
    ++g_finalized;
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc request,
                                                    CUpti_BuffersCallbackCompleteFunc completed) {
    g_request = request;
    g_complete = completed;
    return CUPTI_SUCCESS;
}
/// As CUPTI 13.0 does: times of work are converted when it is given out.
CUptiResult CUPTIAPI cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc clock) {
    const std::lock_guard lock(g_mutex);
    for (ThreadBuffer* buffer : g_buffers) {
        const std::lock_guard each(buffer->mutex);
        if (buffer->data)
            forgetTimes(*buffer);
    }
    useClock(clock);
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiActivityEnable(CUpti_ActivityKind kind) {
    g_migrations += kind == CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER ? 1 : 0;
    return recordAll(kind, true);
}
CUptiResult CUPTIAPI cuptiActivityDisable(CUpti_ActivityKind kind) {
    return recordAll(kind, false);
}
CUptiResult CUPTIAPI cuptiActivityEnableRuntimeApi(CUpti_CallbackId cbid, uint8_t enable) {
    g_recorded[0][cbid] = enable != 0;
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiActivityEnableDriverApi(CUpti_CallbackId cbid, uint8_t enable) {
    g_recorded[1][cbid] = enable != 0;
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiActivitySetAttribute(CUpti_ActivityAttribute attribute, size_t* size, void* value) {
    return attribute == CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER && *size == 1 &&
                   *static_cast<uint8_t*>(value) == 1
               ? CUPTI_SUCCESS
               : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult CUPTIAPI cuptiActivityFlushAll(uint32_t flags) {
    while (g_hangs && flags != 0)
        ::pause();
    if (!g_complete)
        return CUPTI_ERROR_INVALID_OPERATION;
    std::vector<ThreadBuffer*> buffers;
    {
        const std::lock_guard lock(g_mutex);
        buffers = g_buffers;
    }
    for (ThreadBuffer* buffer : buffers) {
        const std::lock_guard lock(buffer->mutex);
        const bool isComplete = wallTime() >= buffer->completeFrom;
        if (!isComplete && flags == 0)
            continue;
        if (!isComplete && buffer->data)
            forgetTimes(*buffer);
        complete(*buffer);
    }
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiActivityGetNextRecord(uint8_t* buffer, size_t valid, CUpti_Activity** record) {
    uint8_t* at = buffer;
    if (*record)
        at = reinterpret_cast<uint8_t*>(*record) + sizeOf((*record)->kind);
    if (at >= buffer + valid)
        return CUPTI_ERROR_MAX_LIMIT_REACHED;
    auto* const next = reinterpret_cast<CUpti_Activity*>(at);
    if (sizeOf(next->kind) == 0)
        return CUPTI_ERROR_INVALID_KIND;
    *record = next;
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t, size_t* dropped) {
    *dropped = g_dropped.exchange(0);
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiActivityPushExternalCorrelationId(CUpti_ExternalCorrelationKind, uint64_t id) {
    t_tags.push_back(id);
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiActivityPopExternalCorrelationId(CUpti_ExternalCorrelationKind, uint64_t* id) {
    *id = t_tags.back();
    t_tags.pop_back();
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t cbid, const char** name) {
    *name = nameOf(domain == CUPTI_CB_DOMAIN_DRIVER_API, cbid);
    return *name ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult CUPTIAPI
cuptiActivityConfigureUnifiedMemoryCounter(CUpti_ActivityUnifiedMemoryCounterConfig* config, uint32_t) {
    return config->deviceId == 0 ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}
CUptiResult CUPTIAPI cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle, CUpti_CallbackDomain domain,
                                         CUpti_CallbackId id) {
    const int which = domain == CUPTI_CB_DOMAIN_DRIVER_API    ? 0
                      : domain == CUPTI_CB_DOMAIN_NVTX        ? 1
                      : domain == CUPTI_CB_DOMAIN_RUNTIME_API ? 2
                                                              : -1;
    const std::lock_guard lock(g_followedMutex);
    if (which >= 0 && enable != 0)
        g_followed[which].insert(id);
    else if (which >= 0)
        g_followed[which].erase(id);
    if (which == 0 && id == CUPTI_DRIVER_TRACE_CBID_cuMemAllocManaged)
        g_onManaged = true;
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiGetGraphNodeId(CUgraphNode, uint64_t* id) {
    *id = 1;
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiGetContextId(CUcontext, uint32_t* id) {
    *id = 1;
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiGetStreamIdEx(CUcontext, CUstream, uint8_t, uint32_t* id) {
    *id = 7;
    return CUPTI_SUCCESS;
}
CUptiResult CUPTIAPI cuptiSetThreadIdType(CUpti_ActivityThreadIdType) {
    return CUPTI_SUCCESS;
}
}
