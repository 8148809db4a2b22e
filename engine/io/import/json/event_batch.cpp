#include "event_batch.h"

#include <algorithm>

namespace olab::io::json_import {
namespace {

/// An event without an end is searched for up to the end of the file. This many bytes, plus the number read
/// before, may be searched in vain.
constexpr std::uint64_t kFreeInVain = std::uint64_t{1} << 20;
constexpr std::size_t kZeroStep = std::size_t{64} << 10;
constexpr std::string_view kZeros = "zero bytes stand in place of text";

} // namespace

void EventBatch::clear() {
    rows.clear(), undecided.clear(), loose.clear(), streamCalls.clear(), refused.clear();
    phases.fill(0);
    categories.clear();
    hasGpuCategory = false;
    earliest = std::numeric_limits<Ns>::max();
    end = BatchEnd::Clean;
    behind = seen = 0;
    broken = wrongBytes = firstWrong = 0;
    commas = {};
    priorities.clear();
}

BatchMaker::BatchMaker(bool details, bool decides, std::size_t mostEvent)
    : m_details(details)
    , m_decides(decides)
    , m_mostEvent(mostEvent) {
    m_texts.idOf({}); // 0: none
}

void BatchMaker::make(std::string_view text, std::uint64_t offset, EventBatch& batch, const Resume& resume) {
    batch.clear();
    m_batch = &batch, m_text = text, m_offset = offset, m_resume = resume;
    m_commas = 0, m_between = {};
    Event event;
    const char *at = text.data(), *const end = at + text.size();
    if (resume.isBroken)
        at = goOn(nextEvent(at, at + resume.seen, end, resume.isLast));
    const char* clean = text.data(); // no zero byte before
    while (at) {
        at = skipBetween(at, end);
        if (at == end || *at == ']') {
            stop(at, at == end ? BatchEnd::Clean : BatchEnd::Closed);
            return;
        }
        m_place = placeOf(at);
        const char* const limit = limitOf(at);
        const Parsed parsed = parse(at, limit, event);
        if (parsed.end != ParseEnd::Whole) {
            at = takeOther(at, limit, parsed.end);
            continue;
        }
        if (parsed.at <= clean) [[likely]]
            takeWhole(event);
        else {
            if (hasZero(at, parsed.at))
                refuse(DefectCode::DamagedChunk, kAllClasses, kZeros);
            else
                takeWhole(event);
            clean = text.data() + (m_cleanTo - offset);
        }
        at = parsed.at;
    }
}

/// `limit`: null if the text does not show how far the event may extend.
inline Parsed BatchMaker::parse(const char* at, const char* limit, Event& event) {
    if (!limit)
        return {ParseEnd::Open, nullptr};
    if (*at != '{')
        return {};
    if (m_resume.isOpen && at == m_text.data()) [[unlikely]] // large: all templates would scan all of it
        return m_templates.parseAlone(at, limit, event);
    return m_templates.parse(at, limit, event);
}

/// How far the event at `at` may extend.
inline const char* BatchMaker::limitOf(const char* at) {
    const char* const end = textEnd();
    const char* const most = static_cast<std::size_t>(end - at) > m_mostEvent ? at + m_mostEvent : end;
    return m_place >= m_hurriedTo ? most : hurriedLimit(at, most);
}

/// Up to the apparent begin of the next one. Each byte is scanned only once.
const char* BatchMaker::hurriedLimit(const char* at, const char* most) {
    const bool isAll = m_resume.isLast || most != textEnd();
    const std::uint64_t place = placeOf(at), far = std::max(place, m_noNextTo);
    const std::uint64_t begin = std::max(place, far - std::min<std::uint64_t>(far, 2 * kNearEvent));
    const char* const from = at + std::min<std::uint64_t>(far - place, static_cast<std::uint64_t>(most - at));
    const NextEvent next = nextEvent(std::min(at + (begin - place), from), from, most, isAll);
    m_lookedAt += static_cast<std::uint64_t>((next.at ? next.at : most) - from);
    if (next.at)
        return next.at;
    constexpr std::ptrdiff_t kUndecided = 64; // at the end: undecided, more text may follow
    m_noNextTo = std::max(m_noNextTo, placeOf(from + std::max<std::ptrdiff_t>(most - from - kUndecided, 0)));
    return isAll ? most : nullptr;
}

/// Handles an incomplete event. More text after it does not change the decision. @returns where to continue;
/// null: nowhere
const char* BatchMaker::takeOther(const char* at, const char* limit, ParseEnd how) {
    const char* const end = textEnd();
    m_commas = 1; // whatever stands between damage and the next event is part of it
    const bool isStray = limit && *at != '{', isOpen = isStray || how == ParseEnd::Open;
    const bool isLast = m_resume.isLast;
    if (isStray) {
        limit = at + std::min(limit - at, kNearEvent);
        if (const char* const next = takeStray(at, limit))
            return next;
    }
    if (isOpen && (!m_decides || !limit || (limit == end && !isLast)))
        return stop(at, BatchEnd::Open);
    const NextEvent next = nextEvent(at, at, end, isLast);
    m_lookedAt += static_cast<std::uint64_t>((next.at ? next.at : end) - at);
    const bool mayWait = !isLast && (!m_decides || end - at < kNearEvent);
    if (!next.at && (mayWait || (isLast && isOpen && limit == end)))
        return stop(at, BatchEnd::Open);
    const char* const behind = std::min(next.at ? next.at : end, at + std::min(end - at, kNearEvent));
    const bool isHurried = m_place < m_hurriedTo;
    refuseBroken({at, behind}, isOpen && !isStray && !isHurried && limit != end);
    if (isOpen && !isHurried) {
        const auto looked = static_cast<std::uint64_t>(limit - at);
        m_lookedAt += looked, m_inVain += looked;
        m_hurriedTo = m_inVain - std::min(m_inVain, kFreeInVain);
    }
    return goOn(next);
}

/// Values in the list that are no events: null, a number, a list. @returns the next event, or the end of the
/// list; null: there is something else too
const char* BatchMaker::takeStray(const char* at, const char* limit) {
    const char* next = at;
    std::uint64_t count = 0;
    for (Value value; next != limit && *next != '{' && *next != ']'; ++count) {
        const Step step = takeValue(next, limit, value);
        next = step.at ? skipSpace(step.at, limit) : limit;
        if (next != limit && *next != ',' && *next != '{' && *next != ']')
            return nullptr;
        next = skipCommas(next, limit);
    }
    const std::string_view text(at, next);
    if (next == limit || text.find('\0') != text.npos)
        return nullptr;
    m_batch->broken += count;
    refuse(DefectCode::BadRecord, touchedBy(text), "values that are not events", count);
    return next;
}

const char* BatchMaker::goOn(const NextEvent& next) {
    if (next.at)
        return next.at;
    if (m_resume.isLast)
        return stop(textEnd(), BatchEnd::Clean);
    const char* keep = next.keep; // no partial character
    for (int i = 0; i < 3 && keep != m_text.data() && (static_cast<unsigned char>(*keep) & 0xc0) == 0x80; ++i)
        --keep;
    m_batch->seen = static_cast<std::size_t>(next.seen - keep);
    return stop(keep, BatchEnd::Broken);
}

const char* BatchMaker::stop(const char* at, BatchEnd how) {
    m_batch->end = how;
    m_batch->behind = static_cast<std::size_t>(at - m_text.data());
    m_batch->commas.behind = m_commas;
    m_lookedAt += m_batch->behind;
    const WrongText wrong = wrongTextIn(m_text.substr(0, m_batch->behind));
    m_batch->wrongBytes = wrong.count;
    m_batch->firstWrong = m_offset + wrong.first;
    return nullptr;
}

/// Whether there is a zero byte in the event [at, behind): a lost part of the file reads as zeros and may
/// have contained other events, too.
bool BatchMaker::hasZero(const char* at, const char* behind) {
    const std::uint64_t begin = std::max(m_cleanTo, placeOf(at));
    m_cleanTo = std::max(begin, placeOf(behind));
    if (begin >= placeOf(behind))
        return false;
    const char* const from = m_text.data() + (begin - m_offset);
    const auto step = std::max<std::ptrdiff_t>(behind - from, kZeroStep);
    const char* const to = from + std::min(textEnd() - from, step);
    const auto* zero = static_cast<const char*>(std::memchr(from, 0, static_cast<std::size_t>(to - from)));
    if (zero && zero < behind)
        return true;
    m_cleanTo = placeOf(zero ? zero : to);
    return false;
}

inline void BatchMaker::takeWhole(const Event& event) {
    EventNote* const known = m_templates.note();
    if (known && known->isSet)
        return take(event, *known);
    const EventNote note = noteOf(event);
    take(event, note);
    if (known) {
        *known = note;
        m_templates.keepOnly(fieldsOf(note));
    }
}

/// skipCommas(): mostly the same characters as last time, with one comma.
inline const char* BatchMaker::skipBetween(const char* at, const char* end) {
    std::uint64_t text = 0;
    std::memcpy(&text, at, sizeof text);
    const char* const behind = at + m_between.size;
    if ((text & m_between.mask) == m_between.text && behind < end && *behind == '{') [[likely]]
        return behind;
    const char* const next = skipCommas(at, end);
    const auto commas = std::count(at, next, ',');
    const auto size = static_cast<std::size_t>(next - at);
    m_between = {};
    if (commas == 1 && size <= sizeof text) {
        const std::uint64_t mask =
            size == sizeof text ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * size) - 1;
        m_between = {text & mask, mask, size};
    }
    m_commas += static_cast<std::uint64_t>(commas);
    if (next != end && *next != ']')
        takeCommas(placeOf(next), *next != '{');
    return next;
}

