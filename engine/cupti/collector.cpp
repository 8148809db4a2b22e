#include <olab/cupti/collector.h>

#include "api.h"
#include "check_cupti.h"
#include "graph_nodes.h"
#include "kinds.h"
#include "op_log.h"
#include "other_tools.h"

#include <olab/cupti/raw_buffers.h>
#include <olab/trace/error.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace olab {
using namespace cupti;
namespace {

// CUPTI's callbacks carry no user data: the one capture of the process is found here.
std::atomic<BufferPool*> g_pool{nullptr};

void CUPTIAPI bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) {
    *buffer = reinterpret_cast<std::uint8_t*>(g_pool.load()->request());
    *size = BufferPool::kBufferBytes;
    *maxRecords = 0; // as many as fit
}

void CUPTIAPI bufferCompleted(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                              std::size_t valid) {
    g_pool.load()->complete(reinterpret_cast<std::byte*>(buffer), valid);
}

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

/// Some tools take records in their own way, which CUPTI does not see; the capture would be empty or theirs.
void refuseOtherTools() {
    if (const std::string tools = otherTools(api().file); !tools.empty())
        throwBusy(tools);
}

void checkLibrary() {
    checkVersion();
    checkStrides();
}

// Records need no subscriber; subscribing finds another tool that would spoil them, and names it.
CUpti_SubscriberHandle subscribe(GraphNodes& nodes) {
    char other[CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN] = {};
    CUpti_SubscriberParams params{};
    params.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    params.subscriberName = "Overlap Lab";
    params.oldSubscriberName = other;
    params.oldSubscriberSize = sizeof other;
    CUpti_SubscriberHandle subscriber = nullptr;
    const CUptiResult result = api().cuptiSubscribe_v2(&subscriber, GraphNodes::onCallback, &nodes, &params);
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
        throwBusy(other[0] ? other : "one that does not give its name");
    checkCupti(result, "subscribe");
    return subscriber;
}

void enableKinds() {
    for (const KindRow& row : kindsTable())
        if (!row.onRequest)
            checkCupti(api().cuptiActivityEnable(row.kind), std::string("enable ") + row.name + " records");
}

/// NVTX hands its calls to the library that this variable names: without it there are no such records, and
/// nothing is asked of CUPTI that was not asked before.
void enableRanges() {
    if (const char* const library = std::getenv("NVTX_INJECTION64_PATH"); library && *library)
        checkCupti(api().cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MARKER), "enable NVTX marker records");
}

} // namespace

namespace {

/// Devices and contexts are recorded once per process, runs are many: remembers them for the next.
class FactMemory {
public:
    void passTo(RecordSink& out) const {
        for (const DeviceRecord& device : m_devices)
            out.add(device);
        for (const ContextRecord& context : m_contexts)
            out.add(context);
    }
    void keep(const DeviceRecord& r) { m_devices.push_back(r); }
    void keep(const ContextRecord& r) { m_contexts.push_back(r); }

private:
    std::vector<DeviceRecord> m_devices;
    std::vector<ContextRecord> m_contexts;
};

class RememberingSink final : public ForwardingSink {
public:
    RememberingSink(RecordSink& target, FactMemory& memory)
        : ForwardingSink(target)
        , m_memory(memory) {}
    using ForwardingSink::add;
    void add(const DeviceRecord& r) override {
        m_memory.keep(r);
        target().add(r);
    }
    void add(const ContextRecord& r) override {
        m_memory.keep(r);
        target().add(r);
    }

private:
    FactMemory& m_memory;
};

/// How ops are found again in the records. Both, while it is not known yet whether times do.
enum class Match : std::uint8_t { Tags, Both, Times };

/// Of warm-up: passes facts on, and keeps what shows whether times tell the op of each call.
class WarmUpSink final : public RecordSink {
public:
    explicit WarmUpSink(RecordSink& facts)
        : m_facts(facts) {}
    bool hasTags() const { return !m_tags.empty(); } // else there was no warm-up
    bool timesHold(const OpLog& log) const { return timesAgree(m_calls, m_tags, log); }
    TextId intern(std::string_view) override { return {}; }
    void add(const DeviceRecord& r) override { m_facts.add(r); }
    void add(const ContextRecord& r) override { m_facts.add(r); }
    void add(const StreamRecord& r) override { m_facts.add(r); }
    void add(const ActivityRecord& r) override {
        if (r.cls == ActivityClass::Api)
            m_calls.push_back({r.thread, r.correlation, {r.begin, r.end}});
    }
    void add(const CorrelationRecord& r) override { m_tags[r.correlation] = r.op; }
    void add(const ProcessRecord&) override {}
    void add(const ClockRecord&) override {}
    void add(const SoloRecord&) override {}
    void add(const WindowRecord&) override {}
    void add(const EnvironmentRecord&) override {}
    void add(const ProvenanceRecord&) override {}
    void add(const RefusedRecord&) override {}

private:
    RecordSink& m_facts;
    std::vector<RecordedCall> m_calls;
    std::map<std::uint32_t, OpId> m_tags;
};

/// Passes everything on, and says behind each call whose it was.
class TimedSink final : public ForwardingSink {
public:
    TimedSink(RecordSink& target, const OpLog& log)
        : ForwardingSink(target)
        , m_log(log) {}
    using ForwardingSink::add;
    void add(const ActivityRecord& r) override {
        target().add(r);
        if (r.cls != ActivityClass::Api)
            return;
        if (const OpId op = m_log.opOf(r.thread, {r.begin, r.end}); op != kNoOp)
            target().add(CorrelationRecord{r.correlation, op});
    }

private:
    const OpLog& m_log;
};

} // namespace

