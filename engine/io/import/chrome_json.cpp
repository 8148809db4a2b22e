// The importer of Chrome trace JSON: PyTorch Profiler (Kineto) of every generation, TensorFlow 1 timelines,
// TensorFlow 2 and JAX, and what others write.
#include <olab/io/formats.h>

#include "chrome_assembly.h"
#include "event_blocks.h"
#include "in_order.h"

#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <atomic>
#include <immintrin.h>
#include <mutex>

namespace olab {
namespace json_import {
namespace {

constexpr std::size_t kHeadStep = std::size_t{64} << 10;
constexpr std::size_t kMostHead = std::size_t{64} << 20; // before the events, and of one event
constexpr std::size_t kMostTail = std::size_t{16} << 20;

[[noreturn]] void refuseFile(const Source& source, const std::string& why) {
    throw Error(
        ErrorKind::Usage, "unknown-format", source.path().string() + why,
        "Open a trace of the PyTorch profiler, of TensorFlow, JAX or a Chrome trace: its events are in a "
        "list called traceEvents, or are the list that the file is.");
}

/// Everything from the first event on: pieces are read, parsed side by side, and put together in their order.
class EventReader {
public:
    EventReader(Source& source, RecordSink& sink, const RunControl& control)
        : m_source(source)
        , m_joiner(sink.wantsDetails())
        , m_assembly(sink)
        , m_control(control)
        , m_sink(sink) {}

    void read() {
        readHead();
        const std::size_t threads = m_isSmall ? 1 : parsers();
        sideBySide(threads, threads, [this](std::size_t) { work(); });
        finish();
    }

private:
    /// What unpacks needs a core of its own, or all would wait for it.
    std::size_t parsers() const {
        const std::size_t most = threadsFor(std::numeric_limits<std::size_t>::max());
        return m_source.isPacked() ? std::max<std::size_t>(most - 1, 1) : most;
    }
    bool readStep(PaddedText& head);
    void readHead();
    void work();
    struct Piece {
        EventBlock block;
        EventBatch batch;
        BatchNews news;
        std::size_t maker = 0;
    };
    bool take(EventBlock& block);
    void put(Piece& piece);
    void keepRest(std::string_view text, std::uint64_t offset, EventBatch& batch);
    void finish();

    static constexpr std::size_t kMostWaiting = 16; ///< pieces

    Source& m_source;
    BatchMaker m_joiner; ///< of events that lie in two pieces
    ChromeAssembly m_assembly;
    const RunControl& m_control;
    RecordSink& m_sink;
    TopMembers m_members;
    bool m_isList = false; ///< the file is a list, in no object
    bool m_isSmall = false;
    std::optional<EventBlocks> m_blocks;

