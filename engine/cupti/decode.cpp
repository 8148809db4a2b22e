#include "api.h"
#include "kinds.h"

#include <algorithm>
#include <cstring>

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
    std::vector<std::uint64_t> seen = std::vector<std::uint64_t>(kindsTable().size()); ///< by row
    std::map<int, std::uint64_t> unknown;                                              ///< by kind
};

Decoder::Decoder(DecodeSources sources)
    : m_state(std::make_unique<State>(std::move(sources))) {}
Decoder::~Decoder() = default;

void Decoder::open(RecordSink& out, OpOfCall opOfCall) {
    m_state->out = &out;
    m_state->opOfCall = std::move(opOfCall);
}

void Decoder::decode(std::span<std::byte> buffer, DecodeMode mode) {
    State& s = *m_state;
    auto* bytes = reinterpret_cast<std::uint8_t*>(buffer.data());
    DecodeContext context{*s.out, s.sources, s.opOfCall, s.callNames, s.ranges};
    const auto next = api().cuptiActivityGetNextRecord;
    CUpti_Activity* record = nullptr;
    while (next(bytes, buffer.size(), &record) == CUPTI_SUCCESS) {
        const KindRow* row = findKind(record->kind);
        if (mode == DecodeMode::Facts && !(row && row->fact))
            continue;
        if (row) {
            ++s.seen[indexOf(*row)];
            row->decode(context, record);
        } else
            ++s.unknown[record->kind];
    }
}

void Decoder::tellRefused() {
    State& s = *m_state;
    if (const std::uint64_t halves = s.ranges.halves(); halves > 0)
        s.out->add(RefusedRecord{DefectCode::OpenRange, halves, maskOf(ActivityClass::Nvtx), {}, true});
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

} // namespace olab::cupti
