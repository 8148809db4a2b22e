#include "api.h"
#include "call_choice.h"
#include "decode_state.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace olab::cupti {

std::string_view liveText(const char* text) {
    return text ? text : std::string_view();
}

OpId noNodes(std::uint64_t) {
    return kNoOp;
}

struct Decoder::State {
    explicit State(DecodeSources sources_)
        : sources(std::move(sources_)) {}
    const DecodeSources sources;
    OpOfCall opOfCall;
    RecordSink* out = nullptr;
    CallNames callNames;
    OpenRanges ranges;
    std::optional<DriverWork> driverWork;
    Unfinished unfinished;
    std::vector<const CUpti_Activity*> driverCalls; ///< of the buffer that is decoded
    std::uint64_t driverCallsWithin = 0;            ///< calls of the runtime
    std::vector<std::uint64_t> seen = std::vector<std::uint64_t>(kindsTable().size()); ///< by row
    std::map<int, std::uint64_t> unknown;                                              ///< by kind

    void decodeOne(DecodeContext& context, const KindRow& row, const CUpti_Activity* record);
    void decodeDriverCalls(DecodeContext& context);
};

/// Driver calls recorded because the program makes some itself are held until the end of the buffer.
void Decoder::State::decodeOne(DecodeContext& context, const KindRow& row, const CUpti_Activity* record) {
    ++seen[indexOf(row)];
    if (driverWork && row.kind == CUPTI_ACTIVITY_KIND_DRIVER)
        driverCalls.push_back(record);
    else
        row.decode(context, record);
}

/// The runtime makes driver calls too, under its own correlation id: they are redundant and omitted. The
/// record of the outer call comes after theirs; if it is in the next buffer, both are kept.
void Decoder::State::decodeDriverCalls(DecodeContext& context) {
    for (const CUpti_Activity* record : driverCalls) {
        if (driverWork->isRuntimeCall(reinterpret_cast<const ApiStruct*>(record)->correlationId))
            ++driverCallsWithin;
        else
            findKind(record->kind)->decode(context, record);
    }
    driverCalls.clear();
}

Decoder::Decoder(DecodeSources sources)
    : m_state(std::make_unique<State>(std::move(sources))) {}
Decoder::~Decoder() = default;

void Decoder::open(RecordSink& out, OpOfCall opOfCall) {
    m_state->out = &out;
    m_state->opOfCall = std::move(opOfCall);
}

void Decoder::noticeDriverWork(std::function<bool(bool)> tell, bool recorded) {
    m_state->driverWork.emplace(std::move(tell), recorded);
}

void Decoder::leaveOutUnfinished(bool queued) {
    m_state->unfinished.leftOut = true;
    m_state->unfinished.queued = queued;
}

void Decoder::nextTurn() {
    if (m_state->driverWork)
        m_state->driverWork->nextTurn();
}

bool Decoder::turnHasCome() {
    if (!m_state->driverWork)
        return false;
    m_state->driverWork->turnHasCome();
    return m_state->driverWork->isOpen();
}

void Decoder::decode(std::span<std::byte> buffer, DecodeMode mode) {
    State& s = *m_state;
    auto* bytes = reinterpret_cast<std::uint8_t*>(buffer.data());
    DecodeContext context{*s.out,      s.sources, s.opOfCall,
                          s.callNames, s.ranges,  s.driverWork ? &*s.driverWork : nullptr,
                          s.unfinished};
    s.driverCalls.clear(); // a sink may have thrown
    const auto next = api().cuptiActivityGetNextRecord;
    CUpti_Activity* record = nullptr;
    while (next(bytes, buffer.size(), &record) == CUPTI_SUCCESS) {
        const KindRow* row = findKind(record->kind);
        if (mode == DecodeMode::Facts && !(row && row->fact))
            continue;
        if (row)
            s.decodeOne(context, *row, record);
        else
            ++s.unknown[record->kind];
    }
    s.decodeDriverCalls(context);
}

void Decoder::tellRefused() {
    State& s = *m_state;
    if (const std::uint64_t halves = s.ranges.halves(); halves > 0)
        s.out->add(RefusedRecord{DefectCode::OpenRange, halves, maskOf(ActivityClass::Nvtx), {}, true});
    if (const std::uint64_t count = s.unfinished.count; count > 0)
        s.out->add(RefusedRecord{DefectCode::OpenRange, count, 0, "operations", true});
    for (const auto& [kind, count] : s.unknown)
        s.out->add(RefusedRecord{DefectCode::UnknownKind, count, kAllClasses,
                                 "CUPTI kind " + std::to_string(kind), true});
}

/// "kernel 96, memcpy 192": what arrived, without facts, to show which kinds were recorded.
void Decoder::tellSeen() {
    std::map<int, std::string> byKind; // in CUPTI's order
    for (const KindRow& row : kindsTable())
        if (const std::uint64_t count = m_state->seen[indexOf(row)]; count > 0 && !row.fact)
            byKind[row.kind] = std::string(row.name) + " " + std::to_string(count);
    for (const auto& [kind, count] : m_state->unknown)
        byKind[kind] = "kind " + std::to_string(kind) + " " + std::to_string(count);
    std::string text;
    for (const auto& [kind, count] : byKind)
        text += (text.empty() ? "" : ", ") + count;
    if (!text.empty())
        m_state->out->add(EnvironmentRecord{"cupti.records", text});
    if (const std::uint64_t count = m_state->driverCallsWithin; count > 0)
        m_state->out->add(EnvironmentRecord{std::string(kDriverCallsWithinKey), std::to_string(count)});
}

