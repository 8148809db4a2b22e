#include <olab/cupti/collector.h>

#include "api.h"
#include "call_choice.h"
#include "capture.h"
#include "check_cupti.h"
#include "other_client.h"
#include "pump.h"
#include "warm_up.h"
#include <olab/cupti/nvtx_injection.h>
#include <olab/cupti/own_process.h>

#include <olab/cupti/raw_buffers.h>
#include <olab/trace/error.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace olab::cupti {
namespace {

constexpr std::size_t kBuffersReady = 2; // for threads that make their first call
constexpr int kTurnsAfterForced = 2, kTurnsBeforeRest = 2, kTurnsInHurry = 16;
constexpr int kAsksForBuffers = 60;
constexpr std::chrono::milliseconds kBetweenAsks{5};
constexpr std::size_t kShareThatWaits = 4; // of the cap: from then on records are consumed during the run

/// Buffers have one size: with a cap below a few of them, none could ever wait.
std::size_t capOf(const CollectorConfig& config) {
    return std::max(config.memoryCap, kShareThatWaits * BufferPool::kBufferBytes);
}

/// How ops are identified in the records. Both, until it is known whether times suffice.
enum class Match : std::uint8_t { Tags, Both, Times };

// CUPTI's callbacks carry no user data: the one capture of the process is found here.
struct Callbacks {
    OwnProcess owner;
    BufferPool& pool;
    Pump& pump;
    const std::atomic<bool>& yielded;
};
std::atomic<Callbacks*> g_callbacks{nullptr};

void CUPTIAPI bufferRequested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) noexcept {
    Callbacks& c = *g_callbacks.load();
    if (const auto other = c.yielded ? otherRequested() : nullptr)
        return other(buffer, size, maxRecords);
    // A forked child must not touch anything that may have been locked at the fork, and its records are never
    // read.
    void* const memory = c.owner.isThis() ? c.pool.request() : std::calloc(BufferPool::kBufferBytes, 1);
    *buffer = static_cast<std::uint8_t*>(memory);
    *size = memory ? BufferPool::kBufferBytes : 0;
    *maxRecords = 0; // as many as fit
}

/// Each goes to whom it is of, also while the other one records.
void CUPTIAPI bufferCompleted(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size,
                              std::size_t valid) noexcept {
    Callbacks& c = *g_callbacks.load();
    auto* const bytes = reinterpret_cast<std::byte*>(buffer);
    const bool isThis = c.owner.isThis();
    if (isThis && (!bytes || c.pool.owns(bytes)))
        c.pump.noteWaiting(c.pool.complete(bytes, valid));
    else if (const auto other = isThis || c.yielded ? otherCompleted() : nullptr)
        other(context, stream, buffer, size, valid);
    else
        std::free(buffer);
}

} // namespace

struct Collector::State {
    explicit State(const CollectorConfig& config)
        : pool(capOf(config), countRecords)
        , decoder({liveText,
                   [this](std::uint64_t node) {
                       hasGraphs = true;
                       return targets.nodes.opOf(node);
                   }})
        , isForeign(config.host == HostProgram::Foreign)
        , allCalls(config.allCalls)
        , restsWhenOff(config.restsWhenOff && !config.partMarked)
        , switchesDriverCalls(!config.partMarked)
        , marks{config.partMarked, config.partLost, config.partRange}
        , tellYields(config.yields)
        , tellTakenIn(config.takenIn)
        , buffersReady(config.takeInEvery.count() > 0 ? kBuffersReady : 0)
        , pump(pool, {capOf(config) / kShareThatWaits, config.takeInEvery},
               {[this](std::span<std::byte> records) { takeIn(records); }, [this] { flush(); },
                [this] { takenIn(); }}) {}

