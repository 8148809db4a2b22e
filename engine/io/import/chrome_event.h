// One event of a Chrome trace as it stands in the text: the values an importer looks at, each where it
// stands. Private to io.
#pragma once

#include "json_tokens.h"

#include <array>
#include <cstdint>
#include <vector>

namespace olab::json_import {

/// The members of an event, and of its args, that mean something here.
enum class Field : std::uint8_t {
    None, // any other
    Phase,
    Category,
    Name,
    Pid,
    Tid,
    Ts,
    Dur,
    Id,
    Id2,
    // of args
    Device,
    DeviceOld, ///< "Device"
    Context,
    Stream,
    StreamOld,
    Correlation,
    Bytes,
    BytesOld,
    Registers,
    Shared,
    GridX,
    GridY,
    GridZ,
    BlockX,
    BlockY,
    BlockZ,
    Priority,
    Unified,
    Channel,
    ChannelType,
    SyncKind,
    WaitStream,
    WaitRecord,
    WaitEvent,
    ArgName,
    MemcpyDetails,
    Count_
};
inline constexpr std::size_t kFields = static_cast<std::size_t>(Field::Count_);

class Event {
public:
    void clear() { m_present = 0; }
    void set(Field field, const Value& value) {
        m_values[static_cast<std::size_t>(field)] = value;
        m_present |= bit(field);
    }
    /// For many: claims fields whose values put() sets.
    void claim(std::uint64_t fields) { m_present = fields; }
    static constexpr std::uint64_t maskOf(Field field) { return bit(field); }
    /// Member by member: a copy of a value that was just put together would wait for all of it.
    void put(Field field, const char* at, std::size_t size, ValueKind kind) {
        Value& value = m_values[static_cast<std::size_t>(field)];
        value.at = at;
        value.size = size;
        value.kind = kind;
    }
    bool has(Field field) const { return (m_present & bit(field)) != 0; }
    /// One of kind Missing where the event has no such member.
    const Value& operator[](Field field) const {
        return has(field) ? m_values[static_cast<std::size_t>(field)] : kMissing;
    }
    /// The first of the two that there is.
    const Value& either(Field field, Field other) const {
        return has(field) ? (*this)[field] : (*this)[other];
    }

private:
    static constexpr Value kMissing{};
    static constexpr std::uint64_t bit(Field field) {
        return std::uint64_t{1} << static_cast<unsigned>(field);
    }
    static_assert(kFields <= 64);
    std::array<Value, kFields> m_values{};
    std::uint64_t m_present = 0;
};

/// A value of an event and whose it is: what a template is learned from.
struct Slot {
    Value value;
    Field field = Field::None;
};

enum class ParseEnd : std::uint8_t { Whole, Open, Bad };
struct Parsed {
    ParseEnd end = ParseEnd::Bad;
    const char* at = nullptr; ///< behind the event
};

/// Reads the event whose brace is at `at`. `slots`, if given, gets all its values in their order.
Parsed parseEvent(const char* at, const char* end, Event& event, std::vector<Slot>* slots = nullptr);

/// How far around its brace an event is looked for.
inline constexpr std::ptrdiff_t kNearEvent = 4096;

/// Where to read on behind a damaged event.
struct NextEvent {
    const char* at = nullptr; ///< the brace of an event; null: none that the text tells
    /// Where none was found: more text is needed, and this text from `keep` on, to `seen` of which nobody has
    /// to look again.
    const char *keep = nullptr, *seen = nullptr;
};
/// The next brace behind `begin` that follows another event and looks like the first of one; `from`: to there
/// was looked before. Whatever it finds stays so with more text behind it; `isLast`: none will come.
NextEvent nextEvent(const char* begin, const char* from, const char* end, bool isLast);
/// A guess backwards: the last brace in [begin, end) that seems to begin an event, or null.
const char* lastEvent(const char* begin, const char* end);

} // namespace olab::json_import
