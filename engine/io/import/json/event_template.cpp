#include "event_template.h"

#include "json_tokens.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace olab::io::json_import {
namespace {

constexpr std::size_t kMostTemplates = 64;
constexpr std::size_t kMostSlots = 96;
constexpr std::size_t kStep = 16;
constexpr unsigned kFewChanges = 4, kMatchesForChange = 16; // more changes of length leave a value open
constexpr std::size_t kMostKnown = 64;                      // characters of a value that is not open
constexpr std::size_t kMostLearned = 65536;                 // of an event
constexpr unsigned kMostTrust = 3; // how often it must be wrong before another one is expected

inline unsigned maskOfByte(const char* at, char byte) {
    return mask16(equal16(load16(at), fill16(byte)));
}

inline bool beginsDigits(char c) {
    return c >= '0' && c <= '9';
}

/// Finds the bytes among 16 that end a number of digits, point and signs: '-' to '9', shifted to the top of
/// the signed range.
inline unsigned maskOfStops(const char* at) {
    const Bytes16 moved = add16(load16(at), fill16(127 - '9'));
    return mask16(less16(moved, fill16(127 - '9' + '-')));
}

/// The tokenizer's result for anything but a plain number of at most 32 characters.
[[gnu::noinline]] const char* findOddNumberEnd(const char* at, const char* end, char next) {
    Value value;
    const Step step = takeValue(at, end, value);
    return step.at && step.at < end && value.kind == ValueKind::Number && *step.at == next ? step.at
                                                                                           : nullptr;
}

/// Where the number at `at` ends, if `next` follows; null: it does not, or it is not a number. The same
/// numbers as in takeValue(), but it may end in the padding.
inline const char* findNumberEnd(const char* at, const char* end, char next) {
    if (!beginsDigits(*at)) [[unlikely]] // a sign alone is not a number
        return *at == '-' ? findOddNumberEnd(at, end, next) : nullptr;
    const char* stop = at;
    unsigned stops = maskOfStops(stop);
    if (stops == 0)
        stops = maskOfStops(stop += kStep);
    if (stops == 0) [[unlikely]]
        return findOddNumberEnd(at, end, next);
    stop += __builtin_ctz(stops);
    return *stop == next ? stop : findOddNumberEnd(at, end, next);
}

/// The closing quote of a string without escapes; null: it has escapes, or no end.
const char* findQuote(const char* at, const char* end) {
    for (; at < end; at += kStep) {
        const unsigned quotes = maskOfByte(at, '"'), escapes = maskOfByte(at, '\\');
        if ((quotes | escapes) == 0)
            continue;
        const unsigned first = (quotes | escapes) & (0u - (quotes | escapes));
        return (first & quotes) != 0 ? at + __builtin_ctz(first) : nullptr;
    }
    return nullptr;
}

/// Where a value ends, if a number is followed by `next`; null: it is not of that kind.
inline const char* findEnd(ValueKind kind, char next, const char* at, const char* end) {
    if (kind == ValueKind::Number) [[likely]]
        return findNumberEnd(at, end, next);
    if (kind == ValueKind::String)
        return findQuote(at, end);
    Value value;
    const Step step = takeValue(kind == ValueKind::EscapedString ? at - 1 : at, end, value);
    return step.at && value.kind == kind ? value.at + value.size : nullptr;
}

bool beginsWith(const char* at, const char* end, std::string_view literal) {
    return static_cast<std::size_t>(end - at) >= literal.size() &&
           std::memcmp(at, literal.data(), literal.size()) == 0;
}

bool isPlainNumber(std::string_view text) {
    return beginsDigits(text.front()) &&
           std::ranges::all_of(text, [](char c) { return c >= '-' && c <= '9'; });
}

/// Whether a value like this one may be part of a run.
bool mayBeKnown(ValueKind kind, std::string_view text) {
    return text.size() <= kMostKnown &&
           (kind == ValueKind::String || (kind == ValueKind::Number && isPlainNumber(text)));
}

/// Of several with one name the last counts.
bool isNamedAgain(const Slot& slot, std::span<const Slot> slots) {
    return std::ranges::any_of(
        slots, [&slot](const Slot& other) { return &other > &slot && other.field == slot.field; });
}

} // namespace

