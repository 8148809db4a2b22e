// The text of a Chrome trace, followed from its first event on and split into pieces. Private to io.
#pragma once

#include "chrome_assembly.h"
#include "json_tokens.h"

#include <olab/io/formats.h>
#include <olab/io/source.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace olab::io::json_import {

/// Settings of the reader of Chrome JSON: the defaults are right, but tests make sizes tiny, so that short
/// inputs are split into many pieces and read by many threads. The result must not depend on them, except on
/// `mostEvent` and `mostMember`.
struct ChromeReading {
    std::size_t blockBytes = std::size_t{512} << 10; ///< of a piece of the list of events
    std::size_t headStep = std::size_t{64} << 10;    ///< of the steps until the list begins
    std::size_t threads = 0;                         ///< that parse pieces; 0: as many as the machine has
    std::size_t mostEvent = std::size_t{64} << 20;   ///< larger ones are refused
    std::size_t mostMember = std::size_t{256} << 20; ///< of the text before or after the events
    std::atomic<std::uint64_t>* lookedAt = nullptr;  ///< counts bytes, each as often as a parser scanned it
};

/// What the importer does. @throws Error as Importer::read
RecordingData readChrome(Source& source, RecordSink& records, const RunControl& control,
                         const ChromeReading& reading = {});

// Splits the list of events of a Chrome trace into pieces at likely event boundaries: reading a piece shows
// whether the guess was right; if not, the next piece is joined.

/// Bytes followed by readable padding.
class PaddedText {
public:
    void clear() { m_size = 0; }
    std::size_t size() const { return m_size; }
    std::string_view text() const { return {m_bytes.data(), m_size}; }
    /// Room for `more` bytes at the end; report with grow() how many were filled.
    std::span<std::byte> room(std::size_t more);
    void grow(std::size_t by) { m_size += by; }
    void cut(std::size_t size) { m_size = size; }
    void append(std::string_view text);
    /// Without its first bytes.
    void drop(std::size_t first);

private:
    std::vector<char> m_bytes;
    std::size_t m_size = 0;
};

struct EventBlock {
    PaddedText bytes;
    std::uint64_t offset = 0; ///< of its first byte in the file
    std::size_t number = 0;
};

class EventBlocks {
public:
    /// `begun`: text already read from the source, from the first event on, which is at `offset`. The maximum
    /// size of a piece in bytes.
    EventBlocks(Source& source, std::string_view begun, std::uint64_t offset, std::size_t blockBytes);
    /// The next one; false: there is none. One thread at a time. @throws Error as Source::read()
    bool next(EventBlock& block);

private:
    void giveBack(EventBlock& block, std::size_t size);
    Source& m_source;
    const std::size_t m_blockBytes;
    std::vector<char> m_begun;
    std::size_t m_given = 0; ///< of it
    std::uint64_t m_offset;
    std::size_t m_number = 0;
    bool m_ended = false;
};

/// Follows the text of a Chrome trace from its first event on, in order: makers turn pieces into batches,
/// guessing that each piece begins at an event. If a guess was wrong, the piece is read again with the rest
/// of the previous one. The text after the events is followed to the end of the file: events in a second list
/// or a second document are counted, but not read. One thread at a time.
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
