// Millions of events of a trace are written by a few lines of some program: the same keys in the same order
// with the same spaces. A template is what such events have in common, learned from one that the general
// parser has read: comparing it is all that most of an event costs, and the values are what lies between. An
// event that is not exactly like a template goes to the general parser, so nothing depends on them but speed.
// Private to io.
#pragma once

#include "chrome_event.h"

#include <vector>

namespace olab::json_import {

class EventTemplate {
public:
    /// Of an event in [begin, end) and its values.
    EventTemplate(const char* begin, const char* end, const std::vector<Slot>& slots);
    EventTemplate(EventTemplate&&) = default; // what points into its vectors stays right
    EventTemplate& operator=(EventTemplate&&) = default;
    /// Where the event at `at` ends, its values in `event`; null: it is not like this one.
    const char* match(const char* at, const char* end, Event& event) const;

private:
    struct Part {
        std::uint32_t literal = 0, size = 0; ///< into m_text: what stands before the value
        Field field = Field::None;
        ValueKind kind = ValueKind::Missing;
        char next = 0; ///< what follows a number
    };
    struct Fixed {
        Field field;
        Value value; ///< into m_kept
    };
    void addPart(const char* from, const char* to, const Slot& slot);
    static const char* findEnd(const Part& part, const char* at, const char* end);
    void addText(const char* from, const char* to);
    std::vector<char> m_text; ///< all literals, with padding behind each
    std::vector<char> m_kept;
    std::vector<Part> m_parts;
    std::vector<Fixed> m_fixed; ///< values that are part of the literals: phase, category, words
    std::uint64_t m_fields = 0; ///< that have a value
    std::uint32_t m_last = 0, m_lastSize = 0;
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
    /// As parseEvent().
    Parsed parse(const char* at, const char* end, Event& event);
    /// What the user of these knows of all events of the template that the last event was like: at first
    /// nothing. Null: it was like none.
    EventNote* note() { return m_isKnown ? &m_known[m_last].note : nullptr; }

private:
    struct Known {
        EventTemplate shape;
        std::size_t next = 0, other = 0; ///< which follows most often, and which did last of all others
        unsigned trust = 0;              ///< in the first
        EventNote note{};
    };
    Parsed learn(const char* at, const char* end, Event& event);
    std::vector<Known> m_known;
    std::vector<Slot> m_slots;
    std::size_t m_last = 0;
    bool m_isKnown = false;
    std::size_t m_misses = 0; ///< since all that is known was last of use
};

} // namespace olab::json_import