    OwnProcess owner;
    BufferPool pool;
    FactMemory facts;
    std::optional<RawBufferFile> raw;
    std::uint64_t discardedSoFar = 0;
    CallbackTargets targets;
    CUpti_SubscriberHandle subscriber = nullptr;
    OpLog log;
    Match match = Match::Both;
    bool driverCalls = false;
    // The destination of records.
    RecordSink* followed = nullptr;
    DecodeMode mode = DecodeMode::Everything;
    bool keepRaw = false;
    std::atomic<int> forced{0}; ///< turns in which buffers come that were asked for complete or not
    Decoder decoder;
    const bool isForeign, allCalls, restsWhenOff;
    const bool switchesDriverCalls; ///< while it records; never where calls of CUPTI's may record() at once
    const struct Marks {
        std::function<void(bool)> tell;
        std::function<void(const std::string&)> lost;
        std::string range;
    } marks;
    const std::function<void(const std::string&)> tellYields;
    const std::function<void()> tellTakenIn;
    const std::size_t buffersReady;
    std::string notRecorded;
    // What may be switched while the program runs.
    std::mutex switching;
    std::atomic<bool> present{false}; ///< CUPTI is set up for us
    std::atomic<bool> yielded{false}; ///< another client records
    bool wanted = false;              ///< recording, if nobody else does
    bool recording = false;
    bool wantsDriverCalls = true;
    bool hasGraphs = false;    ///< of the thread that decodes: it launched some while they were recorded
    int turnsUntilRest = 0;    ///< 0: it is not to rest
    std::uint64_t dropped = 0; ///< told to us before CUPTI was given up
    std::string spans;         ///< told only once it was switched; empty: it was never on
    std::string yields, yieldsTo;
    bool marksAreLost = false; ///< not yet told
    bool spansAreNew = false, notRecordedIsNew = false, yieldsAreNew = false;
    std::optional<Ns> driverCallsFrom, driverCallsUntil; ///< not yet told
    Pump pump;                                           ///< last: its thread uses all of the above

