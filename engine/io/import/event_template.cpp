#include "event_template.h"

#include <cstring>
#include <emmintrin.h>

namespace olab::json_import {
namespace {

constexpr std::size_t kMostTemplates = 64;
constexpr std::size_t kMostSlots = 96;
constexpr std::size_t kBlock = 16;

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

/// Of 16 bytes those that end a number of digits, point and signs.
unsigned maskOfStops(const char* at) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i isPart = _mm_and_si128(_mm_cmpgt_epi8(block, _mm_set1_epi8(',')),
                                         _mm_cmplt_epi8(block, _mm_set1_epi8('9' + 1)));
    return static_cast<unsigned>(_mm_movemask_epi8(isPart)) ^ 0xffffu;
}

/// Where the number at `at` ends, if `next` follows; null: it does not, or it is none. The same numbers as
/// takeValue() finds.
inline const char* findNumberEnd(const char* at, const char* end, char next) {
    const char* stop = at;
    unsigned stops = maskOfStops(at);
    if (stops == 0) {
        stop += kBlock;
        stops = end - stop > 0 ? maskOfStops(stop) : 0;
    }
    if (stops != 0 && stop[__builtin_ctz(stops)] == next) [[likely]]
        return stop + __builtin_ctz(stops);
    Value value;
    const Step step = takeValue(at, end, value);
    return step.at && step.at < end && value.kind == ValueKind::Number && *step.at == next ? step.at
                                                                                           : nullptr;
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

bool beginsNumber(char c) {
    return (c >= '0' && c <= '9') || c == '-';
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
        } else if (slot.field != Field::None) {
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
        const char* const behind = part.kind != ValueKind::Number ? findEnd(part, at, end)
                                   : beginsNumber(*at)            ? findNumberEnd(at, end, part.next)
                                                                  : nullptr;
        if (!behind || behind >= end)
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

Parsed EventTemplates::parse(const char* at, const char* end, Event& event) {
    m_isKnown = true;
    if (!m_known.empty()) {
        std::size_t& predicted = m_known[m_last].next;
        if (const char* behind = m_known[predicted].shape.match(at, end, event)) {
            m_last = predicted;
            return {ParseEnd::Whole, behind};
        }
        for (std::size_t i = 0; i < m_known.size(); ++i)
            if (const char* behind = m_known[i].shape.match(at, end, event)) {
                predicted = m_last = i;
                m_misses = 0;
                return {ParseEnd::Whole, behind};
            }
    }
    return learn(at, end, event);
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
        m_known.push_back({EventTemplate(at, parsed.at, m_slots), m_known.size()});
        if (m_known.size() > 1)
            m_known[m_last].next = m_known.size() - 1;
        m_last = m_known.size() - 1;
    }
    return parsed;
}

} // namespace olab::json_import