/// Of what begins at `place`: if that is no event, damage is told anyway.
void BatchMaker::takeCommas(std::uint64_t place, bool isDamage) {
    Commas& commas = m_batch->commas;
    if (!commas.isAround)
        commas.before = m_commas, commas.place = place, commas.isBeforeDamage = isDamage;
    else if (!isDamage)
        commas.tell(m_commas, place);
    commas.isAround = true, m_commas = 0;
}

void BatchMaker::takeNews(BatchNews& news) {
    news = {};
    while (m_toldTexts < m_texts.size())
        news.texts.push_back(m_texts[m_toldTexts++]);
    while (m_toldThreads < m_threads.size())
        news.threads.push_back(m_threads[m_toldThreads++]);
    while (m_toldShapes < m_shapes.size())
        news.shapes.push_back(m_shapes[m_toldShapes++]);
}

void BatchMaker::refuseBroken(std::string_view text, bool isTooLarge) {
    ++m_batch->broken;
    if (text.find('\0') != text.npos)
        return refuse(DefectCode::DamagedChunk, kAllClasses, kZeros);
    refuse(DefectCode::BadRecord, isTooLarge ? kAllClasses : touchedBy(text),
           isTooLarge ? "events that do not end within 64 MiB" : "events that are not JSON");
}

void BatchMaker::refuse(DefectCode code, ClassMask classes, std::string_view detail, std::uint64_t count) {
    const auto [at, isNew] = m_batch->refused.try_emplace({code, classes, detail});
    at->second.first = isNew ? m_place : at->second.first;
    at->second.count += count;
}

} // namespace olab::io::json_import
