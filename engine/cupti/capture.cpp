#include "capture.h"

#include "api.h"
#include "decode_state.h"
#include "op_log.h"
#include "other_client.h"
#include "other_tools.h"

#include <olab/trace/error.h>

#include <cstdlib>

namespace olab::cupti {

void GraphNodes::follow(CUpti_SubscriberHandle subscriber) {
    if (m_following)
        return;
    checkCupti(api().cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                                         CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED),
               "follow the nodes of graphs");
    m_following = true;
}

void GraphNodes::tag(CUgraphNode node, OpId op) {
    std::uint64_t id = 0;
    checkCupti(api().cuptiGetGraphNodeId(node, &id), "tell a graph node's number");
    const std::lock_guard lock(m_mutex);
    m_ops[id] = op;
}

// The numbers are queried before the lock is taken: it is never held across a CUPTI call.
void GraphNodes::cloned(CUgraphNode node, CUgraphNode original) {
    std::uint64_t to = 0, from = 0;
    if (api().cuptiGetGraphNodeId(node, &to) != CUPTI_SUCCESS ||
        api().cuptiGetGraphNodeId(original, &from) != CUPTI_SUCCESS)
        return; // its activities will have no op
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_ops.find(from); found != m_ops.end())
        m_ops.emplace(to, found->second);
}

OpId GraphNodes::opOf(std::uint64_t node) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_ops.find(node);
    return found == m_ops.end() ? kNoOp : found->second;
}

void GraphNodes::clear() {
    const std::lock_guard lock(m_mutex);
    m_ops.clear();
}

void GraphNodes::onClone(const CUpti_ResourceData& resource) noexcept {
    if (!m_owner.isThis())
        return;
    const auto* graph = static_cast<const CUpti_GraphData*>(resource.resourceDescriptor);
    try {
        cloned(graph->node, graph->originalNode);
    } catch (...) { // no memory for another node: its activities will have no op
    }
}

namespace {

constexpr std::uint32_t kMostDevices = 64;

/// Configures the byte counters of a device, in both directions; false: no such device or counters.
bool countBytes(std::uint32_t device) {
    CUpti_ActivityUnifiedMemoryCounterConfig both[2] = {};
    for (CUpti_ActivityUnifiedMemoryCounterConfig& counter : both) {
        counter.scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE;
        counter.deviceId = device;
        counter.enable = 1;
    }
    both[0].kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD;
    both[1].kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH;
    return api().cuptiActivityConfigureUnifiedMemoryCounter(both, 2) == CUPTI_SUCCESS;
}

/// False: no device has any.
bool setUpCounters() {
    std::uint32_t device = 0;
    while (device < kMostDevices && countBytes(device))
        ++device;
    return device > 0;
}

} // namespace

void ManagedMemory::follow(CUpti_SubscriberHandle subscriber) {
    if (api().cuptiActivityConfigureUnifiedMemoryCounter)
        api().cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API,
                                  CUPTI_DRIVER_TRACE_CBID_cuMemAllocManaged);
    if (m_isKnown) // CUPTI was removed since
        m_hasCounters = setUpCounters();
}

// At its end: the counters need an initialized driver.
void ManagedMemory::onCall(const CUpti_CallbackData& call) noexcept {
    if (call.callbackSite != CUPTI_API_EXIT || !m_owner.isThis() || m_isKnown.exchange(true))
        return;
    m_hasCounters = setUpCounters();
    if (m_on)
        enable();
}

void ManagedMemory::record(bool on) noexcept {
    m_on = on;
    if (on)
        enable();
}

/// Another thread may have turned it off meanwhile.
void ManagedMemory::enable() noexcept {
    if (!m_hasCounters)
        return;
    api().cuptiActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
    if (!m_on)
        api().cuptiActivityDisable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
}

