// The one capture of a process: what it holds, and how it comes and goes while the program runs. Private to
// cupti.
#pragma once

#include "capture.h"
#include "op_log.h"
#include "pump.h"

#include <olab/cupti/collector.h>
#include <olab/cupti/decode.h>
#include <olab/cupti/host_process.h>

#include <atomic>
#include <mutex>
#include <optional>

namespace olab::cupti {

// What is kept from discarded records: facts that apply to the whole process, and whether the ops of calls
// can be identified by their times.

/// Devices and contexts are recorded once per process, but there are many runs: remembers them for the next.
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

/// For warm-up: passes facts on, and keeps what shows whether times identify the op of each call.
class WarmUpSink final : public RecordSink {
public:
    explicit WarmUpSink(RecordSink& facts)
        : m_facts(facts) {}
    bool hasTags() const { return !m_tags.empty(); } // otherwise there was no warm-up
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
    void add(const StreamCallRecord&) override {}
    void add(const ClockRecord&) override {}
    void add(const RankRecord&) override {}
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

/// How ops are identified in the records. Both, until it is known whether times suffice.
enum class Match : std::uint8_t { Tags, Both, Times };

struct Collector::State {
    explicit State(const CollectorConfig& config);

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
    std::atomic<int> forced{0}; ///< turns with buffers that were requested whether complete or not
    Decoder decoder;
    const bool isForeign, allCalls, restsWhenOff;
    const bool switchesDriverCalls; ///< only while recording; never if CUPTI's callbacks may call record()
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
    bool wanted = false;              ///< recording is wanted, unless another client records
    bool recording = false;
    bool wantsDriverCalls = true;
    bool hasGraphs = false;       ///< of the decoding thread: it saw graphs launched while recording
    int turnsUntilRest = 0;       ///< 0: no rest is planned
    int turns = 0;                ///< of the decoding thread
    bool breaksWhenAsked = false; ///< failsWhenAsked()
    std::uint64_t dropped = 0;    ///< reported to us before CUPTI was given up
    std::string spans;            ///< reported only once switched; empty: it was never on
    std::string yields, yieldsTo;
    bool marksAreLost = false; ///< not reported yet
    bool spansAreNew = false, notRecordedIsNew = false, yieldsAreNew = false;
    std::optional<Ns> driverCallsFrom, driverCallsUntil; ///< not reported yet
    Pump pump;                                           ///< last: its thread uses all of the above

    /// By the decoding thread, now and then.
    void flush();
    void tellLostMarks();
    bool mayAsk();
    void flushAll() noexcept;
    /// Call with all kinds off, so that the other client's records do not get into our buffers. Waits a while
    /// for work that is still running; finished records arrive at once.
    void takeBuffersBack() noexcept;
    void takenIn();
    void start(const CollectorConfig& config);
    /// @returns false: another client records
    bool appear();
    void begin(bool serialKernels);
    void end();
    /// Initially records driver calls too, so that a short program that uses them loses none.
    void chooseCalls();
    /// By the decoding thread.
    bool switchDriverCalls(bool record); ///< false: they stay, because this program will need them
    void switchAll(bool on);
    /// On the thread of another client that begins: on return, CUPTI is as if we had never used it.
    void yieldTo(const std::string& name) noexcept;
    void noteYield(const std::string& name);
    /// By the decoding thread: takes over again, or rests.
    void changePresence();
    void resume();
    void rest();
    /// The sink gets nothing before this turn's delivery, which may fail.
    void tellSwitches();
    void takeIn(std::span<std::byte> records);
    void open(RecordSink& out, DecodeMode which, bool keep);
    void stop() noexcept;
    /// Delivers everything; afterwards nothing goes to the sink any more, even if this throws.
    void takeInRest();
};

} // namespace olab::cupti
