// Millions of events of a trace are written by a few lines of some program: the same keys in the same order
// with the same spaces. A template is what such events have in common, learned from one that the general
// parser has read: comparing it is all that most of an event costs, and the values are what lies between. An
// event that is not exactly like a template goes to the general parser, so nothing depends on them but speed.
// Private to io.
#pragma once

#include "bytes16.h"
#include "chrome_event.h"

#include <string>
#include <vector>

namespace olab::json_import {

class EventTemplate {
public:
    /// Of an event in [begin, end) and its values.
    EventTemplate(const char* begin, const char* end, const std::vector<Slot>& slots);
    EventTemplate(EventTemplate&&) = default; // what points into its vectors stays right
    EventTemplate& operator=(EventTemplate&&) = default;
    /// Where the event at `at` ends, its values in `event`; null: it is not like this one. Learns how long
    /// its values are. `isWide`: this processor has AVX2.
    const char* match(const char* at, const char* end, Event& event, bool isWide);
    /// Nobody asks for other values (Event::maskOf()): from now on an event has only these.
    void keepOnly(std::uint64_t fields);

private:
    struct Part {
        std::string literal; ///< what stands before the value
        Field field = Field::None;
        ValueKind kind = ValueKind::Missing;
        char next = 0;       ///< what follows a number
        bool isOpen = false; ///< where it ends is looked for
        unsigned changes = 0;
        std::string value; ///< of one that is not open: a number is as long, a string is the same
    };
    struct Fixed {
        Field field;
        Value value; ///< into m_kept
    };
    /// Of a value that is not open: where it stands in its run.
    struct Place {
        Field field;
        ValueKind kind;
        std::uint32_t at, size;
    };
    /// Bytes from one open value, or the begin, to the next, or the end: of each is known what it may be.
    struct Run {
        std::uint32_t size = 0, blocks = 0;
        std::uint32_t bounds = 0;                    ///< into m_bounds
        std::uint32_t firstPlace = 0, lastPlace = 0; ///< into m_places
        Field field = Field::None;                   ///< of the open value behind it
        ValueKind kind = ValueKind::Missing;
        char next = 0;
    };
    static constexpr std::size_t kBlock = 32;
    /// What bytes are at the least and at the most; behind the last of a run, anything.
    struct Bounds {
        unsigned char low[kBlock], high[kBlock];
    };
    static bool isWithin(const char* text, const Bounds* bounds, std::size_t blocks);
    static bool isWithinWide(const char* text, const Bounds* bounds, std::size_t blocks);
    template <bool isWide>
    const char* matchRunsAs(const char* at, const char* end, Event& event) const;
    const char* matchRuns(const char* at, const char* end, Event& event) const;
    const char* matchRunsWide(const char* at, const char* end, Event& event) const; ///< with AVX2
    const char* matchParts(const char* at, const char* end, Event& event);
    void adapt();
    void makeRuns();
    void closeRun(std::string& low, std::string& high);

    std::vector<Run> m_runs;
    std::vector<Bounds> m_bounds;
    std::vector<Place> m_places;
    std::vector<Fixed> m_fixed; ///< values that are part of the literals: phase, category, words
    std::uint64_t m_fields = 0; ///< that have a value
    std::size_t m_matches = 0;
    std::vector<Part> m_parts;
    std::string m_last; ///< behind the last value
    std::vector<char> m_kept;
    std::vector<std::string_view> m_found; ///< values of the last event by part
};

/// What follows from the phase and the category of an event, which all events of a template share.
struct EventNote {
    bool isSet = false;
    char phase = 0;
    std::uint8_t kind = 0;
    std::uint32_t categoryText = 0;
};

/// The templates one thread has learned.
class EventTemplates {
public:
    /// `isWide`: see EventTemplate::match().
    explicit EventTemplates(bool isWide = hasWideVectors())
        : m_isWide(isWide) {}
    /// As parseEvent().
    Parsed parse(const char* at, const char* end, Event& event);
    /// The same without a look at what is known, and nothing is learned.
    Parsed parseAlone(const char* at, const char* end, Event& event) {
        m_isKnown = false;
        return parseEvent(at, end, event);
    }
    /// What the user of these knows of all events of the template that the last event was like: at first
    /// nothing. Null: it was like none.
    EventNote* note() { return m_isKnown ? &m_known[m_last].note : nullptr; }
    /// Of events like the last one, where note() is not null.
    void keepOnly(std::uint64_t fields) { m_known[m_last].shape.keepOnly(fields); }

private:
    struct Known {
        EventTemplate shape;
        std::size_t next = 0, other = 0; ///< which follows most often, and which did last of all others
        unsigned trust = 0;              ///< in the first
        EventNote note{};
    };
    Parsed learn(const char* at, const char* end, Event& event);
    const bool m_isWide;
    std::vector<Known> m_known;
    std::vector<Slot> m_slots;
    std::size_t m_last = 0;
    bool m_isKnown = false;
    std::size_t m_misses = 0; ///< since all that is known was last of use
};

} // namespace olab::json_import