    /// By the thread that decodes, now and then.
    void flush() {
        if (isForeign)
            changePresence();
        tellLostMarks();
        if (present)
            flushBuffers(false);
        if (forced > 0)
            --forced;
        decoder.nextTurn();
    }
    void tellLostMarks() {
        std::string name;
        {
            const std::lock_guard lock(switching);
            if (!std::exchange(marksAreLost, false) || !marks.lost)
                return;
            name = otherClientName();
        }
        marks.lost(name);
    }
    void flushAll() noexcept {
        forced = kTurnsAfterForced;
        try {
            flushBuffers(true);
            dropped += takeDroppedRecords();
        } catch (...) { // what it did not give out is lost
        }
    }
    /// With all kinds off: the other client's records must not get into our buffers. What still runs is
    /// waited for, a while; what has ended comes at once.
    void takeBuffersBack() noexcept {
        for (int left = kAsksForBuffers; left > 0; --left) {
            api().cuptiActivityFlushAll(0);
            if (pool.givenOut() == 0)
                break;
            std::this_thread::sleep_for(kBetweenAsks);
        }
        flushAll();
    }
    void takenIn() {
        if (!decoder.turnHasCome())
            pump.hurry(0);
        tellSwitches();
        if (tellTakenIn)
            tellTakenIn();
        pool.keepReady(buffersReady);
    }
    void start(const CollectorConfig& config) {
        if (isForeign)
            decoder.noticeDriverWork([this](bool record) { switchDriverCalls(record); }, true);
        const std::lock_guard lock(switching);
        wanted = !config.asleep;
        if (!appear())
            return noteYield(otherClientName());
        if (config.asleep)
            return;
        begin(config.serialKernels);
        spansAreNew = notRecordedIsNew = false; // the owner can say it from the start
    }
    /// @returns false: another client records
    bool appear() {
        if (present)
            return true;
        if (!targets.detach.cancel())
            subscriber = nullptr; // it went with CUPTI
        if (!subscriber)
            subscriber = isForeign ? subscribeBesides(targets) : subscribe(targets);
        if (isForeign && otherClientRecords())
            return false;
        if (isForeign && (otherClientIsThere() || otherClock()))
            useOurClock();
        enableFacts(bufferRequested, bufferCompleted);
        if (isForeign && !yields.empty())
            (void)takeDroppedRecords(); // the other client's
        present = true;
        if (isForeign && subscriber)
            targets.managed.follow(subscriber);
        if (marks.tell && subscriber)
            targets.part.follow(subscriber, marks.range, marks.tell);
        marksAreLost = marks.tell && !subscriber;
        if (isForeign)
            tellCuptiOfRanges(true);
        return true;
    }
    void begin(bool serialKernels) {
        const Ns now = OpLog::now();
        enableWork(!isForeign, serialKernels);
        targets.managed.record(true);
        recording = true;
        spans += (spans.empty() ? "" : " ") + std::to_string(now) + "-";
        spansAreNew = true;
        chooseCalls();
    }
    void end() {
        const Ns now = OpLog::now();
        targets.managed.record(false);
        if (!disableWork())
            throw Error(ErrorKind::NoDevice, "cupti-failed", "CUPTI could not stop recording.",
                        "Record the program from its start to its end.");
        recording = false;
        spans += std::to_string(now);
        spansAreNew = true;
    }
    /// At first those of the driver are recorded too: a short program that works by them loses none.
    void chooseCalls() {
        if (!isForeign)
            return;
        if (!allCalls && notRecorded.empty()) {
            notRecorded = leaveOutQuestions();
            notRecordedIsNew = !notRecorded.empty();
        } else if (!allCalls)
            (void)leaveOutQuestions();
        if (!wantsDriverCalls || !recordDriverWork(true))
            return;
        driverCallsFrom = OpLog::now();
        pump.hurry(kTurnsInHurry); // each call costs twice until it is known whether they are needed
    }
    /// By the thread that decodes.
    void switchDriverCalls(bool record) {
        if (!switchesDriverCalls)
            return;
        const std::lock_guard lock(switching);
        const Ns now = OpLog::now();
        wantsDriverCalls = record;
        if (recording && recordDriverWork(record))
            (record ? driverCallsFrom : driverCallsUntil) = now;
    }
    void switchAll(bool on) {
        const std::lock_guard lock(switching);
        wanted = on;
        turnsUntilRest = 0;
        if (yielded || recording == on)
            return;
        if (on && !appear())
            return noteYield(otherClientName());
        on ? begin(false) : end();
        turnsUntilRest = restsWhenOff && !on ? kTurnsBeforeRest : 0;
    }
    /// On the thread of another client that begins: when this returns, CUPTI is as if we had never been
    /// there.
    void yieldTo(const std::string& name) noexcept {
        try {
            const std::lock_guard lock(switching);
            const bool isThere = targets.detach.cancel();
            tellCuptiOfRanges(false); // the other client may finalize it
            if (recording)
                end();
            if (present)
                disableFacts(), takeBuffersBack();
            if (isThere && (present || subscriber))
                giveBack(subscriber);
            present = false, subscriber = nullptr;
            if (!yielded)
                noteYield(name);
        } catch (...) { // CUPTI refused: it will refuse the other client as well
        }
    }
    void noteYield(const std::string& name) {
        yielded = true;
        yields += (yields.empty() ? "" : "; ") + std::to_string(OpLog::now()) + "-";
        yieldsTo = name;
        if (tellYields)
            tellYields(name);
    }
    /// By the thread that decodes: takes over again, or rests.
    void changePresence() {
        const std::lock_guard lock(switching);
        if (yielded && !otherClientRecords())
            resume();
        if (turnsUntilRest > 0 && --turnsUntilRest == 0)
            rest();
    }
    void resume() {
        yielded = false;
        yields += std::to_string(OpLog::now()) + " " + yieldsTo;
        yieldsAreNew = true;
        if (tellYields)
            tellYields({});
        if (!wanted && restsWhenOff)
            return;
        if (!appear())
            noteYield(otherClientName());
        else if (wanted && !marksAreLost) // else nobody would say when the part ends
            begin(false);
    }
    void rest() {
        if (!present || yielded || hasGraphs || otherClientIsThere())
            return;
        tellCuptiOfRanges(false);
        disableFacts();
        flushAll();
        present = !targets.detach.arm(subscriber);
        if (present)
            enableFacts(bufferRequested, bufferCompleted), tellCuptiOfRanges(true);
    }
    /// The sink gets nothing before this turn's delivery, which may fail.
    void tellSwitches() {
        std::vector<EnvironmentRecord> news;
        const auto tell = [&news](std::string_view key, std::string value) {
            news.push_back({std::string(key), std::move(value)});
        };
        {
            const std::lock_guard lock(switching);
            if (std::exchange(notRecordedIsNew, false))
                tell(kNotRecordedKey, notRecorded);
            if (std::exchange(spansAreNew, false))
                tell(kRecordedSpansKey, spans);
            if (std::exchange(yieldsAreNew, false))
                tell(kYieldedKey, yields);
            if (const std::optional<Ns> from = std::exchange(driverCallsFrom, std::nullopt))
                tell(kDriverCallsFromKey, std::to_string(*from));
            if (const std::optional<Ns> until = std::exchange(driverCallsUntil, std::nullopt))
                tell(kDriverCallsUntilKey, std::to_string(*until));
        }
        for (const EnvironmentRecord& record : news)
            followed->add(record);
    }
    void takeIn(std::span<std::byte> records) {
        if (isForeign)
            decoder.leaveOutUnfinished(forced > 0);
        if (raw && keepRaw)
            raw->append(records, mode);
        decoder.decode(records, mode);
    }
    void open(RecordSink& out, DecodeMode which, bool keep) {
        followed = &out;
        mode = which;
        keepRaw = keep;
        decoder.open(out, match == Match::Times
                              ? [this](std::uint32_t thread, Interval call) { return log.opOf(thread, call); }
                              : OpOfCall());
        pump.start();
    }
    void stop() noexcept {
        if (!followed || !owner.isThis())
            return;
        pump.stop();
        decoder.abandon();
        followed = nullptr;
    }
    /// Delivers everything; afterwards nothing goes to the sink any more, even if this throws.
    void takeInRest() {
        struct Stop {
            State& state;
            ~Stop() { state.stop(); }
        } const stops{*this};
        forced = kTurnsAfterForced;
        if (present)
            flushBuffers(true);
        pump.finish();
        decoder.close();
        followed = nullptr;
    }
};

