// What is kept from discarded records: facts that apply to the whole process, and whether the ops of calls
// can be identified by their times. Private to cupti.
#pragma once

#include "op_log.h"

namespace olab::cupti {

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

} // namespace olab::cupti