EventTemplate::EventTemplate(const char* begin, const char* end, const std::vector<Slot>& slots) {
    const char* from = begin;
    for (const Slot& slot : slots) {
        const Value& value = slot.value;
        const bool isFixed =
            slot.field == Field::Phase || slot.field == Field::Category || value.kind == ValueKind::Word;
        if (!isFixed) {
            m_parts.push_back({std::string(from, value.at),
                               slot.field,
                               value.kind,
                               value.at[value.size],
                               !mayBeKnown(value.kind, value.text()),
                               0,
                               {}});
            if (!m_parts.back().isOpen)
                m_parts.back().value = value.text();
            from = value.at + value.size;
        } else if (slot.field != Field::None && !isNamedAgain(slot, slots)) {
            m_kept.insert(m_kept.end(), value.at, value.at + value.size);
            m_fixed.push_back({slot.field, value});
        }
    }
    m_last.assign(from, end);
    m_kept.insert(m_kept.end(), kPadding, '\0'); // as after all values
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
    m_found.resize(m_parts.size());
    makeRuns();
}

/// Literals, and the values between them that are not open, become one run: it is compared without finding
/// where each of them ends.
void EventTemplate::makeRuns() {
    m_runs.clear(), m_bounds.clear(), m_places.clear();
    m_runs.emplace_back();
    std::string low, high;
    for (const Part& part : m_parts) {
        low += part.literal, high += part.literal;
        if (part.isOpen) {
            Run& run = m_runs.back();
            run.field = part.field, run.kind = part.kind, run.next = part.next;
            closeRun(low, high);
            m_runs.emplace_back().firstPlace = static_cast<std::uint32_t>(m_places.size());
            continue;
        }
        if (part.field != Field::None)
            m_places.push_back({part.field, part.kind, static_cast<std::uint32_t>(low.size()),
                                static_cast<std::uint32_t>(part.value.size())});
        const bool isString = part.kind == ValueKind::String;
        low += isString ? part.value : "0" + std::string(part.value.size() - 1, '-');
        high += isString ? part.value : std::string(part.value.size(), '9');
    }
    low += m_last, high += m_last;
    closeRun(low, high);
}

void EventTemplate::closeRun(std::string& low, std::string& high) {
    Run& run = m_runs.back();
    run.lastPlace = static_cast<std::uint32_t>(m_places.size());
    run.size = static_cast<std::uint32_t>(low.size());
    run.blocks = static_cast<std::uint32_t>((low.size() + kBlock - 1) / kBlock);
    run.bounds = static_cast<std::uint32_t>(m_bounds.size());
    low.resize(run.blocks * kBlock, '\0'), high.resize(run.blocks * kBlock, '\xff');
    for (std::size_t at = 0; at < low.size(); at += kBlock) {
        Bounds& bounds = m_bounds.emplace_back();
        std::memcpy(bounds.low, low.data() + at, kBlock);
        std::memcpy(bounds.high, high.data() + at, kBlock);
    }
    low.clear(), high.clear();
}

/// Compares everything without early exit: it nearly always matches.
inline bool EventTemplate::isWithin(const char* text, const Bounds* bounds, std::size_t blocks) {
    Bytes16 beyond = fill16(0);
    for (std::size_t i = 0; i < blocks; ++i)
        for (std::size_t half = 0; half < kBlock; half += kStep) {
            const Bytes16 bytes = load16(text + i * kBlock + half);
            const Bytes16 inside =
                clamp16(bytes, load16(bounds[i].low + half), load16(bounds[i].high + half));
            beyond = or16(beyond, xor16(bytes, inside));
        }
    return mask16(equal16(beyond, fill16(0))) == 0xffff;
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] inline bool EventTemplate::isWithinWide(const char* text, const Bounds* bounds,
                                                                std::size_t blocks) {
    __m256i beyond = _mm256_setzero_si256();
    for (std::size_t i = 0; i < blocks; ++i) {
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + i * kBlock));
        const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bounds[i].low));
        const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bounds[i].high));
        const __m256i inside = _mm256_min_epu8(_mm256_max_epu8(bytes, low), high);
        beyond = _mm256_or_si256(beyond, _mm256_xor_si256(bytes, inside));
    }
    return _mm256_testz_si256(beyond, beyond) != 0;
}
#else
inline bool EventTemplate::isWithinWide(const char* text, const Bounds* bounds, std::size_t blocks) {
    return isWithin(text, bounds, blocks);
}
#endif