Collector::Collector(CollectorConfig config) {
    checkLibrary(config.host);
    refuseOtherTools(config.host);
    m_state = std::make_unique<State>(config);
    if (!config.rawCuptiFile.empty()) {
        m_state->raw.emplace(config.rawCuptiFile);
        m_state->match = Match::Tags; // raw records must contain the ops themselves
    }
    auto callbacks = std::make_unique<Callbacks>(
        Callbacks{m_state->owner, m_state->pool, m_state->pump, m_state->yielded});
    Callbacks* none = nullptr;
    if (!g_callbacks.compare_exchange_strong(none, callbacks.get()))
        throw Error(ErrorKind::Internal, "second-collector", "A process can have one CUPTI capture only.");
    (void)callbacks.release();
    try {
        if (m_state->isForeign && watchOtherClient())
            followOtherClient({[state = m_state.get()](const std::string& name) { state->yieldTo(name); },
                               bufferRequested, bufferCompleted});
        m_state->start(config);
    } catch (...) {
        m_state->pump.end();
        m_state->pool.close();
        (void)m_state.release(); // CUPTI may know of the pool already
        throw;
    }
}

// Never finalized: CUPTI may still call back while the process ends, so what it calls is leaked on purpose.
Collector::~Collector() {
    if (m_state->owner.isThis()) {
        m_state->pump.end();
        m_state->pool.close();
        m_state->raw.reset();
    }
    (void)m_state.release();
}

