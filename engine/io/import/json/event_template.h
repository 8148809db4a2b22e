// Millions of events of a trace are written by a few lines of some program: the same keys in the same order
// with the same spaces. A template is what such events have in common, learned from one read by the general
// parser: most of an event is only compared with it, and the values are in between. An event that differs
// from all templates goes to the general parser, so templates only affect speed. Private to io.
#pragma once

#include "chrome_event.h"
#include "json_tokens.h"

#include <string>
#include <vector>

namespace olab::io::json_import {

class EventTemplate {
public:
    /// Learns from an event in [begin, end) and its values.
    EventTemplate(const char* begin, const char* end, const std::vector<Slot>& slots);
    EventTemplate(EventTemplate&&) = default; // pointers into its vectors stay valid
    EventTemplate& operator=(EventTemplate&&) = default;
    /// Where the event at `at` ends, with its values in `event`; null: it does not match. Learns the lengths
    /// of its values. `isWide`: this processor has AVX2.
    const char* match(const char* at, const char* end, Event& event, bool isWide);
    /// Only these values are needed (Event::maskOf()): from now on an event has no others.
    void keepOnly(std::uint64_t fields);

private:
    struct Part {
        std::string literal; ///< the text before the value
        Field field = Field::None;
        ValueKind kind = ValueKind::Missing;
        char next = 0;       ///< what follows a number
        bool isOpen = false; ///< its end is searched for
        unsigned changes = 0;
        std::string value; ///< of one that is not open: numbers have this length, strings are equal
    };
    struct Fixed {
        Field field;
        Value value; ///< into m_kept
    };
    /// For a value that is not open: its position in its run.
    struct Place {
        Field field;
        ValueKind kind;
        std::uint32_t at, size;
    };
    /// Bytes between open values (or begin and end): the allowed range of each byte is known.
    struct Run {
        std::uint32_t size = 0, blocks = 0;
        std::uint32_t bounds = 0;                    ///< into m_bounds
        std::uint32_t firstPlace = 0, lastPlace = 0; ///< into m_places
        Field field = Field::None;                   ///< of the open value after it
        ValueKind kind = ValueKind::Missing;
        char next = 0;
    };
    static constexpr std::size_t kBlock = 32;
    /// Lower and upper bounds of bytes; after the last of a run, any value.
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
    std::string m_last; ///< after the last value
    std::vector<char> m_kept;
    std::vector<std::string_view> m_found; ///< values of the last event by part
};

/// Properties that follow from the phase and the category, shared by all events of a template.
struct EventNote {
    bool isSet = false;
    char phase = 0;
    std::uint8_t kind = 0;
    std::uint32_t categoryText = 0;
    bool ofGpu = false; ///< an annotation as a stream saw it
    bool isOdd = false; ///< its category is no text
};

/// The templates learned by one thread.
class EventTemplates {
public:
    /// `isWide`: see EventTemplate::match().
    explicit EventTemplates(bool isWide = hasWideVectors())
        : m_isWide(isWide) {}
    /// As parseEvent().
    Parsed parse(const char* at, const char* end, Event& event);
    /// The same without using or learning templates.
    Parsed parseAlone(const char* at, const char* end, Event& event) {
        m_isKnown = false;
        return parseEvent(at, end, event);
    }
    /// The caller's note for the template that the last event matched: initially empty. Null: it matched
    /// none.
    EventNote* note() { return m_isKnown ? &m_known[m_last].note : nullptr; }
    /// For events like the last one, if note() is not null.
    void keepOnly(std::uint64_t fields) { m_known[m_last].shape.keepOnly(fields); }

private:
    struct Known {
        EventTemplate shape;
        std::size_t next = 0, other = 0; ///< the most frequent successor, and the last other one
        unsigned trust = 0;              ///< in the first
        EventNote note{};
    };
    Parsed learn(const char* at, const char* end, Event& event);
    const bool m_isWide;
    std::vector<Known> m_known;
    std::vector<Slot> m_slots;
    std::size_t m_last = 0;
    bool m_isKnown = false;
    std::size_t m_misses = 0; ///< since the templates were last useful
};

} // namespace olab::io::json_import
