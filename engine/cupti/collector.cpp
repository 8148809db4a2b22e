#include <olab/cupti/collector.h>

#include "api.h"
#include "collector_state.h"
#include "other_client.h"
#include "pump.h"

#include <olab/trace/error.h>

#include <utility>

namespace olab::cupti {

Collector::Collector(CollectorConfig config) {
    checkLibrary(config.host);
    refuseOtherTools(config.host);
    m_state = std::make_unique<State>(config);
    if (!config.rawCuptiFile.empty()) {
        m_state->raw.emplace(config.rawCuptiFile);
        m_state->match = Match::Tags; // raw records must contain the ops themselves
    }
    installCallbacks({m_state->owner, m_state->pool, m_state->pump, m_state->yielded});
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