const std::string& Collector::notRecorded() const {
    return m_state->notRecorded;
}

bool Collector::record(bool on) noexcept {
    if (!m_state->owner.isThis())
        return false;
    try {
        m_state->switchAll(on);
        return true;
    } catch (...) { // of CUPTI, or no memory for what is noted
        return false;
    }
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
    m_state->targets.nodes.follow(m_state->subscriber);
    m_state->targets.nodes.tag(node, op);
}

StreamNumbers Collector::numbersOf(CUctx_st* context, CUstream_st* stream) const {
    StreamNumbers numbers;
    const bool known = m_state->owner.isThis() &&
                       api().cuptiGetContextId(context, &numbers.context) == CUPTI_SUCCESS &&
                       api().cuptiGetStreamIdEx(nullptr, stream, 0, &numbers.stream) == CUPTI_SUCCESS;
    return known ? numbers : StreamNumbers{};
}

void Collector::recordDriverCalls(bool on) {
    if (m_state->driverCalls == on)
        return;
    const auto change = on ? api().cuptiActivityEnable : api().cuptiActivityDisable;
    checkCupti(change(CUPTI_ACTIVITY_KIND_DRIVER), "record calls of the driver API");
    m_state->driverCalls = on;
}

// --- records

void Collector::discard(RecordSink& out) {
    State& s = *m_state;
    if (!s.owner.isThis())
        return;
    s.stop();
    s.targets.nodes.clear();
    s.facts.passTo(out);
    RememberingSink facts(out, s.facts);
    WarmUpSink sink(facts);
    const bool isTrial = s.match == Match::Both;
    s.open(sink, isTrial ? DecodeMode::Everything : DecodeMode::Facts, true);
    s.takeInRest();
    if (isTrial && sink.hasTags())
        s.match = sink.timesHold(s.log) ? Match::Times : Match::Tags;
    s.log.clear();
    takeDroppedRecords(); // resets the count: records dropped in warm-up do not matter
    s.discardedSoFar = s.pool.discardedRecords();
}

Collector::Following::Following(Collector& collector, RecordSink& out, KeepRaw keep)
    : m_collector(collector) {
    m_collector.follow(out, keep);
}

Collector::Following::~Following() {
    m_collector.m_state->stop();
}

void Collector::follow(RecordSink& out, KeepRaw keep) {
    if (m_state->owner.isThis())
        m_state->open(out, DecodeMode::Everything, keep == KeepRaw::Yes);
}

void Collector::drain(RecordSink& out, KeepRaw keep) {
    State& s = *m_state;
    if (!s.owner.isThis())
        return;
    if (s.followed != &out) {
        s.stop();
        follow(out, keep);
    }
    s.takeInRest();
    s.log.clear();
    tellLosses(out);
}

void Collector::tellLosses(RecordSink& out) {
    State& s = *m_state;
    s.dropped += s.present ? takeDroppedRecords() : 0;
    if (const std::uint64_t dropped = std::exchange(s.dropped, 0))
        out.add(RefusedRecord{DefectCode::DroppedRecords, dropped, kAllClasses, {}, false});
    const std::uint64_t discarded = s.pool.discardedRecords() - s.discardedSoFar;
    s.discardedSoFar += discarded;
    if (discarded)
        out.add(RefusedRecord{DefectCode::BufferCap, discarded, kAllClasses, {}, false});
}

void expectCollector() noexcept {
    (void)watchOtherClient();
}

CuptiProbe probeCupti() {
    CuptiProbe probe;
    try {
        checkLibrary(HostProgram::Ours);
        checkCupti(api().cuptiGetVersion(&probe.version), "tell its version");
        probe.file = api().file;
        refuseOtherTools(HostProgram::Ours);
    } catch (const Error& error) {
        probe.why = std::string(error.what()) + " " + error.hint();
    }
    return probe;
}

} // namespace olab::cupti
