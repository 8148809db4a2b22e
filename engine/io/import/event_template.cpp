#include "event_template.h"

#include <algorithm>
#include <cstring>
#include <emmintrin.h>
#include <span>
#include <utility>

namespace olab::json_import {
namespace {

constexpr std::size_t kMostTemplates = 64;
constexpr std::size_t kMostSlots = 96;
constexpr std::size_t kBlock = 16;
constexpr unsigned kMostTrust = 3; // so often it must be wrong until another one is expected

/// Of 16 bytes those that are equal.
inline unsigned equalBytes(const char* a, const char* b) {
    return static_cast<unsigned>(
        _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a)),
                                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(b)))));
}

/// In whole blocks, the last of which ends where they do: most literals are one or two. Behind a short one
/// lies padding, and what is too much is masked.
inline bool isEqual(const char* text, const char* literal, std::size_t size) {
    if (size <= kBlock)
        return (~equalBytes(text, literal) & ((1u << size) - 1)) == 0;
    const std::size_t last = size - kBlock;
    for (std::size_t i = 0; i < last; i += kBlock)
        if (equalBytes(text + i, literal + i) != 0xffff)
            return false;
    return equalBytes(text + last, literal + last) == 0xffff;
}

inline unsigned maskOfByte(const char* at, char byte) {
    return static_cast<unsigned>(_mm_movemask_epi8(
        _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)), _mm_set1_epi8(byte))));
}

inline bool beginsDigits(char c) {
    return c >= '0' && c <= '9';
}

/// Of 16 bytes those that end a number of digits, point and signs: '-' to '9', moved to the top of what is
/// compared with a sign.
inline unsigned maskOfStops(const char* at) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i moved = _mm_add_epi8(block, _mm_set1_epi8(127 - '9'));
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmplt_epi8(moved, _mm_set1_epi8(127 - '9' + '-'))));
}

/// What the tokenizer makes of what is no plain number of 32 letters at the most.
[[gnu::noinline]] const char* findOddNumberEnd(const char* at, const char* end, char next) {
    Value value;
    const Step step = takeValue(at, end, value);
    return step.at && step.at < end && value.kind == ValueKind::Number && *step.at == next ? step.at
                                                                                           : nullptr;
}

/// Where the number at `at` ends, if `next` follows; null: it does not, or it is none. The same numbers as
/// takeValue() finds, but it may end in the padding.
inline const char* findNumberEnd(const char* at, const char* end, char next) {
    if (!beginsDigits(*at)) [[unlikely]] // a sign alone is no number
        return *at == '-' ? findOddNumberEnd(at, end, next) : nullptr;
    const char* stop = at;
    unsigned stops = maskOfStops(stop);
    if (stops == 0)
        stops = maskOfStops(stop += kBlock);
    if (stops == 0) [[unlikely]]
        return findOddNumberEnd(at, end, next);
    stop += __builtin_ctz(stops);
    return *stop == next ? stop : findOddNumberEnd(at, end, next);
}

/// The closing quote of a string without escapes; null: it has some, or does not end.
const char* findQuote(const char* at, const char* end) {
    for (; at < end; at += kBlock) {
        const unsigned quotes = maskOfByte(at, '"'), escapes = maskOfByte(at, '\\');
        if ((quotes | escapes) == 0)
            continue;
        const unsigned first = (quotes | escapes) & (0u - (quotes | escapes));
        return (first & quotes) != 0 ? at + __builtin_ctz(first) : nullptr;
    }
    return nullptr;
}

/// The last one of a name is the one that counts.
bool isNamedAgain(const Slot& slot, std::span<const Slot> slots) {
    return std::ranges::any_of(
        slots, [&slot](const Slot& other) { return &other > &slot && other.field == slot.field; });
}

} // namespace