namespace {

constexpr std::size_t kDeviceBuffers = 10;
constexpr std::uint32_t kOldestVersion =
    130001; // earlier ones miss synchronisation records and can deadlock on disable

void checkVersion() {
    std::uint32_t version = 0;
    checkCupti(api().cuptiGetVersion(&version), "tell its version");
    if (version < kOldestVersion)
        throw Error(ErrorKind::NoDevice, "wrong-cupti",
                    api().file + " is version " + std::to_string(version) + ".",
                    "Use CUPTI of CUDA 13.0 Update 1 (130001) or later: set OLAB_CUPTI to it.");
}

void checkStrides() {
    std::string names;
    for (const std::string& name : strideSelfTest())
        names += (names.empty() ? "" : ", ") + name;
    if (!names.empty())
        throw Error(ErrorKind::NoDevice, "wrong-cupti",
                    api().file + " lays out these records differently: " + names + ".",
                    "Build with the headers of this CUPTI, or set OLAB_CUPTI to the one of the toolkit this "
                    "was built with.");
}

[[noreturn]] void throwBusy(const std::string& tools) {
    throw Error(ErrorKind::NoDevice, "cupti-busy",
                "Another tool watches CUDA in this process: " + tools + ".",
                "Start Overlap Lab without that profiler or debugger, or run with trace=off.");
}

void enableKinds(bool facts, bool serialKernels) {
    for (const KindRow& row : kindsTable()) {
        const bool serial = serialKernels && row.kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
        if (!row.onRequest && row.fact == facts)
            checkCupti(api().cuptiActivityEnable(serial ? CUPTI_ACTIVITY_KIND_KERNEL : row.kind),
                       std::string("enable ") + row.name + " records");
    }
}

/// NVTX passes its calls to the library named in this variable: without it there are no such records, and
/// they are not requested from CUPTI.
void enableRanges() {
    if (const char* const library = std::getenv("NVTX_INJECTION64_PATH"); library && *library)
        checkCupti(api().cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MARKER), "enable NVTX marker records");
}

/// Tells CUPTI that our buffers are all zero. Otherwise it clears each in the thread that needs it, which
/// costs the program 0.4 ms. If it cannot be told, it clears them once more.
void promiseClearBuffers(bool promise) {
    std::uint8_t are = promise ? 1 : 0;
    std::size_t size = sizeof are;
    if (api().cuptiActivitySetAttribute)
        api().cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &are);
}

/// Makes CUPTI allocate its device buffers in advance. When they are full it allocates another one in a
/// thread of the program: each holds some 100 000 operations, and three are not enough for a quarter of a
/// second of small graphs. 3.2 MB each; only for contexts created from now on.
void allocateDeviceBuffersBefore() {
    std::size_t buffers = kDeviceBuffers, size = sizeof buffers;
    if (api().cuptiActivitySetAttribute)
        api().cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_DEVICE_BUFFER_PRE_ALLOCATE_VALUE, &size,
                                        &buffers);
}

bool isMark(CUpti_CallbackId id) {
    return id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart || id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStop;
}

void CUPTIAPI onCallback(void* data, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* about) {
    auto& targets = *static_cast<CallbackTargets*>(data);
    if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED)
        targets.nodes.onClone(*static_cast<const CUpti_ResourceData*>(about));
    else if (domain == CUPTI_CB_DOMAIN_DRIVER_API && id == CUPTI_DRIVER_TRACE_CBID_cuMemAllocManaged)
        targets.managed.onCall(*static_cast<const CUpti_CallbackData*>(about));
    else if (domain == CUPTI_CB_DOMAIN_DRIVER_API && isMark(id))
        targets.part.onDriverCall(id, *static_cast<const CUpti_CallbackData*>(about));
    else if (domain == CUPTI_CB_DOMAIN_NVTX)
        targets.part.onRange(id, *static_cast<const CUpti_NvtxData*>(about));
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API || domain == CUPTI_CB_DOMAIN_RUNTIME_API)
        targets.detach.onCall(domain, id, *static_cast<const CUpti_CallbackData*>(about));
}

} // namespace

