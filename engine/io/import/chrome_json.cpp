// The importer of Chrome trace JSON: PyTorch Profiler (Kineto) of every generation, TensorFlow 1 timelines,
// TensorFlow 2 and JAX, and other tools.
#include <olab/io/formats.h>

#include "foreign_files.h"
#include "in_order.h"
#include "json/chrome_document.h"
#include "json/json_tokens.h"

#include <olab/trace/side_by_side.h>

#include <atomic>
#include <mutex>

namespace olab::io {
namespace json_import {
namespace {

[[noreturn]] void refuseFile(const Source& source, const std::string& why) {
    throw Error(
        ErrorKind::Usage, "unknown-format", source.path().string() + why,
        "Open a trace of the PyTorch profiler, of TensorFlow, JAX or a Chrome trace: its events are in a "
        "list called traceEvents, or are the list that the file is.");
}

/// Everything from the first event on: pieces are read, parsed in parallel, and joined in order.
class EventReader {
public:
    EventReader(Source& source, RecordSink& sink, const RunControl& control, const ChromeReading& reading)
        : m_source(source)
        , m_control(control)
        , m_sink(sink)
        , m_reading(reading) {}

    void read() {
        readHead();
        const std::size_t threads = parsers();
        sideBySide(threads, threads, [this](std::size_t) { work(); });
        const bool isTrace = m_document->finish();
        if (m_reading.lookedAt)
            *m_reading.lookedAt += m_document->lookedAt();
        if (!isTrace)
            refuseFile(m_source, " is JSON, but no trace: nothing in its list is an event.");
    }

private:
    struct Piece {
        EventBlock block;
        EventBatch batch;
        BatchNews news;
        std::size_t maker = 0;
    };
    std::size_t parsers() const;
    bool readStep(PaddedText& head, std::size_t size);
    void readHead();
    [[noreturn]] void refuseHead(bool isTooLarge, bool isDamaged) const;
    void work();
    bool take(EventBlock& block);

    static constexpr std::size_t kMostWaiting = 16; ///< pieces

    Source& m_source;
    const RunControl& m_control;
    RecordSink& m_sink;
    const ChromeReading m_reading;
    bool m_isSmall = false;
    std::optional<EventBlocks> m_blocks;
    std::optional<ChromeDocument> m_document;

    std::mutex m_mutex;                    ///< of m_blocks
    std::atomic<std::size_t> m_makers = 1; ///< the document has the first
    InOrder<Piece> m_pieces{kMostWaiting};
};

/// Decompression needs its own core, or everything would wait for it.
std::size_t EventReader::parsers() const {
    if (m_reading.threads > 0)
        return m_reading.threads;
    const std::size_t most = threadsFor(std::numeric_limits<std::size_t>::max());
    return m_isSmall ? 1 : m_source.isPacked() ? std::max<std::size_t>(most - 1, 1) : most;
}

/// Reads this many more bytes, however few a source gives at a time; false: it has ended.
bool EventReader::readStep(PaddedText& head, std::size_t size) {
    for (const std::size_t wanted = head.size() + size; head.size() < wanted;) {
        m_control.throwIfCancelled();
        const std::size_t got = m_source.read(head.room(wanted - head.size()));
        if (got == 0)
            return false;
        head.grow(got);
    }
    return true;
}

/// Text that was not understood is scanned again with as much new text after it: so the number of scans stays
/// small.
void EventReader::readHead() {
    PaddedText head;
    TopMembers members;
    TopSearch search(TopSearch::From::Begin);
    std::uint64_t before = 0; // bytes understood and dropped
    for (bool ended = false;;) {
        ended = !readStep(head, std::max(m_reading.headStep, head.size()));
        const TopParse parsed = search.look(head.text(), members);
        if (m_reading.lookedAt)
            *m_reading.lookedAt += head.size();
        if (parsed.end == TopParse::End::Events) {
            const auto list = static_cast<std::size_t>(parsed.at - head.text().data());
            m_isSmall = ended;
            m_blocks.emplace(m_source, head.text().substr(list), before + list, m_reading.blockBytes);
            m_document.emplace(m_sink, m_reading, std::move(members), parsed.isBare);
            return;
        }
        if (parsed.end == TopParse::End::Bad)
            refuseFile(m_source, " is not JSON, although it begins like it.");
        if (parsed.end == TopParse::End::Closed)
            refuseFile(m_source, " is JSON, but no trace: it has no events.");
        before += search.understood();
        head.drop(search.understood());
        search.forget();
        if (ended || head.size() > m_reading.mostMember)
            refuseHead(!ended, search.isDamaged());
    }
}

void EventReader::refuseHead(bool isTooLarge, bool isDamaged) const {
    refuseFile(m_source, isTooLarge  ? " has a value of more than 256 MiB before any events."
                         : isDamaged ? " is damaged JSON: no list of events was found in it."
                                     : " ends before its list of events begins: it was cut off.");
}

/// Reading takes less time than waking a thread that sleeps until its turn.
bool EventReader::take(EventBlock& block) {
    constexpr int kLooks = 2000;
    std::unique_lock lock(m_mutex, std::try_to_lock);
    for (int look = 0; !lock && look < kLooks; ++look) {
        relaxProcessor();
        lock.try_lock();
    }
    if (!lock)
        lock.lock();
    return m_blocks->next(block);
}

void EventReader::work() {
    BatchMaker maker(m_sink.wantsDetails(), false, m_reading.mostEvent);
    const std::size_t number = m_makers++;
    try {
        for (auto piece = m_pieces.blank(); take(piece->block); piece = m_pieces.blank()) {
            m_control.throwIfCancelled();
            maker.make(piece->block.bytes.text(), piece->block.offset, piece->batch);
            maker.takeNews(piece->news);
            piece->maker = number;
            const std::size_t place = piece->block.number;
            m_pieces.give(place, std::move(piece), [this](Piece& next) {
                m_document->add(next.maker, next.news, next.batch, next.block);
            });
        }
    } catch (...) {
        if (m_pieces.fail())
            throw;
    }
    if (m_reading.lookedAt)
        *m_reading.lookedAt += maker.lookedAt();
}

} // namespace

RecordingData readChrome(Source& source, RecordSink& records, const RunControl& control,
                         const ChromeReading& reading) {
    EventReader(source, records, control, reading).read();
    return {};
}

} // namespace json_import

namespace {

bool sniffChromeJson(std::span<const std::byte> head) {
    std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    while (!text.empty() && json_import::isSpace(text.front()))
        text.remove_prefix(1);
    const bool isWide = text.size() > 1 && text[1] == '\0'; // UTF-16
    return (text.starts_with('{') || text.starts_with('[')) && !isWide && !isRocprofilerJson(text);
}

RecordingData readChromeJson(Source& source, RecordSink& records, const RunControl& control) {
    return json_import::readChrome(source, records, control);
}

} // namespace

namespace imports::chrome_json {

Importer row() {
    return {"json", "PyTorch, TensorFlow, JAX or Chrome trace", "*.json *.json.gz *.json.zst",
            sniffChromeJson, readChromeJson};
}

} // namespace imports::chrome_json

} // namespace olab::io
