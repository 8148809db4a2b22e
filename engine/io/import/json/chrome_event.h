// One event of a Chrome trace in the text: the values that an importer uses, each with its position. Private
// to io.
#pragma once

#include "json_tokens.h"

#include <array>
#include <cstdint>
#include <vector>

namespace olab::io::json_import {

/// The members of an event, and of its args, that are used.
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
    Args, ///< that are no object
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
    BeginNs, ///< of rocprof, as the next ones
    EndNs,
    DevId,
    StreamId,
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
    /// Member by member: copying a value that was just assembled would stall.
    void put(Field field, const char* at, std::size_t size, ValueKind kind) {
        Value& value = m_values[static_cast<std::size_t>(field)];
        value.at = at;
        value.size = size;
        value.kind = kind;
    }
    bool has(Field field) const { return (m_present & bit(field)) != 0; }
    /// Kind Missing if the event has no such member.
    const Value& operator[](Field field) const {
        return has(field) ? m_values[static_cast<std::size_t>(field)] : kMissing;
    }
    /// The first of the two that exists.
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

/// A value of an event with its member: input for learning a template.
struct Slot {
    Value value;
    Field field = Field::None;
};

enum class ParseEnd : std::uint8_t { Whole, Open, Bad };
struct Parsed {
    ParseEnd end = ParseEnd::Bad;
    const char* at = nullptr; ///< after the event
};

/// Reads the event whose brace is at `at`. `slots`, if given, gets all its values in order.
Parsed parseEvent(const char* at, const char* end, Event& event, std::vector<Slot>* slots = nullptr);

/// How far around a brace an event is searched for.
inline constexpr std::ptrdiff_t kNearEvent = 4096;

/// Where to continue after a damaged event.
struct NextEvent {
    const char* at = nullptr; ///< the brace of an event; null: none found
    /// If none was found: more text is needed, keeping this text from `keep` on; up to `seen` it need not be
    /// searched again.
    const char *keep = nullptr, *seen = nullptr;
};
/// The next brace after `begin` that follows another event and looks like the start of one; `from`: already
/// searched up to there. More text after it does not change the result; `isLast`: there is no more.
NextEvent nextEvent(const char* begin, const char* from, const char* end, bool isLast);
/// A guess backwards: the last brace in [begin, end) that seems to begin an event, or null.
const char* lastEvent(const char* begin, const char* end);

} // namespace olab::io::json_import
