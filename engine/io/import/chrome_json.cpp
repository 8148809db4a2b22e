// The importer of Chrome trace JSON: PyTorch Profiler (Kineto) of every generation, TensorFlow 1 timelines,
// TensorFlow 2 and JAX, and what others write.
#include <olab/io/formats.h>

#include "chrome_assembly.h"
#include "event_blocks.h"

#include <olab/trace/side_by_side.h>

#include <algorithm>
#include <condition_variable>
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
    bool take(EventBlock& block);
    void put(BatchMaker& maker, EventBlock& block, EventBatch& batch);
    void waitFor(std::size_t number);
    void finish();

    Source& m_source;
    ChromeAssembly m_assembly;
    const RunControl& m_control;
    RecordSink& m_sink;
    TopMembers m_members;
    bool m_isList = false; ///< the file is a list, in no object
    bool m_isSmall = false;
    std::optional<EventBlocks> m_blocks;

    std::mutex m_reading, m_putting;
    std::condition_variable m_next;
    std::size_t m_put = 0; ///< blocks that were put together
    bool m_failed = false;
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

bool EventReader::take(EventBlock& block) {
    const std::lock_guard lock(m_reading);
    return m_blocks->next(block);
}

void EventReader::waitFor(std::size_t number) {
    std::unique_lock lock(m_putting);
    m_next.wait(lock, [&] { return m_put == number || m_failed; });
    if (m_failed)
        throw Error(ErrorKind::Cancelled, "cancelled", "Cancelled."); // another thread says why
}

void EventReader::work() {
    BatchMaker maker(m_sink.wantsDetails());
    EventBlock block;
    EventBatch batch;
    try {
        while (take(block)) {
            m_control.throwIfCancelled();
            maker.make(block.bytes.text(), block.offset, batch);
            waitFor(block.number);
            put(maker, block, batch);
            {
                const std::lock_guard lock(m_putting);
                ++m_put;
            }
            m_next.notify_all();
        }
    } catch (...) {
        {
            const std::lock_guard lock(m_putting);
            if (m_failed)
                return;
            m_failed = true;
        }
        m_next.notify_all();
        throw;
    }
}

/// Called for one block after the other.
void EventReader::put(BatchMaker& maker, EventBlock& block, EventBatch& batch) {
    std::string_view text = block.bytes.text();
    if (m_closed) {
        if (m_tail.size() < kMostTail)
            m_tail.append(text);
        return;
    }
    PaddedText whole;
    std::uint64_t offset = block.offset;
    if (m_open.size() > 0) { // the block began in the middle of an event
        std::swap(whole, m_open);
        whole.append(text);
        text = whole.text(), offset = m_openAt;
        maker.make(text, offset, batch);
    }
    m_assembly.add(maker, batch);
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