template <bool isWide>
[[gnu::always_inline]] inline const char* EventTemplate::matchRunsAs(const char* at, const char* end,
                                                                     Event& event) const {
    const Run* run = m_runs.data();
    for (const Run* const last = run + m_runs.size() - 1;; ++run) {
        if (end - at < std::ptrdiff_t{run->size} + (run != last ? 1 : 0) || // `at` may be past the end
            !(isWide ? isWithinWide(at, m_bounds.data() + run->bounds, run->blocks)
                     : isWithin(at, m_bounds.data() + run->bounds, run->blocks)))
            return nullptr;
        for (std::size_t i = run->firstPlace; i < run->lastPlace; ++i)
            event.put(m_places[i].field, at + m_places[i].at, m_places[i].size, m_places[i].kind);
        at += run->size;
        if (run == last)
            return at;
        const char* const behind = findEnd(run->kind, run->next, at, end);
        if (!behind)
            return nullptr;
        event.put(run->field, at, static_cast<std::size_t>(behind - at), run->kind);
        at = behind;
    }
}

const char* EventTemplate::matchRuns(const char* at, const char* end, Event& event) const {
    return matchRunsAs<false>(at, end, event);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]]
#endif
const char*
EventTemplate::matchRunsWide(const char* at, const char* end, Event& event) const {
    return matchRunsAs<true>(at, end, event);
}

/// Without assuming the length of any value.
const char* EventTemplate::matchParts(const char* at, const char* end, Event& event) {
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const Part& part = m_parts[i];
        if (!beginsWith(at, end, part.literal) || at + part.literal.size() == end)
            return nullptr;
        at += part.literal.size();
        const char* const behind = findEnd(part.kind, part.next, at, end);
        if (!behind || behind > end)
            return nullptr;
        m_found[i] = {at, static_cast<std::size_t>(behind - at)};
        event.put(part.field, at, m_found[i].size(), part.kind);
        at = behind;
    }
    return beginsWith(at, end, m_last) ? at + m_last.size() : nullptr;
}

void EventTemplate::keepOnly(std::uint64_t fields) {
    m_fields &= fields;
    for (Part& part : m_parts)
        part.field = (Event::maskOf(part.field) & fields) != 0 ? part.field : Field::None;
    std::erase_if(m_fixed,
                  [fields](const Fixed& fixed) { return (Event::maskOf(fixed.field) & fields) == 0; });
    makeRuns();
}

/// Adapts to the event just matched by parts. Values that change too often are open from now on.
void EventTemplate::adapt() {
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        Part& part = m_parts[i];
        if (part.isOpen)
            continue;
        const bool isSame = part.kind == ValueKind::String ? part.value == m_found[i]
                                                           : part.value.size() == m_found[i].size();
        part.changes += isSame ? 0 : 1;
        part.isOpen =
            part.changes > kFewChanges + m_matches / kMatchesForChange || !mayBeKnown(part.kind, m_found[i]);
        part.value = m_found[i];
    }
    makeRuns();
}

const char* EventTemplate::match(const char* at, const char* end, Event& event, bool isWide) {
    const char* behind = isWide ? matchRunsWide(at, end, event) : matchRuns(at, end, event);
    if (!behind) {
        behind = matchParts(at, end, event);
        if (!behind)
            return nullptr;
        adapt();
    }
    ++m_matches;
    for (const Fixed& fixed : m_fixed)
        event.put(fixed.field, fixed.value.at, fixed.value.size, fixed.value.kind);
    event.claim(m_fields);
    return behind;
}

/// Tries first the most frequent successor, then the last one, then all.
Parsed EventTemplates::parse(const char* at, const char* end, Event& event) {
    m_isKnown = true;
    if (m_known.empty())
        return learn(at, end, event);
    Known& before = m_known[m_last];
    if (const char* behind = m_known[before.next].shape.match(at, end, event, m_isWide)) {
        before.trust += before.trust < kMostTrust ? 1 : 0;
        m_last = before.next;
        return {ParseEnd::Whole, behind};
    }
    std::size_t found = before.other;
    const char* behind = m_known[found].shape.match(at, end, event, m_isWide);
    for (std::size_t i = 0; !behind && i < m_known.size(); ++i)
        behind = m_known[found = i].shape.match(at, end, event, m_isWide);
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
    if (parsed.end != ParseEnd::Whole || m_slots.size() > kMostSlots ||
        static_cast<std::size_t>(parsed.at - at) > kMostLearned)
        return parsed;
    if (m_known.size() == kMostTemplates && ++m_misses > 16 * kMostTemplates) {
        m_known.clear(); // belongs to another part of the file
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

} // namespace olab::io::json_import
