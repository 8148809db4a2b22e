#include <olab/trace/container.h>
#include <olab/trace/limits.h>

#include <limits>

#include "record_fields.h"

namespace olab {

using namespace record_detail;

namespace {

// Limit for devices, environment, provenance and defects in a chunk: a file that refers to one long text in a
// million of them would cause a million copies. No recording has half as many.
constexpr std::size_t kMaxFacts = 1024;

// Reads numbers from the front of a span; once something is missing or too large, everything reads as 0 and
// ok() is false.
class Cursor {
public:
    explicit Cursor(std::span<const std::byte> data)
        : m_at(data.data())
        , m_end(data.data() + data.size()) {}
    // About thirty per record, for tens of millions of records: a call would take longer than its work.
    [[gnu::always_inline]] std::uint64_t
    varint(std::uint64_t limit = std::numeric_limits<std::uint64_t>::max()) {
        if (m_at != m_end && *m_at < std::byte{0x80} && std::to_integer<std::uint64_t>(*m_at) <= limit)
            return std::to_integer<std::uint64_t>(*m_at++); // nearly all of them
        return longVarint(limit);
    }
    std::span<const std::byte> take(std::uint64_t count);
    bool ok() const { return m_ok; }
    bool atEnd() const { return m_at == m_end; }
    void fail() { m_ok = false, m_at = m_end; }

private:
    std::uint64_t longVarint(std::uint64_t limit);
    const std::byte* m_at;
    const std::byte* m_end;
    bool m_ok = true;
};

std::uint64_t Cursor::longVarint(std::uint64_t limit) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && m_at != m_end; shift += 7) {
        const auto byte = std::to_integer<std::uint64_t>(*m_at++);
        value |= (byte & 0x7f) << shift;
        if ((byte & 0x80) != 0)
            continue;
        if (value <= limit && (shift < 63 || byte <= 1))
            return value;
        break;
    }
    fail();
    return 0;
}

std::span<const std::byte> Cursor::take(std::uint64_t count) {
    if (count > static_cast<std::uint64_t>(m_end - m_at)) {
        fail();
        return {};
    }
    const std::span taken(m_at, static_cast<std::size_t>(count));
    m_at += taken.size();
    return taken;
}

struct ReadState {
    explicit ReadState(RecordSink& sink_)
        : sink(sink_) {}
    RecordSink& sink;
    std::vector<std::string_view> texts{std::string_view()}; // into the payload
    std::vector<std::optional<TextId>> ids{TextId{}};        // of each, once a record named it
    Ns before = 0;
    Origin origin;
};

class FieldReader {
public:
    template <typename T>
    using Ref = T&;
    FieldReader(ReadState& state, std::span<const std::byte> body)
        : m_state(state)
        , m_in(body) {}
    bool ok() const { return m_in.ok(); }
    void operator()(std::uint64_t& v) { v = m_in.varint(); }
    void operator()(std::uint32_t& v) { v = static_cast<std::uint32_t>(m_in.varint(0xffffffffu)) - 1; }
    /// A number that older writers omit; it then keeps its default.
    void since(std::uint32_t& v) {
        if (!m_in.atEnd())
            (*this)(v);
    }
    void operator()(std::int64_t& v) { v = unzigzag(m_in.varint()); }
    void operator()(std::int32_t& v) { v = static_cast<std::int32_t>(unzigzag(m_in.varint(0xffffffffu))); }
    void operator()(std::uint8_t& v) { v = static_cast<std::uint8_t>(m_in.varint(0xff)); }
    void operator()(bool& v) { v = m_in.varint(1) != 0; }
    // Any value that fits: the sink decides which enumerators are known.
    template <typename Enum>
    requires std::is_enum_v<Enum>
    void operator()(Enum& v) {
        using Value = std::underlying_type_t<Enum>;
        v = static_cast<Enum>(m_in.varint(std::numeric_limits<Value>::max()));
    }
    void operator()(std::string& text) {
        const std::uint64_t id = m_in.varint();
        if (id < m_state.texts.size())
            text = m_state.texts[static_cast<std::size_t>(id)];
        else
            m_in.fail();
    }
    void operator()(TextId& text) {
        const std::uint64_t number = m_in.varint();
        if (number >= m_state.texts.size())
            return m_in.fail();
        std::optional<TextId>& id = m_state.ids[static_cast<std::size_t>(number)];
        if (!id)
            id = m_state.sink.intern(m_state.texts[static_cast<std::size_t>(number)]);
        text = *id;
    }
    void time(Ns& begin, Ns& end) {
        begin = sum(m_state.before, unzigzag(m_in.varint()));
        end = sum(begin, unzigzag(m_in.varint()));
        m_state.before = begin;
    }
    void optional(std::optional<KernelGeometry>& g) {
        if (m_in.varint(1) != 0)
            fields<FieldReader>(*this, g.emplace());
        else
            g.reset();
    }

private:
    ReadState& m_state;
    Cursor m_in;
};