struct Collector::State {
    BufferPool pool;
    FactMemory facts;
    std::optional<RawBufferFile> raw;
    RawBufferFile* rawFile() { return raw ? &*raw : nullptr; }
    std::uint64_t discardedSoFar = 0;
    GraphNodes nodes;
    CUpti_SubscriberHandle subscriber = nullptr;
    OpLog log;
    Match match = Match::Both;
    bool driverCalls = false;
    OpOfNode opOfNode() {
        return [this](std::uint64_t node) { return nodes.opOf(node); };
    }
};

Collector::Collector(CollectorConfig config)
    : m_state(std::make_unique<State>()) {
    if (!config.rawCuptiFile.empty()) {
        m_state->raw.emplace(config.rawCuptiFile);
        m_state->match = Match::Tags; // raw records must tell by themselves
    }
    checkLibrary();
    refuseOtherTools();
    BufferPool* none = nullptr;
    if (!g_pool.compare_exchange_strong(none, &m_state->pool))
        throw Error(ErrorKind::Internal, "second-collector", "A process can have one CUPTI capture only.");
    try {
        startCapture();
    } catch (...) {
        (void)m_state.release(); // CUPTI may know of the pool already
        throw;
    }
}

void Collector::startCapture() {
    m_state->subscriber = subscribe(m_state->nodes);
    checkCupti(api().cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM), "use system thread ids");
    checkCupti(api().cuptiActivityRegisterCallbacks(bufferRequested, bufferCompleted),
               "register its buffer callbacks");
    enableKinds();
    enableRanges();
}

// Never finalized: CUPTI may still call back while the process ends, so the pool is leaked on purpose.
Collector::~Collector() {
    (void)m_state.release();
}

std::uint32_t Collector::version() const {
    std::uint32_t version = 0;
    api().cuptiGetVersion(&version);
    return version;
}

void Collector::pushOp(OpId op) {
    if (m_state->match != Match::Times)
        api().cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, op.value);
    if (m_state->match != Match::Tags)
        m_state->log.begin(op);
}

void Collector::popOp() {
    if (m_state->match != Match::Tags)
        m_state->log.end();
    if (m_state->match == Match::Times)
        return;
    std::uint64_t last = 0;
    api().cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last);
}

void Collector::tagNode(CUgraphNode_st* node, OpId op) {
    m_state->nodes.follow(m_state->subscriber);
    m_state->nodes.tag(node, op);
}

void Collector::recordDriverCalls(bool on) {
    if (m_state->driverCalls == on)
        return;
    const auto change = on ? api().cuptiActivityEnable : api().cuptiActivityDisable;
    checkCupti(change(CUPTI_ACTIVITY_KIND_DRIVER), "record calls of the driver API");
    m_state->driverCalls = on;
}

namespace {

void takeBuffers(BufferPool& pool, RawBufferFile* raw, Decoder& decoder, DecodeMode mode) {
    checkCupti(api().cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "flush its buffers");
    std::vector<ActivityBuffer> buffers = pool.takeFilled();
    for (ActivityBuffer& buffer : buffers) {
        const std::span<std::byte> valid(buffer.data.get(), buffer.valid);
        if (raw)
            raw->append(valid, mode);
        decoder.decode(valid, mode);
    }
    decoder.finish();
    pool.recycle(std::move(buffers));
}

std::uint64_t droppedRecords() {
    std::size_t dropped = 0;
    checkCupti(api().cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped), "count its dropped records");
    return dropped;
}

} // namespace

void Collector::discard(RecordSink& out) {
    m_state->nodes.clear();
    m_state->facts.passTo(out);
    RememberingSink facts(out, m_state->facts);
    WarmUpSink sink(facts);
    Decoder decoder(sink);
    const bool isTrial = m_state->match == Match::Both;
    takeBuffers(m_state->pool, m_state->rawFile(), decoder,
                isTrial ? DecodeMode::Everything : DecodeMode::Facts);
    if (isTrial && sink.hasTags())
        m_state->match = sink.timesHold(m_state->log) ? Match::Times : Match::Tags;
    m_state->log.clear();
    droppedRecords(); // the count starts again: what warm-up dropped does not matter
    m_state->discardedSoFar = m_state->pool.discardedBuffers();
}

void Collector::drain(RecordSink& out, KeepRaw keep) {
    TimedSink timed(out, m_state->log);
    RecordSink& sink = m_state->match == Match::Times ? timed : out;
    Decoder decoder(sink, liveText, m_state->opOfNode());
    takeBuffers(m_state->pool, keep == KeepRaw::Yes ? m_state->rawFile() : nullptr, decoder,
                DecodeMode::Everything);
    m_state->log.clear();
    if (const std::uint64_t dropped = droppedRecords())
        out.add(RefusedRecord{DefectCode::DroppedRecords, dropped, kAllClasses, {}, false});
    const std::uint64_t discarded = m_state->pool.discardedBuffers() - m_state->discardedSoFar;
    m_state->discardedSoFar += discarded;
    if (discarded)
        out.add(RefusedRecord{DefectCode::BufferCap, discarded, kAllClasses, {}, false});
}

CuptiProbe probeCupti() {
    CuptiProbe probe;
    try {
        checkLibrary();
        checkCupti(api().cuptiGetVersion(&probe.version), "tell its version");
        probe.file = api().file;
        refuseOtherTools();
    } catch (const Error& error) {
        probe.why = std::string(error.what()) + " " + error.hint();
    }
    return probe;
}

} // namespace olab
