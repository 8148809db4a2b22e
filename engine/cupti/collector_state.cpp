#include "collector_state.h"

#include "api.h"
#include "call_choice.h"
#include "other_client.h"
#include "other_tools.h"
#include "pump.h"

#include <olab/cupti/nvtx_injection.h>
#include <olab/trace/error.h>

#include <algorithm>
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

} // namespace

Collector::State::State(const CollectorConfig& config)
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

void Collector::State::flush() {
    if (isForeign)
        changePresence();
    tellLostMarks();
    if (present && mayAsk()) // otherwise buffers arrive when full, and at the end
        flushBuffers(false);
    if (forced > 0)
        --forced;
    decoder.nextTurn();
}

/// Libraries are mostly loaded at program start, rarely later.
bool Collector::State::mayAsk() {
    constexpr int kOfStart = 200, kBetweenLooks = 16;
    const bool looks = turns < kOfStart || turns % kBetweenLooks == 0;
    ++turns;
    if (isForeign && !breaksWhenAsked && looks)
        breaksWhenAsked = std::ranges::any_of(mappedFiles(), failsWhenAsked);
    return !breaksWhenAsked;
}

void Collector::State::tellLostMarks() {
    std::string name;
    {
        const std::lock_guard lock(switching);
        if (!std::exchange(marksAreLost, false) || !marks.lost)
            return;
        name = otherClientName();
    }
    marks.lost(name);
}

void Collector::State::flushAll() noexcept {
    forced = kTurnsAfterForced;
    try {
        flushBuffers(true);
        dropped += takeDroppedRecords();
    } catch (...) { // records that were not delivered are lost
    }
}

void Collector::State::takeBuffersBack() noexcept {
    for (int left = kAsksForBuffers; left > 0; --left) {
        api().cuptiActivityFlushAll(0);
        if (pool.givenOut() == 0)
            break;
        std::this_thread::sleep_for(kBetweenAsks);
    }
    flushAll();
}

void Collector::State::takenIn() {
    if (!decoder.turnHasCome())
        pump.hurry(0);
    tellSwitches();
    if (tellTakenIn)
        tellTakenIn();
    pool.keepReady(buffersReady);
}

void Collector::State::start(const CollectorConfig& config) {
    if (isForeign)
        decoder.noticeDriverWork([this](bool record) { return switchDriverCalls(record); }, true);
    const std::lock_guard lock(switching);
    wanted = !config.asleep;
    if (!appear())
        return noteYield(otherClientName());
    if (config.asleep)
        return;
    begin(config.serialKernels);
    spansAreNew = notRecordedIsNew = false; // the owner can say it from the start
}

bool Collector::State::appear() {
    if (present)
        return true;
    if (!targets.detach.cancel())
        subscriber = nullptr; // it was removed with CUPTI
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

void Collector::State::begin(bool serialKernels) {
    const Ns now = OpLog::now();
    enableWork(!isForeign, serialKernels);
    targets.managed.record(true);
    recording = true;
    spans += (spans.empty() ? "" : " ") + std::to_string(now) + "-";
    spansAreNew = true;
    chooseCalls();
}

void Collector::State::end() {
    const Ns now = OpLog::now();
    targets.managed.record(false);
    if (!disableWork())
        throw Error(ErrorKind::NoDevice, "cupti-failed", "CUPTI could not stop recording.",
                    "Record the program from its start to its end.");
    recording = false;
    spans += std::to_string(now);
    spansAreNew = true;
}

void Collector::State::chooseCalls() {
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

bool Collector::State::switchDriverCalls(bool record) {
    if (!switchesDriverCalls)
        return true;
    if (!record && std::ranges::any_of(mappedFiles(), callsDriverItself))
        return false;
    const std::lock_guard lock(switching);
    const Ns now = OpLog::now();
    wantsDriverCalls = record;
    if (recording && recordDriverWork(record))
        (record ? driverCallsFrom : driverCallsUntil) = now;
    return true;
}

void Collector::State::switchAll(bool on) {
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

void Collector::State::yieldTo(const std::string& name) noexcept {
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

void Collector::State::noteYield(const std::string& name) {
    yielded = true;
    yields += (yields.empty() ? "" : "; ") + std::to_string(OpLog::now()) + "-";
    yieldsTo = name;
    if (tellYields)
        tellYields(name);
}

void Collector::State::changePresence() {
    const std::lock_guard lock(switching);
    if (yielded && !otherClientRecords())
        resume();
    if (turnsUntilRest > 0 && --turnsUntilRest == 0)
        rest();
}

void Collector::State::resume() {
    yielded = false;
    yields += std::to_string(OpLog::now()) + " " + yieldsTo;
    yieldsAreNew = true;
    if (tellYields)
        tellYields({});
    if (!wanted && restsWhenOff)
        return;
    if (!appear())
        noteYield(otherClientName());
    else if (wanted && !marksAreLost) // otherwise nobody would report the end of the part
        begin(false);
}

void Collector::State::rest() {
    if (!present || yielded || hasGraphs || otherClientIsThere())
        return;
    tellCuptiOfRanges(false);
    disableFacts();
    flushAll();
    present = !targets.detach.arm(subscriber);
    if (present)
        enableFacts(bufferRequested, bufferCompleted), tellCuptiOfRanges(true);
}

void Collector::State::tellSwitches() {
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

void Collector::State::takeIn(std::span<std::byte> records) {
    if (isForeign)
        decoder.leaveOutUnfinished(forced > 0);
    if (raw && keepRaw)
        raw->append(records, mode);
    decoder.decode(records, mode);
}

void Collector::State::open(RecordSink& out, DecodeMode which, bool keep) {
    followed = &out;
    mode = which;
    keepRaw = keep;
    decoder.open(out, match == Match::Times
                          ? [this](std::uint32_t thread, Interval call) { return log.opOf(thread, call); }
                          : OpOfCall());
    pump.start();
}

void Collector::State::stop() noexcept {
    if (!followed || !owner.isThis())
        return;
    pump.stop();
    decoder.abandon();
    followed = nullptr;
}

void Collector::State::takeInRest() {
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

} // namespace olab::cupti