void Decoder::close() {
    tellRefused();
    tellSeen();
    abandon();
}

void Decoder::abandon() {
    State& s = *m_state;
    s.out = nullptr;
    s.opOfCall = nullptr;
    s.ranges = {};
    s.unknown.clear();
    s.driverCallsWithin = 0;
    s.unfinished.count = 0;
    std::ranges::fill(s.seen, 0);
    s.callNames.forgetSink();
}

std::uint64_t countRecords(std::byte* buffer, std::size_t valid) noexcept {
    const auto next = api().cuptiActivityGetNextRecord;
    std::uint64_t count = 0;
    CUpti_Activity* record = nullptr;
    while (next(reinterpret_cast<std::uint8_t*>(buffer), valid, &record) == CUPTI_SUCCESS)
        ++count;
    return count;
}

namespace {

/// A record of `kind` and a stream record after it, as CUPTI would lay them out.
bool stepsBySize(const KindRow& row) {
    constexpr std::size_t kRoom = 4096;
    alignas(8) std::uint8_t buffer[kRoom] = {};
    std::memcpy(buffer, &row.kind, sizeof row.kind);
    const CUpti_ActivityKind next = CUPTI_ACTIVITY_KIND_STREAM;
    std::memcpy(buffer + row.size, &next, sizeof next);
    const std::size_t valid = row.size + sizeof(StreamStruct);
    CUpti_Activity* record = nullptr;
    if (api().cuptiActivityGetNextRecord(buffer, valid, &record) != CUPTI_SUCCESS)
        return false;
    if (api().cuptiActivityGetNextRecord(buffer, valid, &record) != CUPTI_SUCCESS)
        return false;
    return reinterpret_cast<std::uint8_t*>(record) == buffer + row.size &&
           record->kind == CUPTI_ACTIVITY_KIND_STREAM;
}

} // namespace

std::vector<std::string> strideSelfTest() {
    std::vector<std::string> wrong;
    for (const KindRow& row : kindsTable())
        if (!stepsBySize(row))
            wrong.emplace_back(row.name);
    return wrong;
}

namespace {

constexpr std::uint32_t kMost = 4096; // for either API; a stored buffer may contain anything

std::string nameOf(bool driver, std::uint32_t cbid) {
    const char* text = nullptr;
    const auto domain = driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API;
    if (api().cuptiGetCallbackName(domain, cbid, &text) == CUPTI_SUCCESS && text && *text)
        return std::string(withoutVersion(text)); // it is irrelevant to users
    return (driver ? "driver API " : "runtime API ") + std::to_string(cbid);
}

} // namespace

TextId CallNames::idOf(bool driver, std::uint32_t cbid, RecordSink& out) {
    if (cbid >= kMost)
        return out.intern(nameOf(driver, cbid));
    std::vector<Call>& calls = m_calls[driver ? 1 : 0];
    if (cbid >= calls.size())
        calls.resize(cbid + 1);
    Call& call = calls[cbid];
    if (call.sink == m_sink)
        return call.id;
    if (call.name.empty())
        call.name = nameOf(driver, cbid);
    call.id = out.intern(call.name);
    call.sink = m_sink;
    return call.id;
}

namespace {

/// Ids count up, and may start again from 0.
bool isBefore(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a - b) < 0;
}

} // namespace

DriverWork::DriverWork(std::function<bool(bool)> tell, bool recorded)
    : m_tell(std::move(tell))
    , m_recorded(recorded) {}

std::uint32_t& DriverWork::openOf(std::uint32_t turn) {
    return turn == m_turn ? m_new : turn + 1 == m_turn ? m_last : m_old;
}

void DriverWork::forgetWork(Slot& slot) {
    if (slot.work != 0)
        --openOf(slot.turn);
    slot.work = 0;
}

void DriverWork::noteCall(std::uint32_t correlation) {
    Slot& slot = m_slots[correlation % kSlots];
    if (slot.work == correlation) {
        forgetWork(slot);
        ++m_byRuntime;
    }
    slot.call = correlation;
}

void DriverWork::noteWork(std::uint32_t correlation) {
    Slot& slot = m_slots[correlation % kSlots];
    if (m_sure || correlation == 0 || slot.work == correlation)
        return;
    m_byRuntime += slot.call == correlation;
    if (slot.call != 0 && !isBefore(slot.call, correlation))
        return; // its call has arrived, or a later one has taken the slot: unknown
    forgetWork(slot);
    slot.work = correlation;
    slot.turn = m_turn;
    ++m_new;
}

bool DriverWork::isRuntimeCall(std::uint32_t correlation) const {
    return correlation != 0 && m_slots[correlation % kSlots].call == correlation;
}

void DriverWork::nextTurn() {
    m_old += std::exchange(m_last, std::exchange(m_new, 0));
    ++m_turn;
    if (m_sure)
        return;
    if (m_old >= kEnough) {
        m_sure = true;
        if (!std::exchange(m_recorded, true))
            m_tell(true);
    } else if (m_turn >= kTurns)
        giveUp();
}

void DriverWork::turnHasCome() {
    if (m_new + m_last + m_old < kEnough)
        giveUp();
}

void DriverWork::giveUp() {
    if (!isOpen() || m_byRuntime < kTried)
        return;
    m_recorded = !m_tell(false);
    m_sure = m_recorded;
}

} // namespace olab::cupti
