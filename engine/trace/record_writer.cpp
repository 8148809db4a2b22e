#include <olab/trace/container.h>
#include <olab/trace/limits.h>

#include <algorithm>
#include <utility>

#include "builder_tables.h"
#include "record_fields.h"

namespace olab {

using namespace record_detail;
using trace_detail::StringTable;

namespace {

constexpr std::size_t kFlushAt = 64 * 1024;

void putText(std::vector<std::byte>& out, std::string_view text) {
    putVarint(out, static_cast<std::uint64_t>(Tag::Text));
    putVarint(out, text.size());
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    out.insert(out.end(), bytes.begin(), bytes.end());
}

} // namespace

struct RecordWriter::ChunkState {
    StringTable texts;
    Ns before = 0;
    Origin origin;
    // For the record being written: numbers only, so no record comes close to this size.
    std::array<std::byte, 64 * kMaxVarint> body;
    std::byte* end = body.data();
    std::span<const std::byte> written() const { return {body.data(), end}; }
};

// The texts passed to intern(), for the whole file, and their numbers in the current chunk.
struct RecordWriter::Texts {
    StringTable all;
    struct InChunk {
        std::uint64_t chunk = 0;
        std::uint32_t number = 0;
    };
    std::vector<InChunk> numbers;
    std::uint64_t chunk = 1;
    std::uint64_t cut = 0; // not yet reported
};

namespace {

// Writes the body of one record; texts it needs go to `chunk` first, as records of their own.
template <typename State, typename Texts>
class FieldWriter {
public:
    template <typename T>
    using Ref = const T&;
    FieldWriter(State& state, Texts& texts, std::vector<std::byte>& chunk)
        : m_state(state)
        , m_texts(texts)
        , m_chunk(chunk) {}
    void operator()(std::uint64_t v) { m_state.end = putVarint(m_state.end, v); }
    // One more than the number, so that kNoNumber is a single byte.
    void operator()(std::uint32_t v) { put(std::uint32_t(v + 1)); }
    /// Omitted if unknown, so that files without it stay unchanged.
    void since(std::uint32_t v) {
        if (v != kNoNumber)
            (*this)(v);
    }
    void operator()(std::int64_t v) { put(zigzag(v)); }
    void operator()(std::int32_t v) { put(zigzag(v)); }
    void operator()(std::uint8_t v) { put(v); }
    void operator()(bool v) { put(v ? 1 : 0); }
    template <typename Enum>
    requires std::is_enum_v<Enum>
    void operator()(Enum v) { put(static_cast<std::uint64_t>(v)); }
    void operator()(const std::string& whole) {
        const std::string_view text = cutText(whole, kMaxTextBytes);
        m_texts.cut += text.size() < whole.size() ? 1 : 0;
        put(numberOf(text));
    }
    void operator()(TextId id) {
        auto& known = m_texts.numbers;
        if (id.value >= m_texts.all.size())
            return put(0);
        if (known.size() <= id.value)
            known.resize(m_texts.all.size());
        if (known[id.value].chunk != m_texts.chunk)
            known[id.value] = {m_texts.chunk, numberOf(m_texts.all[id.value])};
        put(known[id.value].number);
    }
    void time(Ns begin, Ns end) {
        (*this)(difference(begin, m_state.before)), (*this)(difference(end, begin));
        m_state.before = begin;
    }
    void optional(const std::optional<KernelGeometry>& g) {
        (*this)(g.has_value());
        if (g)
            fields<FieldWriter>(*this, *g);
    }

private:
    void put(std::uint64_t v) { (*this)(v); }
    std::uint32_t numberOf(std::string_view text) {
        const std::size_t known = m_state.texts.size();
        const std::uint32_t number = m_state.texts.intern(text);
        if (number == known)
            putText(m_chunk, text);
        return number;
    }
    State& m_state;
    Texts& m_texts;
    std::vector<std::byte>& m_chunk;
};

} // namespace

RecordWriter::RecordWriter(ContainerWriter& file, const RunControl* control, std::uint64_t expected)
    : m_file(file)
    , m_control(control)
    , m_expected(expected)
    , m_texts(std::make_unique<Texts>())
    , m_chunk(std::make_unique<ChunkState>()) {}
RecordWriter::~RecordWriter() = default;

TextId RecordWriter::intern(std::string_view text) {
    const std::string_view kept = cutText(text, kMaxTextBytes);
    m_texts->cut += kept.size() < text.size() ? 1 : 0;
    return {m_texts->all.intern(kept)};
}

template <typename Record>
void RecordWriter::put(const Record& record) {
    m_chunk->end = m_chunk->body.data();
    using FieldsOfChunk = FieldWriter<ChunkState, Texts>;
    FieldsOfChunk writer(*m_chunk, *m_texts, m_buffer);
    fields<FieldsOfChunk>(writer, record);
    putVarint(m_buffer, static_cast<std::uint64_t>(tagOf<Record>()));
    putVarint(m_buffer, m_chunk->written().size());
    m_buffer.insert(m_buffer.end(), m_chunk->written().begin(), m_chunk->written().end());
    if (isOfOrigins<Record>)
        m_buffer.front() = kFormWithOrigins;
}

template <typename Record>
void RecordWriter::write(const Record& record) {
    if (m_buffer.empty()) {
        m_buffer.reserve(2 * kFlushAt);
        m_buffer.push_back(kForm);
    }
    if (const Origin origin = originOf(record, m_chunk->origin); origin != m_chunk->origin)
        put(m_chunk->origin = origin);
    put(record);
    if (const auto cut = std::exchange(m_texts->cut, 0); cut > 0)
        put(RefusedRecord{DefectCode::TextCut, cut, kAllClasses, {}, false});
    ++m_written;
    flushIfLarge();
}

void RecordWriter::add(const ProcessRecord& r) {
    write(r);
}
void RecordWriter::add(const ClockRecord& r) {
    write(r);
}
void RecordWriter::add(const RankRecord& r) {
    write(r);
}

void RecordWriter::add(const DeviceRecord& r) {
    write(r);
}
void RecordWriter::add(const ContextRecord& r) {
    write(r);
}
void RecordWriter::add(const StreamRecord& r) {
    write(r);
}
void RecordWriter::add(const ActivityRecord& r) {
    write(r);
}
void RecordWriter::add(const CorrelationRecord& r) {
    write(r);
}
void RecordWriter::add(const StreamCallRecord& r) {
    write(r);
}
void RecordWriter::add(const SoloRecord& r) {
    write(r);
}
void RecordWriter::add(const WindowRecord& r) {
    write(r);
}
void RecordWriter::add(const EnvironmentRecord& r) {
    write(r);
}
void RecordWriter::add(const ProvenanceRecord& r) {
    write(r);
    flush(); // a separate chunk: a file truncated in the first large one still identifies itself
}
void RecordWriter::add(const RefusedRecord& r) {
    write(r);
}

void RecordWriter::flushIfLarge() {
    if (m_buffer.size() >= kFlushAt)
        flush();
}

/// A chunk takes less than a millisecond: progress is reported only at a rate that users see.
void RecordWriter::look(const RunControl& control) {
    constexpr double kStep = 0.01;
    control.throwIfCancelled();
    if (m_expected == 0)
        return;
    const double share = std::min(1.0, static_cast<double>(m_written) / static_cast<double>(m_expected));
    if (share >= m_reported + kStep)
        control.report(m_reported = share, "writing");
}

void RecordWriter::flush() {
    if (m_buffer.empty())
        return;
    if (m_control)
        look(*m_control);
    m_file.append(ChunkType::Records, m_buffer);
    m_buffer.clear();
    m_chunk = std::make_unique<ChunkState>();
    ++m_texts->chunk;
}

} // namespace olab