void refuseOtherTools(HostProgram host) {
    if (const std::string tools = otherTools(api().file, host); !tools.empty())
        throwBusy(tools);
}

void checkLibrary(HostProgram host) {
    api(host);
    checkVersion();
    checkStrides();
}

namespace {

/// `other`: the client that is already subscribed.
CUptiResult subscribeAs(CUpti_SubscriberHandle& subscriber, CallbackTargets& targets,
                        char (&other)[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN]) {
    CUpti_SubscriberParams params{};
    params.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    params.subscriberName = "Overlap Lab";
    params.oldSubscriberName = other;
    params.oldSubscriberSize = sizeof other;
    return api().cuptiSubscribe_v2(&subscriber, onCallback, &targets, &params);
}

} // namespace

CUpti_SubscriberHandle subscribe(CallbackTargets& targets) {
    char other[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN] = {};
    CUpti_SubscriberHandle subscriber = nullptr;
    const CUptiResult result = subscribeAs(subscriber, targets, other);
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
        throwBusy(other[0] ? other : "one that does not give its name");
    checkCupti(result, "subscribe");
    return subscriber;
}

CUpti_SubscriberHandle subscribeBesides(CallbackTargets& targets) {
    char other[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN] = {};
    CUpti_SubscriberHandle subscriber = nullptr;
    const CUptiResult result = subscribeAs(subscriber, targets, other);
    if (result != CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
        checkCupti(result, "subscribe");
        return subscriber;
    }
    if (!watchOtherClient())
        throwBusy(other[0] ? other : "one that does not give its name");
    if (!otherClientIsThere()) // nobody records before buffer functions are registered
        noteEarlierClient("a tool that began before",
                          api().cuptiActivityFlushAll(0) != CUPTI_ERROR_INVALID_OPERATION);
    return nullptr;
}

void enableFacts(CUpti_BuffersCallbackRequestFunc requested, CUpti_BuffersCallbackCompleteFunc completed) {
    checkCupti(api().cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM), "use system thread ids");
    promiseClearBuffers(true);
    allocateDeviceBuffersBefore();
    checkCupti(api().cuptiActivityRegisterCallbacks(requested, completed), "register its buffer callbacks");
    enableKinds(true, false);
}

void enableWork(bool tags, bool serialKernels) {
    enableKinds(false, serialKernels);
    if (tags)
        checkCupti(api().cuptiActivityEnable(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION),
                   "enable external correlation records");
    enableRanges();
}

bool disableWork() noexcept {
    bool done = true;
    for (const KindRow& row : kindsTable()) {
        const bool mayBeOff = row.onRequest; // not all of these were enabled
        if (!row.fact)
            done &= api().cuptiActivityDisable(row.kind) == CUPTI_SUCCESS || mayBeOff;
    }
    return done;
}

void useOurClock() noexcept {
    if (api().cuptiActivityRegisterTimestampCallback)
        api().cuptiActivityRegisterTimestampCallback(
            []() -> std::uint64_t { return static_cast<std::uint64_t>(OpLog::now()); });
}

void disableFacts() noexcept {
    for (const KindRow& row : kindsTable())
        if (row.fact)
            api().cuptiActivityDisable(row.kind);
}

void giveBack(CUpti_SubscriberHandle subscriber) noexcept {
    disableFacts();
    api().cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_DEFAULT);
    promiseClearBuffers(false);
    if (const auto clock = otherClock())
        api().cuptiActivityRegisterTimestampCallback(clock);
    if (subscriber && api().cuptiUnsubscribe)
        api().cuptiUnsubscribe(subscriber);
}

void flushBuffers(bool forced) {
    checkCupti(api().cuptiActivityFlushAll(forced ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0),
               "flush its buffers");
}

std::uint64_t takeDroppedRecords() {
    std::size_t dropped = 0;
    checkCupti(api().cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped), "count its dropped records");
    return dropped;
}

} // namespace olab::cupti