template <typename Record> // one that holds texts
constexpr bool isFact = std::is_same_v<Record, DeviceRecord> || std::is_same_v<Record, ProcessRecord> ||
                        std::is_same_v<Record, EnvironmentRecord> || std::is_same_v<Record, RankRecord> ||
                        std::is_same_v<Record, ProvenanceRecord> || std::is_same_v<Record, RefusedRecord>;

class ChunkReader {
public:
    explicit ChunkReader(RecordSink& sink)
        : m_sink(sink)
        , m_state(sink) {}
    void read(std::span<const std::byte> payload);

private:
    void takeText(std::string_view whole);
    void readOne(std::uint64_t tag, std::span<const std::byte> body);
    void readOrigin(std::span<const std::byte> body);
    template <typename Record>
    void decode(std::span<const std::byte> body, Record&& record = {});
    void tell();

    RecordSink& m_sink;
    ReadState m_state;
    ActivityRecord m_activity; // every field is set each time, but the memory of its name is reused
    std::uint64_t m_badActivities = 0, m_badOthers = 0, m_unknown = 0, m_cutTexts = 0;
    std::uint64_t m_facts = 0; // those that hold texts
    bool m_broken = false;
};

void ChunkReader::read(std::span<const std::byte> payload) {
    Cursor in(payload);
    m_broken = in.take(1).empty() || (payload.front() != kForm && payload.front() != kFormWithOrigins);
    while (!m_broken && !in.atEnd()) {
        const std::uint64_t tag = in.varint();
        const auto body = in.take(in.varint());
        if (in.ok())
            readOne(tag, body);
        m_broken = !in.ok();
    }
    tell();
}

void ChunkReader::takeText(std::string_view whole) {
    m_state.texts.push_back(cutText(whole, kMaxTextBytes));
    m_state.ids.emplace_back();
    m_cutTexts += m_state.texts.back().size() < whole.size() ? 1 : 0;
}

void ChunkReader::readOne(std::uint64_t tag, std::span<const std::byte> body) {
    if (tag > static_cast<std::uint64_t>(Tag::Rank)) {
        ++m_unknown;
        return;
    }
    switch (static_cast<Tag>(tag)) {
    case Tag::Text:
        return takeText({reinterpret_cast<const char*>(body.data()), body.size()});
    case Tag::Device:
        return decode<DeviceRecord>(body);
    case Tag::Context:
        return decode<ContextRecord>(body);
    case Tag::Stream:
        return decode<StreamRecord>(body);
    case Tag::Activity:
        return decode<ActivityRecord&>(body, m_activity);
    case Tag::Correlation:
        return decode<CorrelationRecord>(body);
    case Tag::Solo:
        return decode<SoloRecord>(body);
    case Tag::Window:
        return decode<WindowRecord>(body);
    case Tag::Environment:
        return decode<EnvironmentRecord>(body);
    case Tag::Provenance:
        return decode<ProvenanceRecord>(body);
    case Tag::Refused:
        return decode<RefusedRecord>(body);
    case Tag::Process:
        return decode<ProcessRecord>(body);
    case Tag::Clock:
        return decode<ClockRecord>(body);
    case Tag::Origin:
        return readOrigin(body);
    case Tag::StreamCall:
        return decode<StreamCallRecord>(body);
    case Tag::Rank:
        return decode<RankRecord>(body);
    }
    ++m_unknown;
}

void ChunkReader::readOrigin(std::span<const std::byte> body) {
    FieldReader reader(m_state, body);
    fields<FieldReader>(reader, m_state.origin);
    m_badOthers += reader.ok() ? 0 : 1;
}

template <typename Record>
void ChunkReader::decode(std::span<const std::byte> body, Record&& record) {
    if (isFact<std::remove_cvref_t<Record>> && ++m_facts > kMaxFacts)
        return;
    FieldReader reader(m_state, body);
    fields<FieldReader>(reader, record);
    setOrigin(record, m_state.origin);
    if (reader.ok())
        m_sink.add(record);
    else
        ++(std::is_same_v<Record, ActivityRecord&> ? m_badActivities : m_badOthers);
}

void ChunkReader::tell() {
    if (m_badActivities > 0)
        m_sink.add(
            RefusedRecord{DefectCode::BadRecord, m_badActivities, kAllClasses, "in a record chunk", true});
    if (m_badOthers > 0)
        m_sink.add(RefusedRecord{DefectCode::BadChunk, m_badOthers, kAllClasses, "records of facts", false});
    if (m_facts > kMaxFacts)
        m_sink.add(RefusedRecord{DefectCode::BadChunk, m_facts - kMaxFacts, kAllClasses,
                                 "more records of facts than a chunk can hold", false});
    if (m_cutTexts > 0)
        m_sink.add(RefusedRecord{DefectCode::TextCut, m_cutTexts, kAllClasses, {}, false});
    if (m_unknown > 0)
        m_sink.add(
            RefusedRecord{DefectCode::UnknownKind, m_unknown, kAllClasses, "in a record chunk", false});
    if (m_broken)
        m_sink.add(RefusedRecord{DefectCode::BadChunk, 1, kAllClasses, "the rest of a record chunk", false});
}

} // namespace

void readRecords(std::span<const std::byte> payload, RecordSink& sink) {
    ChunkReader(sink).read(payload);
}

} // namespace olab
