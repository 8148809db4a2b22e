#include <olab/cupti/decode.h>

#include "api.h"
#include "kinds.h"

#include <cstring>

namespace olab {
using namespace cupti;

std::string liveText(const char* text) {
    return text ? text : "";
}

OpId noNodes(std::uint64_t) {
    return kNoOp;
}

Decoder::Decoder(RecordSink& out, TextOf textOf, OpOfNode opOfNode)
    : m_out(out)
    , m_textOf(std::move(textOf))
    , m_opOfNode(std::move(opOfNode)) {}

void Decoder::decode(std::span<std::byte> buffer, DecodeMode mode) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(buffer.data());
    DecodeContext context{m_out, m_textOf, m_opOfNode, m_apiNames, m_ranges};
    CUpti_Activity* record = nullptr;
    while (api().cuptiActivityGetNextRecord(bytes, buffer.size(), &record) == CUPTI_SUCCESS) {
        const KindRow* row = findKind(record->kind);
        if (mode == DecodeMode::Facts && !(row && row->fact))
            continue;
        ++m_seen[record->kind];
        if (row)
            row->decode(context, record);
        else
            ++m_refused[record->kind];
    }
}

namespace {

/// "kernel 96, memcpy 192": what came, facts aside, so that a reader sees which kinds were recorded.
std::string seenText(const std::map<int, std::uint64_t>& seen) {
    std::string text;
    for (const auto& [kind, count] : seen) {
        const KindRow* row = findKind(static_cast<CUpti_ActivityKind>(kind));
        if (row && row->fact)
            continue;
        const std::string name = row ? row->name : "kind " + std::to_string(kind);
        text += (text.empty() ? "" : ", ") + name + " " + std::to_string(count);
    }
    return text;
}

} // namespace

void Decoder::finish() {
    if (const std::uint64_t halves = m_ranges.begun.size() + m_ranges.ended.size() + m_ranges.repeated;
        halves > 0)
        m_out.add(RefusedRecord{DefectCode::OpenRange, halves, maskOf(ActivityClass::Nvtx), {}, true});
    m_ranges = {};
    for (const auto& [kind, count] : m_refused)
        m_out.add(RefusedRecord{DefectCode::UnknownKind, count, kAllClasses,
                                "CUPTI kind " + std::to_string(kind), true});
    m_refused.clear();
    if (const std::string seen = seenText(m_seen); !seen.empty())
        m_out.add(EnvironmentRecord{"cupti.records", seen});
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

} // namespace olab
