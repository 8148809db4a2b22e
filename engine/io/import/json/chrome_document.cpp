#include "chrome_document.h"

#include "chrome_event.h"

#include <algorithm>
#include <cstring>

namespace olab::io::json_import {

std::span<std::byte> PaddedText::room(std::size_t more) {
    if (m_bytes.size() < m_size + more + kPadding)
        m_bytes.resize(m_size + more + kPadding);
    return std::as_writable_bytes(std::span(m_bytes)).subspan(m_size, more);
}

void PaddedText::append(std::string_view text) {
    if (text.empty()) // which may be empty
        return;
    std::memcpy(room(text.size()).data(), text.data(), text.size());
    m_size += text.size();
}

void PaddedText::drop(std::size_t first) {
    if (first == 0)
        return;
    std::memmove(m_bytes.data(), m_bytes.data() + first, m_size - first);
    m_size -= first;
}

EventBlocks::EventBlocks(Source& source, std::string_view begun, std::uint64_t offset, std::size_t blockBytes)
    : m_source(source)
    , m_blockBytes(blockBytes)
    , m_begun(begun.begin(), begun.end())
    , m_offset(offset) {}

bool EventBlocks::next(EventBlock& block) {
    block.bytes.clear();
    const std::size_t begun = std::min(m_begun.size() - m_given, m_blockBytes);
    block.bytes.append({m_begun.data() + m_given, begun});
    m_given += begun;
    while (!m_ended && block.bytes.size() < m_blockBytes) {
        const std::size_t got = m_source.read(block.bytes.room(m_blockBytes - block.bytes.size()));
        block.bytes.grow(got);
        m_ended = got == 0;
    }
    const std::string_view text = block.bytes.text();
    if (!m_ended || m_given < m_begun.size())
        if (const char* last = lastEvent(text.data(), text.data() + text.size()))
            giveBack(block, static_cast<std::size_t>(last - text.data()));
    block.offset = m_offset, block.number = m_number++;
    m_offset += block.bytes.size();
    return block.bytes.size() > 0;
}

/// All but `size` bytes, for the next one.
void EventBlocks::giveBack(EventBlock& block, std::size_t size) {
    const std::string_view rest = block.bytes.text().substr(size);
    if (rest.size() <= m_given && m_given < m_begun.size())
        m_given -= rest.size();
    else {
        m_begun.assign(rest.begin(), rest.end());
        m_given = 0;
    }
    block.bytes.cut(size);
}

namespace {

constexpr std::string_view kSecondList = "events of a second list called traceEvents, which were not read";
constexpr std::string_view kSecondDocument = "events of a second document after the end of the first, which "
                                             "were not read: write each to a file of its "
                                             "own";

} // namespace

ChromeDocument::ChromeDocument(RecordSink& sink, const ChromeReading& reading, TopMembers members,
                               bool isBare)
    : m_reading(reading)
    , m_sink(sink)
    , m_assembly(sink)
    , m_joiner(sink.wantsDetails(), true, reading.mostEvent)
    , m_members(std::move(members))
    , m_isBare(isBare) {}

void ChromeDocument::add(std::size_t maker, BatchNews& news, EventBatch& batch, const EventBlock& piece) {
    m_assembly.learn(maker, news);
    const std::string_view text = piece.bytes.text();
    const bool isGuessRight = m_place == Place::Events && rest().empty() && !m_resume.isBroken &&
                              piece.offset >= m_joiner.hurriedTo();
    if (!isGuessRight) {
        if (rest().empty())
            m_text.clear(), m_from = 0, m_textAt = piece.offset;
        append(text);
        if (rest().size() >= m_wanted)
            walk(false);
        return;
    }
    m_text.clear(), m_from = 0, m_textAt = piece.offset + batch.behind;
    m_text.append(text.substr(batch.behind));
    deliver(maker, batch);
    if (m_place != Place::Events)
        walk(false);
}

void ChromeDocument::append(std::string_view text) {
    m_text.drop(m_from);
    m_textAt += m_from, m_from = 0;
    m_text.append(text);
}

void ChromeDocument::walk(bool isLast) {
    m_wanted = 0;
    while (step(isLast)) {
    }
}

/// @returns whether there is more to do
bool ChromeDocument::step(bool isLast) {
    switch (m_place) {
    case Place::Events:
        return stepEvents(isLast);
    case Place::Members:
        return stepMembers();
    case Place::Between:
        return stepBetween(isLast);
    case Place::Ended:
        m_text.clear(), m_from = 0;
        return false;
    }
    return false;
}

bool ChromeDocument::stepEvents(bool isLast) {
    if (rest().empty())
        return false;
    m_resume.isLast = isLast;
    m_joiner.make(rest(), restAt(), m_batch, m_resume);
    BatchNews news;
    m_joiner.takeNews(news);
    m_assembly.learn(0, news);
    m_from += m_batch.behind;
    deliver(0, m_batch);
    return m_place != Place::Events;
}

/// The remaining text begins after the batch.
void ChromeDocument::deliver(std::size_t maker, EventBatch& batch) {
    if (isFirst()) {
        joinCommas(batch);
        m_assembly.add(maker, batch);
    } else
        m_assembly.refuseAll(batch, {DefectCode::ChunkOrder, kAllClasses, m_unread}, m_unreadFrom);
    m_resume = {batch.end == BatchEnd::Broken, batch.seen, batch.end == BatchEnd::Open, false};
    m_wanted = 0;
    if (m_resume.isOpen)
        waitForMore(m_reading.mostEvent);
    if (batch.end != BatchEnd::Closed)
        return;
    ++m_from;
    m_place = m_isBare ? Place::Between : Place::Members;
    m_search = TopSearch(m_isBare ? TopSearch::From::Begin : TopSearch::From::Members);
}

/// Those behind one batch and before the next one.
void ChromeDocument::joinCommas(EventBatch& batch) {
    const Commas& next = batch.commas;
    m_commas.behind += next.isAround ? next.before : next.behind;
    if (next.isAround) {
        if (!next.isBeforeDamage)
            batch.commas.tell(m_commas.behind, next.place, m_commas.isAround ? 1 : 0);
        m_commas.isAround = true, m_commas.behind = next.behind;
    }
    if (batch.end == BatchEnd::Closed)
        batch.commas.tell(m_commas.behind, restAt(), 0);
}

/// Waits for twice the text, so that all scans together cost no more than a few; or fails above `most`.
/// @returns false
bool ChromeDocument::waitForMore(std::size_t most) {
    const std::size_t size = rest().size();
    m_wanted = size <= most ? std::min(2 * size, most + 1) : 2 * size;
    return false;
}

bool ChromeDocument::enterList(const TopParse& found, std::string_view unread) {
    m_from = static_cast<std::size_t>(found.at - m_text.text().data());
    m_place = Place::Events;
    m_resume = {}, m_commas = {};
    m_isBare = found.isBare;
    if (isFirst())
        m_unread = unread, m_unreadFrom = restAt() - 1;
    return true;
}

bool ChromeDocument::stepMembers() {
    const bool isOther = m_unread == kSecondDocument;
    const TopParse parsed = m_search.look(rest(), isOther ? m_others : m_members);
    countLook(parsed);
    switch (parsed.end) {
    case TopParse::End::Events:
        return enterList(parsed, kSecondList);
    case TopParse::End::Closed:
        m_from = static_cast<std::size_t>(parsed.at - m_text.text().data());
        m_place = Place::Between;
        m_search = TopSearch(TopSearch::From::Begin);
        return true;
    case TopParse::End::Open:
    case TopParse::End::Bad:
        break;
    }
    m_from += m_search.understood();
    m_search.forget();
    m_isTooLarge = rest().size() > m_reading.mostMember;
    m_place = m_isTooLarge ? Place::Ended : m_place;
    return waitForMore(m_reading.mostMember);
}

bool ChromeDocument::stepBetween(bool isLast) {
    if (m_search.understood() == 0) {
        const std::string_view text = rest();
        m_from += static_cast<std::size_t>(skipSpace(text.data(), text.data() + text.size()) - text.data());
    }
    if (rest().empty())
        return false;
    const TopParse parsed = m_search.look(rest(), m_others);
    countLook(parsed);
    if (parsed.end == TopParse::End::Events) {
        if (m_unread != kSecondDocument)
            m_unread = {};
        return enterList(parsed, kSecondDocument);
    }
    if (parsed.end == TopParse::End::Open && !isLast && rest().size() <= m_reading.mostMember)
        return waitForMore(m_reading.mostMember);
    refuseRest();
    m_place = parsed.end == TopParse::End::Closed ? Place::Between : Place::Ended;
    m_search = TopSearch(TopSearch::From::Begin);
    m_from = static_cast<std::size_t>(parsed.at - m_text.text().data());
    return true;
}

void ChromeDocument::countLook(const TopParse& parsed) {
    const bool isFound = parsed.end == TopParse::End::Events || parsed.end == TopParse::End::Closed;
    m_lookedAt += isFound ? static_cast<std::uint64_t>(parsed.at - rest().data()) : rest().size();
}

void ChromeDocument::refuseRest() {
    m_assembly.refuse(
        {DefectCode::DamagedChunk, kAllClasses, "text after the end of the document, which was not read"},
        {1, restAt()});
}

bool ChromeDocument::finish() {
    walk(true);
    const bool isCut = m_place == Place::Events && !rest().empty();
    if (!isCut && m_assembly.isNoTrace())
        return false;
    if (isCut && isFirst())
        m_assembly.refuse({DefectCode::TruncatedFile, kAllClasses, "its last event is not whole"},
                          {1, restAt()});
    else if (isCut)
        refuseRest();
    m_assembly.finish(m_members);
    if (!isCut && m_unread != kSecondDocument)
        tellEnd();
    return true;
}

/// A list outside an object need not be closed: the format allows programs to append until they end.
void ChromeDocument::tellEnd() {
    const auto tell = [this](DefectCode code, const char* what) {
        m_sink.addDefect(code, 1, kAllClasses, what);
    };
    if (m_place == Place::Events && m_isBare)
        tell(DefectCode::OpenEnd, "the closing bracket of its list is missing, which this format allows; all "
                                  "events are whole");
    else if (m_place == Place::Events)
        tell(DefectCode::TruncatedFile, "its list of events does not end");
    else if (m_place == Place::Members)
        tell(DefectCode::TruncatedFile, m_search.isDamaged() ? "what follows the events is damaged"
                                                             : "the end of the document is missing");
    else if (m_isTooLarge)
        tell(DefectCode::TruncatedFile, "what follows the events is too large to be looked at");
}

} // namespace olab::io::json_import
