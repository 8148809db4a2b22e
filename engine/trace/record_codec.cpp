// Record chunk: one byte with the form's number, then records {varint type, varint length, body}. Form 2 may
// name processes and clocks: an Origin says of which the records behind it are, until the next one or the end
// of the chunk; a chunk without any is written in form 1, as before there were any. Numbers are LEB128
// varints, signed ones zigzag; an activity's begin is the difference to the one before. Text is written once
// per chunk as a record of its own and then named by its number, so every chunk can be read alone. A body
// longer than this version knows is read as far as it is known; a record type it does not know is skipped. A
// text longer than kMaxTextBytes is cut, and a Refused record beside it says so.
#include <olab/trace/container.h>
#include <olab/trace/text_limits.h>

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>

#include "string_table.h"

namespace olab {
namespace {

using trace_detail::StringTable;

constexpr std::byte kForm{1}, kFormWithOrigins{2};
constexpr std::size_t kFlushAt = 64 * 1024;
// Devices, environment, provenance and defects in a chunk: a file that names one long text in a million of
// them has it copied as often. No recording has half as many.
constexpr std::size_t kMaxFacts = 1024;

enum class Tag : std::uint8_t {
    Text = 1,
    Device,
    Context,
    Stream,
    Activity,
    Correlation,
    Solo,
    Window,
    Environment,
    Provenance,
    Refused,
    Process,
    Clock,
    Origin,
};

// What the records behind it have in common.
struct Origin {
    std::uint32_t process = 0, clock = 0;
    friend bool operator==(const Origin&, const Origin&) = default;
};

// --- the fields of each record, once for both directions

template <typename A>
void fields(A& a, typename A::template Ref<ProcessRecord> r) {
    a(r.process), a(r.pid), a(r.start), a(r.name);
}

template <typename A>
void fields(A& a, typename A::template Ref<ClockRecord> r) {
    a(r.clock), a(r.at), a(r.wall);
}

template <typename A>
void fields(A& a, typename A::template Ref<Origin> r) {
    a(r.process), a(r.clock);
}

template <typename A>
void fields(A& a, typename A::template Ref<DeviceRecord> r) {
    a(r.device), a(r.name), a(r.uuid);
    a(r.smCount), a(r.copyEngines), a(r.maxThreadsPerSm), a(r.maxBlocksPerSm), a(r.registersPerSm);
    a(r.sharedPerSm), a(r.memoryBytes), a(r.computeMajor), a(r.computeMinor);
}

template <typename A>
void fields(A& a, typename A::template Ref<ContextRecord> r) {
    a(r.context), a(r.device), a(r.nullStream);
}

template <typename A>
void fields(A& a, typename A::template Ref<StreamRecord> r) {
    a(r.context), a(r.stream), a(r.kind), a(r.priority);
}

template <typename A>
void fields(A& a, typename A::template Ref<KernelGeometry> g) {
    for (std::size_t i = 0; i < 3; ++i)
        a(g.grid[i]), a(g.block[i]);
    a(g.registersPerThread), a(g.staticShared), a(g.dynamicShared);
}

template <typename A>
void fields(A& a, typename A::template Ref<ActivityRecord> r) {
    a(r.cls), a.time(r.begin, r.end), a(r.bytes);
    a(r.device), a(r.context), a(r.stream), a(r.channel), a(r.channelType), a(r.thread);
    a(r.correlation), a(r.op.value), a(r.source), a(r.target), a(r.flags), a(r.name);
    a.optional(r.geometry);
}

template <typename A>
void fields(A& a, typename A::template Ref<CorrelationRecord> r) {
    a(r.correlation), a(r.op.value);
}

template <typename A>
void fields(A& a, typename A::template Ref<SoloRecord> r) {
    a(r.solo), a(r.cls), a(r.bytes), a(r.duration), a(r.samples), a(r.blocks), a(r.residentBlocks);
}

template <typename A>
void fields(A& a, typename A::template Ref<WindowRecord> r) {
    a(r.begin), a(r.end), a(r.traced);
}

template <typename A>
void fields(A& a, typename A::template Ref<EnvironmentRecord> r) {
    a(r.key), a(r.value);
}

template <typename A>
void fields(A& a, typename A::template Ref<ProvenanceRecord> r) {
    a(r.source), a(r.tool), a(r.toolVersion), a(r.recordedAt);
}

template <typename A>
void fields(A& a, typename A::template Ref<RefusedRecord> r) {
    a(r.code), a(r.count), a(r.classes), a(r.detail), a(r.countsAsRead);
}

template <typename Record>
constexpr Tag tagOf() {
    if constexpr (std::is_same_v<Record, DeviceRecord>)
        return Tag::Device;
    else if constexpr (std::is_same_v<Record, ContextRecord>)
        return Tag::Context;
    else if constexpr (std::is_same_v<Record, StreamRecord>)
        return Tag::Stream;
    else if constexpr (std::is_same_v<Record, ActivityRecord>)
        return Tag::Activity;
    else if constexpr (std::is_same_v<Record, CorrelationRecord>)
        return Tag::Correlation;
    else if constexpr (std::is_same_v<Record, SoloRecord>)
        return Tag::Solo;
    else if constexpr (std::is_same_v<Record, WindowRecord>)
        return Tag::Window;
    else if constexpr (std::is_same_v<Record, EnvironmentRecord>)
        return Tag::Environment;
    else if constexpr (std::is_same_v<Record, ProvenanceRecord>)
        return Tag::Provenance;
    else if constexpr (std::is_same_v<Record, ProcessRecord>)
        return Tag::Process;
    else if constexpr (std::is_same_v<Record, ClockRecord>)
        return Tag::Clock;
    else if constexpr (std::is_same_v<Record, Origin>)
        return Tag::Origin;
    else
        return Tag::Refused;
}

template <typename Record>
constexpr bool hasProcess = std::is_same_v<Record, ActivityRecord> || std::is_same_v<Record, DeviceRecord> ||
                            std::is_same_v<Record, ContextRecord> || std::is_same_v<Record, StreamRecord> ||
                            std::is_same_v<Record, CorrelationRecord>;
template <typename Record>
constexpr bool hasClock = std::is_same_v<Record, ActivityRecord> || std::is_same_v<Record, WindowRecord>;

/// Of a record, as far as it says; the rest as it is.
template <typename Record>
Origin originOf(const Record& record, Origin origin) {
    if constexpr (hasProcess<Record>)
        origin.process = record.process;
    if constexpr (hasClock<Record>)
        origin.clock = record.clock;
    return origin;
}

template <typename Record>
void setOrigin(Record& record, Origin origin) {
    if constexpr (hasProcess<Record>)
        record.process = origin.process;
    if constexpr (hasClock<Record>)
        record.clock = origin.clock;
}

// --- numbers

constexpr std::size_t kMaxVarint = 10;

// Writes at `at`, where there is room for it, and gives the place behind.
std::byte* putVarint(std::byte* at, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        *at++ = static_cast<std::byte>(value | 0x80);
    *at++ = static_cast<std::byte>(value);
    return at;
}

void putVarint(std::vector<std::byte>& out, std::uint64_t value) {
    std::array<std::byte, kMaxVarint> bytes;
    out.insert(out.end(), bytes.data(), putVarint(bytes.data(), value));
}

// Small magnitudes of either sign become small numbers.
std::uint64_t zigzag(std::int64_t v) {
    return (static_cast<std::uint64_t>(v) << 1) ^ (v < 0 ? ~std::uint64_t{0} : 0);
}
std::int64_t unzigzag(std::uint64_t v) {
    return static_cast<std::int64_t>((v >> 1) ^ ((v & 1) != 0 ? ~std::uint64_t{0} : 0));
}
// Differences wrap, so that any two times have one.
std::int64_t difference(Ns a, Ns b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
Ns sum(Ns a, std::int64_t d) {
    return static_cast<Ns>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(d));
}

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
    // Of the record being written: numbers only, so no record comes near this.
    std::array<std::byte, 64 * kMaxVarint> body;
    std::byte* end = body.data();
    std::span<const std::byte> written() const { return {body.data(), end}; }
};

// What was given to intern(), for the whole file, and the number of each in the chunk being written.
struct RecordWriter::Texts {
    StringTable all;
    struct InChunk {
        std::uint64_t chunk = 0;
        std::uint32_t number = 0;
    };
    std::vector<InChunk> numbers;
    std::uint64_t chunk = 1;
    std::uint64_t cut = 0; // not yet told
};

namespace {

// Writes the body of one record; texts it needs go to `chunk` first, as records of their own.
template <typename State, typename Texts>
class Encoder {
public:
    template <typename T>
    using Ref = const T&;
    Encoder(State& state, Texts& texts, std::vector<std::byte>& chunk)
        : m_state(state)
        , m_texts(texts)
        , m_chunk(chunk) {}
    void operator()(std::uint64_t v) { m_state.end = putVarint(m_state.end, v); }
    // One more than the number, so that kNoNumber is a single byte.
    void operator()(std::uint32_t v) { put(std::uint32_t(v + 1)); }
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
            fields<Encoder>(*this, *g);
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

// Takes numbers off the front of a span; once something is missing or too large, everything reads as 0 and
// ok() is false.
class Cursor {
public:
    explicit Cursor(std::span<const std::byte> data)
        : m_at(data.data())
        , m_end(data.data() + data.size()) {}
    std::uint64_t varint(std::uint64_t limit = std::numeric_limits<std::uint64_t>::max()) {
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

class Decoder {
public:
    template <typename T>
    using Ref = T&;
    Decoder(ReadState& state, std::span<const std::byte> body)
        : m_state(state)
        , m_in(body) {}
    bool ok() const { return m_in.ok(); }
    void operator()(std::uint64_t& v) { v = m_in.varint(); }
    void operator()(std::uint32_t& v) { v = static_cast<std::uint32_t>(m_in.varint(0xffffffffu)) - 1; }
    void operator()(std::int64_t& v) { v = unzigzag(m_in.varint()); }
    void operator()(std::int32_t& v) { v = static_cast<std::int32_t>(unzigzag(m_in.varint(0xffffffffu))); }
    void operator()(std::uint8_t& v) { v = static_cast<std::uint8_t>(m_in.varint(0xff)); }
    void operator()(bool& v) { v = m_in.varint(1) != 0; }
    // Any value that fits: which enumerators are known is for the sink to judge.
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
            fields<Decoder>(*this, g.emplace());
        else
            g.reset();
    }

private:
    ReadState& m_state;
    Cursor m_in;
};

template <typename Record> // one that holds texts
constexpr bool isFact = std::is_same_v<Record, DeviceRecord> || std::is_same_v<Record, ProcessRecord> ||
                        std::is_same_v<Record, EnvironmentRecord> ||
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
    ActivityRecord m_activity; // every field is set anew each time, but the memory of its name stays
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
    if (tag > static_cast<std::uint64_t>(Tag::Origin)) {
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
    }
    ++m_unknown;
}

void ChunkReader::readOrigin(std::span<const std::byte> body) {
    Decoder decoder(m_state, body);
    fields<Decoder>(decoder, m_state.origin);
    m_badOthers += decoder.ok() ? 0 : 1;
}

template <typename Record>
void ChunkReader::decode(std::span<const std::byte> body, Record&& record) {
    if (isFact<std::remove_cvref_t<Record>> && ++m_facts > kMaxFacts)
        return;
    Decoder decoder(m_state, body);
    fields<Decoder>(decoder, record);
    setOrigin(record, m_state.origin);
    if (decoder.ok())
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
    using ChunkEncoder = Encoder<ChunkState, Texts>;
    ChunkEncoder encoder(*m_chunk, *m_texts, m_buffer);
    fields<ChunkEncoder>(encoder, record);
    putVarint(m_buffer, static_cast<std::uint64_t>(tagOf<Record>()));
    putVarint(m_buffer, m_chunk->written().size());
    m_buffer.insert(m_buffer.end(), m_chunk->written().begin(), m_chunk->written().end());
    if (tagOf<Record>() > Tag::Refused)
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
}
void RecordWriter::add(const RefusedRecord& r) {
    write(r);
}

void RecordWriter::flushIfLarge() {
    if (m_buffer.size() >= kFlushAt)
        flush();
}

/// A chunk takes less than a millisecond: only what a person sees is reported.
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

void readRecords(std::span<const std::byte> payload, RecordSink& sink) {
    ChunkReader(sink).read(payload);
}

} // namespace olab
