#include "chrome_event.h"

#include <algorithm>
#include <cstring>

namespace olab::json_import {
namespace {

struct Key {
    std::string_view name;
    Field field;
};

constexpr Key kEventKeys[] = {
    {"ph", Field::Phase}, {"cat", Field::Category}, {"name", Field::Name},
    {"pid", Field::Pid},  {"tid", Field::Tid},      {"ts", Field::Ts},
    {"dur", Field::Dur},  {"id", Field::Id},        {"id2", Field::Id2},
};
constexpr Key kArgKeys[] = {
    {"device", Field::Device},
    {"Device", Field::DeviceOld},
    {"context", Field::Context},
    {"stream", Field::Stream},
    {"Stream", Field::StreamOld},
    {"correlation", Field::Correlation},
    {"correlation_id", Field::Correlation},
    {"bytes", Field::Bytes},
    {"Bytes", Field::BytesOld},
    {"registers per thread", Field::Registers},
    {"shared memory", Field::Shared},
    {"grid", Field::GridX},
    {"block", Field::BlockX},
    {"priority", Field::Priority},
    {"unified memory", Field::Unified},
    {"channel", Field::Channel},
    {"channel type", Field::ChannelType},
    {"cuda_sync_kind", Field::SyncKind},
    {"wait_on_stream", Field::WaitStream},
    {"wait_on_cuda_event_record_corr_id", Field::WaitRecord},
    {"wait_on_cuda_event_id", Field::WaitEvent},
    {"name", Field::ArgName},
    {"memcpy_details", Field::MemcpyDetails},
};
template <std::size_t N>
Field fieldOf(const Key (&keys)[N], std::string_view name) {
    for (const Key& key : keys)
        if (key.name == name)
            return key.field;
    return Field::None;
}

Field after(Field field, std::size_t steps) {
    return static_cast<Field>(static_cast<std::size_t>(field) + steps);
}

class EventParser {
public:
    EventParser(const char* end, Event& event, std::vector<Slot>* slots)
        : m_end(end)
        , m_event(event)
        , m_slots(slots) {}

    Parsed parse(const char* at) {
        m_event.clear();
        const Step step = takeMembers(at, true);
        return {step.at ? ParseEnd::Whole : step.isOpen ? ParseEnd::Open : ParseEnd::Bad, step.at};
    }

private:
    /// From the brace at `at` to behind its partner; args are one level deeper, and nothing below.
    Step takeMembers(const char* at, bool isEvent) {
        for (++at;;) {
            at = skipCommas(at, m_end);
            if (at == m_end)
                return {nullptr, true};
            if (*at == '}')
                return {at + 1, false};
            const Step step = takeMember(at, isEvent);
            if (!step.at)
                return step;
            at = skipSpace(step.at, m_end);
            if (at != m_end && *at != ',' && *at != '}')
                return {};
        }
    }

    Step takeMember(const char* at, bool isEvent) {
        if (*at != '"')
            return {};
        Value key;
        const Step name = takeString(at, m_end, key);
        if (!name.at)
            return name;
        at = skipSpace(name.at, m_end);
        if (at == m_end)
            return {nullptr, true};
        if (*at != ':')
            return {};
        at = skipSpace(at + 1, m_end);
        if (isEvent && key.text() == "args" && at != m_end && *at == '{')
            return takeMembers(at, false);
        return takeField(at, isEvent ? fieldOf(kEventKeys, key.text()) : fieldOf(kArgKeys, key.text()));
    }

    Step takeField(const char* at, Field field) {
        const bool isVector = field == Field::GridX || field == Field::BlockX;
        if (isVector && at != m_end && *at == '[')
            return takeVector(at, field);
        Value value;
        const Step step = takeValue(at, m_end, value);
        if (step.at && !isVector)
            keep(field, value);
        else if (step.at)
            keep(Field::None, value);
        return step;
    }

    /// [x, y, z]
    Step takeVector(const char* at, Field field) {
        ++at;
        for (std::size_t i = 0;; ++i) {
            at = skipCommas(at, m_end);
            if (at == m_end)
                return {nullptr, true};
            if (*at == ']')
                return {at + 1, false};
            Value value;
            const Step step = takeValue(at, m_end, value);
            if (!step.at)
                return step;
            keep(i < 3 ? after(field, i) : Field::None, value);
            at = step.at;
        }
    }

    void keep(Field field, const Value& value) {
        if (field != Field::None)
            m_event.set(field, value);
        if (m_slots)
            m_slots->push_back({value, field});
    }

    const char* m_end;
    Event& m_event;
    std::vector<Slot>* m_slots;
};

/// Whether a brace at `at`, of [begin, ...), follows another one: `}` and commas or spaces.
bool followsEvent(const char* begin, const char* at) {
    const char* before = at;
    while (before != begin && (isSpace(before[-1]) || before[-1] == ','))
        --before;
    return before != at && before != begin && before[-1] == '}';
}

} // namespace

Parsed parseEvent(const char* at, const char* end, Event& event, std::vector<Slot>* slots) {
    return EventParser(end, event, slots).parse(at);
}

bool looksLikeEvent(const char* at, const char* end) {
    constexpr std::ptrdiff_t kNear = 4096;
    const char* const inside = skipSpace(at + 1, end);
    if (inside == end || *inside != '"')
        return false;
    Event event; // a damaged one says so much, too
    EventParser(at + std::min(end - at, kNear), event, nullptr).parse(at);
    return event.has(Field::Phase);
}

const char* nextEvent(const char* at, const char* end) {
    const char* const begin = at;
    while (at != end) {
        at = static_cast<const char*>(std::memchr(at + 1, '{', static_cast<std::size_t>(end - at - 1)));
        if (!at)
            return end;
        if (followsEvent(begin, at) && looksLikeEvent(at, end))
            return at;
    }
    return end;
}

const char* lastEvent(const char* begin, const char* end) {
    for (const char* at = end; at != begin;) {
        at = static_cast<const char*>(::memrchr(begin, '{', static_cast<std::size_t>(at - begin)));
        if (!at)
            return nullptr;
        if (followsEvent(begin, at) && looksLikeEvent(at, end))
            return at;
    }
    return nullptr;
}

} // namespace olab::json_import
