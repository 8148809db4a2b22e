// Follows the text of a Chrome trace from its first event on, in order: makers turn pieces into batches,
// guessing that each piece begins at an event. If a guess was wrong, the piece is read again with the rest of
// the previous one. The text after the events is followed to the end of the file: events in a second list or
// a second document are counted, but not read. One thread at a time. Private to io.
#pragma once

#include "chrome_assembly.h"
#include "chrome_reading.h"
#include "event_blocks.h"

namespace olab::io::json_import {

class ChromeDocument {
public:
    /// `members`: found before the events; `isBare`: the list of events is not in an object.
    ChromeDocument(RecordSink& sink, const ChromeReading& reading, TopMembers members, bool isBare);
    /// The next piece, and the result of the maker with this number.
    void add(std::size_t maker, BatchNews& news, EventBatch& batch, const EventBlock& piece);
    /// End of input. @returns false if there were no events: then there is no trace
    bool finish();
    /// Bytes, each as often as it was scanned here.
    std::uint64_t lookedAt() const { return m_lookedAt + m_joiner.lookedAt(); }

private:
    enum class Place {
        Events,  ///< in a list of events
        Members, ///< after the list, in the object
        Between, ///< after a document
        Ended    ///< in unknown text
    };
    std::string_view rest() const { return m_text.text().substr(m_from); }
    std::uint64_t restAt() const { return m_textAt + m_from; }
    bool isFirst() const { return m_unread.empty(); }
    void append(std::string_view text);
    void walk(bool isLast);
    bool step(bool isLast);
    bool stepEvents(bool isLast);
    bool stepMembers();
    bool stepBetween(bool isLast);
    void deliver(std::size_t maker, EventBatch& batch);
    void joinCommas(EventBatch& batch);
    bool enterList(const TopParse& found, std::string_view unread);
    bool waitForMore(std::size_t most);
    void countLook(const TopParse& parsed);
    void refuseRest();
    void tellEnd();

    const ChromeReading m_reading;
    RecordSink& m_sink;
    ChromeAssembly m_assembly;
    BatchMaker m_joiner; ///< for events split over two pieces; maker 0
    EventBatch m_batch;
    TopMembers m_members, m_others; ///< of this document, and of others
    Place m_place = Place::Events;
    bool m_isBare;
    bool m_isTooLarge = false; ///< what follows the events
    std::string_view m_unread; ///< why events are only counted; empty: they are read
    std::uint64_t m_unreadFrom = 0;
    TopSearch m_search{TopSearch::From::Members};
    Resume m_resume;
    Commas m_commas;   ///< where pieces meet, in this list
    PaddedText m_text; ///< not yet understood, from m_from on
    std::uint64_t m_textAt = 0;
    std::size_t m_from = 0;
    std::size_t m_wanted = 0; ///< bytes before another scan makes sense: the number of scans must stay small
    std::uint64_t m_lookedAt = 0;
};

} // namespace olab::io::json_import
