#include "chrome_event.h"

#include <algorithm>
#include <cstring>

namespace olab::io::json_import {
namespace {

struct Key {
    std::string_view name;
    Field field;
};

constexpr Key kEventKeys[] = {
    {"ph", Field::Phase}, {"cat", Field::Category}, {"name", Field::Name}, {"pid", Field::Pid},
    {"tid", Field::Tid},  {"ts", Field::Ts},        {"dur", Field::Dur},   {"id", Field::Id},
    {"id2", Field::Id2},  {"args", Field::Args},
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
    {"BeginNs", Field::BeginNs},
    {"EndNs", Field::EndNs},
    {"dev-id", Field::DevId},
    {"stream-id", Field::StreamId},
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
    /// From the brace at `at` to after its partner; args are one level deeper, and nothing is below.
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
        std::string room;
        const std::string_view word = wordIn(key, room);
        if (isEvent && word == "args" && at != m_end && *at == '{')
            return takeMembers(at, false);
        return takeField(at, isEvent ? fieldOf(kEventKeys, word) : fieldOf(kArgKeys, word));
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

constexpr std::ptrdiff_t kBehindPhase = 32; // bytes within which the value of a phase ends
constexpr std::string_view kPhaseKey = "\"ph\"";

/// Whether a brace at `at`, in [begin, ...), follows another one: `}` and commas or spaces.
bool followsEvent(const char* begin, const char* at) {
    const char* const first = at - begin > kNearEvent ? at - kNearEvent : begin;
    const char* before = at;
    while (before != first && (isSpace(before[-1]) || before[-1] == ','))
        --before;
    return before != at && before != first && before[-1] == '}';
}

const char* findPhase(const char* at, const char* end) {
    const void* found = ::memmem(at, static_cast<std::size_t>(end - at), kPhaseKey.data(), kPhaseKey.size());
    return found ? static_cast<const char*>(found) : end;
}

/// The last brace in (after, at) that follows another event; `begin`: limit of the backward search. Null:
/// none.
const char* braceBefore(const char* begin, const char* after, const char* at) {
    for (++after; at > after;) {
        at = static_cast<const char*>(::memrchr(after, '{', static_cast<std::size_t>(at - after)));
        if (!at || followsEvent(begin, at))
            return at;
    }
    return nullptr;
}

/// Whether the object at `at` is an event, complete or not: it contains its phase before `end`, unlike
/// objects in args.
bool looksLikeEvent(const char* at, const char* end) {
    const char* const inside = skipSpace(at + 1, end);
    if (inside == end || *inside != '"')
        return false;
    Event event; // even a damaged one contains this
    EventParser(end, event, nullptr).parse(at);
    return event.has(Field::Phase);
}

} // namespace

Parsed parseEvent(const char* at, const char* end, Event& event, std::vector<Slot>* slots) {
    return EventParser(end, event, slots).parse(at);
}

/// Every byte is scanned once: of the braces before a phase only the last one is examined, and only up to
/// that phase.
NextEvent nextEvent(const char* begin, const char* from, const char* end, bool isLast) {
    const char* before = begin; // the last phase
    const char* phase = findPhase(begin, end);
    for (; phase != end && (isLast || end - phase >= kBehindPhase); phase = findPhase(phase + 1, end)) {
        const char* const after = phase - before > kNearEvent ? phase - kNearEvent : before;
        before = phase;
        if (phase < from)
            continue;
        const char* const brace = braceBefore(begin, after, phase);
        if (brace && looksLikeEvent(brace, phase + std::min(end - phase, kBehindPhase)))
            return {brace, nullptr, nullptr};
    }
    const auto cut = static_cast<std::ptrdiff_t>(kPhaseKey.size()) - 1; // of a key that may be cut off
    const char* const seen = std::max(begin, std::min(phase, end - std::min(end - begin, cut)));
    return {nullptr, seen - std::min(seen - begin, 2 * kNearEvent), seen};
}

const char* lastEvent(const char* begin, const char* end) {
    constexpr int kMostLooks = 64; // further reading finds out where an event begins
    const char* at = end;
    for (int looks = 0; at != begin && looks < kMostLooks;) {
        at = static_cast<const char*>(::memrchr(begin, '{', static_cast<std::size_t>(at - begin)));
        if (!at)
            return nullptr;
        if (!followsEvent(begin, at))
            continue;
        if (looksLikeEvent(at, at + std::min(end - at, kNearEvent)))
            return at;
        ++looks;
    }
    return nullptr;
}

} // namespace olab::io::json_import