EventTemplate::EventTemplate(const char* begin, const char* end, const std::vector<Slot>& slots) {
    const char* from = begin;
    for (const Slot& slot : slots) {
        const bool isFixed =
            slot.field == Field::Phase || slot.field == Field::Category || slot.value.kind == ValueKind::Word;
        if (!isFixed) {
            addPart(from, slot.value.at, slot);
            from = slot.value.at + slot.value.size;
        } else if (slot.field != Field::None && !isNamedAgain(slot, slots)) {
            m_kept.insert(m_kept.end(), slot.value.at, slot.value.at + slot.value.size);
            m_fixed.push_back({slot.field, slot.value});
        }
    }
    m_kept.insert(m_kept.end(), kPadding, '\0'); // as behind all values
    std::size_t kept = 0;
    for (Fixed& fixed : m_fixed) {
        fixed.value.at = m_kept.data() + kept;
        kept += fixed.value.size;
    }
    for (const Part& part : m_parts)
        m_fields |= Event::maskOf(part.field);
    for (const Fixed& fixed : m_fixed)
        m_fields |= Event::maskOf(fixed.field);
    m_fields &= ~Event::maskOf(Field::None);
    m_last = static_cast<std::uint32_t>(m_text.size());
    m_lastSize = static_cast<std::uint32_t>(end - from);
    addText(from, end);
}

void EventTemplate::addText(const char* from, const char* to) {
    m_text.insert(m_text.end(), from, to);
    m_text.insert(m_text.end(), kBlock, '\0');
}

void EventTemplate::addPart(const char* from, const char* to, const Slot& slot) {
    m_parts.push_back({static_cast<std::uint32_t>(m_text.size()), static_cast<std::uint32_t>(to - from),
                       slot.field, slot.value.kind, slot.value.at[slot.value.size]});
    addText(from, to);
}

const char* EventTemplate::match(const char* at, const char* end, Event& event) const {
    const char* const text = m_text.data();
    for (const Part& part : m_parts) {
        if (at + part.size >= end || !isEqual(at, text + part.literal, part.size))
            return nullptr;
        at += part.size;
        const char* const behind =
            part.kind == ValueKind::Number ? findNumberEnd(at, end, part.next) : findEnd(part, at, end);
        if (!behind) // one behind the end is found by the next look at what is left
            return nullptr;
        event.put(part.field, at, static_cast<std::size_t>(behind - at), part.kind);
        at = behind;
    }
    if (at + m_lastSize > end || !isEqual(at, text + m_last, m_lastSize))
        return nullptr;
    for (const Fixed& fixed : m_fixed)
        event.put(fixed.field, fixed.value.at, fixed.value.size, fixed.value.kind);
    event.claim(m_fields);
    return at + m_lastSize;
}

/// Where a value that is no number ends; null: it is not of that kind.
const char* EventTemplate::findEnd(const Part& part, const char* at, const char* end) {
    if (part.kind == ValueKind::String)
        return findQuote(at, end);
    Value value;
    const Step step = takeValue(part.kind == ValueKind::EscapedString ? at - 1 : at, end, value);
    return step.at && value.kind == part.kind ? value.at + value.size : nullptr;
}

/// First what follows most often, then what followed last, then all there are.
Parsed EventTemplates::parse(const char* at, const char* end, Event& event) {
    m_isKnown = true;
    if (m_known.empty())
        return learn(at, end, event);
    Known& before = m_known[m_last];
    if (const char* behind = m_known[before.next].shape.match(at, end, event)) {
        before.trust += before.trust < kMostTrust ? 1 : 0;
        m_last = before.next;
        return {ParseEnd::Whole, behind};
    }
    std::size_t found = before.other;
    const char* behind = m_known[found].shape.match(at, end, event);
    for (std::size_t i = 0; !behind && i < m_known.size(); ++i)
        behind = m_known[found = i].shape.match(at, end, event);
    if (!behind)
        return learn(at, end, event);
    before.other = found;
    if (before.trust == 0)
        std::swap(before.next, before.other);
    else
        --before.trust;
    m_misses = 0;
    m_last = found;
    return {ParseEnd::Whole, behind};
}

Parsed EventTemplates::learn(const char* at, const char* end, Event& event) {
    m_isKnown = false;
    m_slots.clear();
    const Parsed parsed = parseEvent(at, end, event, &m_slots);
    if (parsed.end != ParseEnd::Whole || m_slots.size() > kMostSlots)
        return parsed;
    if (m_known.size() == kMostTemplates && ++m_misses > 16 * kMostTemplates) {
        m_known.clear(); // of another part of the file
        m_misses = m_last = 0;
    }
    if (m_known.size() < kMostTemplates) {
        m_known.push_back({EventTemplate(at, parsed.at, m_slots), m_known.size(), m_known.size()});
        if (m_known.size() > 1)
            m_known[m_last].next = m_known.size() - 1;
        m_last = m_known.size() - 1;
    }
    return parsed;
}

} // namespace olab::json_import
