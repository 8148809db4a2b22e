// The text of a Chrome trace from its first event on, in its order: pieces of which a maker has made a batch,
// each on the guess that it begins at an event. Where that was not so the piece is read again with what was
// left of the one before. What comes behind the events is followed to the end of the file: events that stand
// in a second list or a second document are not read, but counted. One thread at a time. Private to io.
#pragma once

#include "chrome_assembly.h"
#include "chrome_reading.h"
#include "event_blocks.h"

namespace olab::json_import {

class ChromeDocument {
public:
    /// `members`: what stood before the events; `isBare`: they are a list in no object.
    ChromeDocument(RecordSink& sink, const ChromeReading& reading, TopMembers members, bool isBare);
    /// The next piece, and what the maker of this number made of it.
    void add(std::size_t maker, BatchNews& news, EventBatch& batch, const EventBlock& piece);
    /// Nothing comes any more. @returns false where nothing was an event: then there is no trace
    bool finish();
    /// Bytes, each as often as it was gone over here.
    std::uint64_t lookedAt() const { return m_lookedAt + m_joiner.lookedAt(); }

private:
    enum class Place {
        Events,  ///< in a list of them
        Members, ///< behind it, in the object
        Between, ///< behind a document
        Ended    ///< in text of which nothing is known
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
    bool enterList(const TopParse& found, std::string_view unread);
    bool waitForMore(std::size_t most);
    void countLook(const TopParse& parsed);
    void refuseRest();
    void tellEnd();

    const ChromeReading m_reading;
    RecordSink& m_sink;
    ChromeAssembly m_assembly;
    BatchMaker m_joiner; ///< of what lies in two pieces; maker 0
    EventBatch m_batch;
    TopMembers m_members, m_others; ///< of this document, and of any other
    Place m_place = Place::Events;
    bool m_isBare;
    bool m_isTooLarge = false; ///< what comes behind the events
    std::string_view m_unread; ///< why events are only counted; empty: they are read
    std::uint64_t m_unreadFrom = 0;
    TopSearch m_search{TopSearch::From::Members};
    Resume m_resume;
    PaddedText m_text; ///< not understood yet, from m_from on
    std::uint64_t m_textAt = 0;
    std::size_t m_from = 0;
    std::size_t m_wanted = 0; ///< bytes, before another look is of use: looks at all of it must stay few
    std::uint64_t m_lookedAt = 0;
};

} // namespace olab::json_import