    std::mutex m_reading;
    std::atomic<std::size_t> m_makers = 1; ///< the joiner is the first
    InOrder<Piece> m_pieces{kMostWaiting};
    PaddedText m_open; ///< of an event that did not end in its block
    std::uint64_t m_openAt = 0;
    bool m_closed = false; ///< the list of events has ended
    PaddedText m_tail;
};

/// A whole step more, however few bytes a source gives at once; false: it has ended.
bool EventReader::readStep(PaddedText& head) {
    for (const std::size_t wanted = head.size() + kHeadStep; head.size() < wanted;) {
        const std::size_t got = m_source.read(head.room(wanted - head.size()));
        if (got == 0)
            return false;
        head.grow(got);
    }
    return true;
}

void EventReader::readHead() {
    PaddedText head;
    for (bool ended = false; !ended;) {
        ended = !readStep(head);
        m_members.clear();
        const TopParse parsed = parseHead(head.text(), m_members);
        if (parsed.end == TopParse::End::Events) {
            const char* const begin = head.text().data();
            m_isList = std::all_of(begin, parsed.at - 1, [](char c) { return isSpace(c) || c < 0; });
            m_isSmall = ended;
            const auto before = static_cast<std::size_t>(parsed.at - begin);
            m_blocks.emplace(m_source, head.text().substr(before), before);
            return;
        }
        if (parsed.end == TopParse::End::Bad)
            refuseFile(m_source, " is not JSON, although it begins like it.");
        if (parsed.end == TopParse::End::Closed || ended || head.size() > kMostHead)
            refuseFile(m_source, " is JSON, but no trace: it has no events.");
    }
}

/// Reading takes less time than it takes to wake somebody who sleeps until it is his turn.
bool EventReader::take(EventBlock& block) {
    constexpr int kLooks = 2000;
    std::unique_lock lock(m_reading, std::try_to_lock);
    for (int look = 0; !lock && look < kLooks; ++look) {
        _mm_pause();
        lock.try_lock();
    }
    if (!lock)
        lock.lock();
    return m_blocks->next(block);
}

void EventReader::work() {
    BatchMaker maker(m_sink.wantsDetails());
    const std::size_t number = m_makers++;
    try {
        for (auto piece = m_pieces.blank(); take(piece->block); piece = m_pieces.blank()) {
            m_control.throwIfCancelled();
            maker.make(piece->block.bytes.text(), piece->block.offset, piece->batch);
            maker.takeNews(piece->news);
            piece->maker = number;
            const std::size_t place = piece->block.number;
            m_pieces.give(place, std::move(piece), [this](Piece& next) { put(next); });
        }
    } catch (...) {
        if (m_pieces.fail())
            throw;
    }
}

/// Called for one piece after the other.
void EventReader::put(Piece& piece) {
    const std::string_view text = piece.block.bytes.text();
    if (m_closed) {
        if (m_tail.size() < kMostTail)
            m_tail.append(text);
        return;
    }
    m_assembly.learn(piece.maker, piece.news);
    if (m_open.size() == 0) {
        m_assembly.add(piece.maker, piece.batch);
        return keepRest(text, piece.block.offset, piece.batch);
    }
    PaddedText whole; // the piece began in the middle of an event
    std::swap(whole, m_open);
    whole.append(text);
    m_joiner.make(whole.text(), m_openAt, piece.batch);
    m_joiner.takeNews(piece.news);
    m_assembly.learn(0, piece.news);
    m_assembly.add(0, piece.batch);
    keepRest(whole.text(), m_openAt, piece.batch);
}

/// What comes behind the events of a batch.
void EventReader::keepRest(std::string_view text, std::uint64_t offset, EventBatch& batch) {
    const std::string_view rest = text.substr(batch.behind);
    m_closed = batch.end == BatchEnd::Closed;
    if (m_closed)
        m_tail.append(rest.substr(1));
    if (batch.end == BatchEnd::Open && rest.size() <= kMostHead) {
        m_open.clear();
        m_open.append(rest);
        m_openAt = offset + batch.behind;
    } else if (batch.end == BatchEnd::Open)
        m_assembly.refuse({DefectCode::BadRecord, kAllClasses, "events larger than 64 MiB"},
                          {1, offset + batch.behind});
}

void EventReader::finish() {
    if (m_open.size() == 0 && m_assembly.isNoTrace())
        refuseFile(m_source, " is JSON, but no trace: nothing in its list is an event.");
    if (m_open.size() > 0)
        m_assembly.refuse({DefectCode::TruncatedFile, kAllClasses, "its last event is not whole"},
                          {1, m_openAt});
    bool isWhole = m_closed;
    if (m_closed && !m_isList)
        isWhole = parseTail(m_tail.text(), m_members).end == TopParse::End::Closed;
    m_assembly.finish(m_members);
    if (!isWhole && m_open.size() == 0)
        m_sink.addDefect(m_isList ? DefectCode::OpenEnd : DefectCode::TruncatedFile, 1, kAllClasses,
                         m_closed ? "what follows the events is damaged" : "its list of events does not end");
}

} // namespace
} // namespace json_import

namespace {

bool sniffChromeJson(std::span<const std::byte> head) {
    std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    while (!text.empty() && json_import::isSpace(text.front()))
        text.remove_prefix(1);
    return text.starts_with('{') || text.starts_with('[');
}

RecordingData readChromeJson(Source& source, RecordSink& records, const RunControl& control) {
    json_import::EventReader(source, records, control).read();
    return {};
}

} // namespace

namespace imports::chrome_json {

Importer row() {
    return {"json", "PyTorch, TensorFlow, JAX or Chrome trace", "*.json *.json.gz *.json.zst",
            sniffChromeJson, readChromeJson};
}

} // namespace imports::chrome_json

} // namespace olab
