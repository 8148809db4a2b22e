#include "event_batch.h"

#include "cuda_kinds.h"

#include <olab/trace/text_limits.h>

#include <algorithm>

namespace olab::io::json_import {
namespace {

constexpr ClassMask kCopies = maskOf(ActivityClass::MemcpyH2D) | maskOf(ActivityClass::MemcpyD2H) |
                              maskOf(ActivityClass::MemcpyD2D) | maskOf(ActivityClass::MemcpyP2P) |
                              maskOf(ActivityClass::MemcpyOther);

std::string lowered(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return lower;
}

ClassMask classesOf(Category category) {
    switch (category) {
    case Category::Kernel:
        return maskOf(ActivityClass::Kernel);
    case Category::Memcpy:
        return kCopies;
    case Category::Memset:
        return maskOf(ActivityClass::Memset);
    case Category::Api:
        return maskOf(ActivityClass::Api);
    case Category::Sync:
        return maskOf(ActivityClass::Sync);
    case Category::Overhead:
        return maskOf(ActivityClass::Overhead);
    case Category::Other:
        break;
    }
    return maskOf(ActivityClass::Nvtx);
}

MemoryKind memoryKindFrom(std::string_view name) {
    constexpr std::pair<std::string_view, MemoryKind> kKinds[] = {
        {"Pageable", MemoryKind::Pageable},
        {"Pinned", MemoryKind::Pinned},
        {"Device", MemoryKind::Device},
        {"Array", MemoryKind::Array},
        {"Managed", MemoryKind::Managed},
        {"Device Static", MemoryKind::DeviceStatic},
        {"Managed Static", MemoryKind::ManagedStatic}};
    for (const auto& [known, kind] : kKinds)
        if (known == name)
            return kind;
    return MemoryKind::Unknown;
}

/// "(Pinned -> Device)" at the end of a name, or "(Device)".
std::pair<MemoryKind, MemoryKind> memoryIn(std::string_view name) {
    const auto open = name.rfind('('), close = name.rfind(')');
    if (open == name.npos || close == name.npos || close < open)
        return {};
    const std::string_view inside = name.substr(open + 1, close - open - 1);
    const auto arrow = inside.find(" -> ");
    if (arrow == inside.npos)
        return {MemoryKind::Unknown, memoryKindFrom(inside)};
    return {memoryKindFrom(inside.substr(0, arrow)), memoryKindFrom(inside.substr(arrow + 4))};
}

/// Numbers of devices, streams, contexts; written "stream 7" in 2020.
std::uint32_t numberOf(const Value& value) {
    std::uint64_t few = 0;
    if (value.kind == ValueKind::Number && value.size - 1 < 8 && fewDigits(value.at, value.size, few))
        [[likely]]
        return static_cast<std::uint32_t>(few);
    std::string_view text = numberTextOf(value);
    constexpr std::string_view kOld = "stream ";
    if (text.starts_with(kOld))
        text.remove_prefix(kOld.size());
    const auto number = wholeNumberIn(text);
    return number && *number >= 0 && *number < std::int64_t{kNoNumber} ? static_cast<std::uint32_t>(*number)
                                                                       : kNoNumber;
}
/// The same if 0 means that there is none.
std::uint32_t numberOrZero(const Value& value) {
    const std::uint32_t number = value.kind == ValueKind::Missing ? 0 : numberOf(value);
    return number == kNoNumber ? 0 : number;
}

/// Up to eight characters in one number.
std::uint64_t shortText(const Value& value) {
    std::uint64_t text = 0;
    std::memcpy(&text, value.at, sizeof text);
    return value.size == 8 ? text : text & ((std::uint64_t{1} << 8 * value.size) - 1);
}

char phaseOf(const Event& event) {
    const Value& phase = event[Field::Phase];
    return phase.isString() && phase.size == 1 ? *phase.at : '\0';
}

/// Flows are only counted: correlations contain the same information.
bool isFlow(char phase) {
    return phase == 's' || phase == 't' || phase == 'f';
}

/// The category of a broken event, to estimate what it may have been.
ClassMask touchedBy(std::string_view broken) {
    const auto key = broken.find("\"cat\"");
    if (key == broken.npos)
        return kAllClasses;
    const auto open = broken.find('"', key + 5);
    const auto close = open == broken.npos ? open : broken.find('"', open + 1);
    return close == broken.npos ? kAllClasses
                                : classesOf(categoryOf(broken.substr(open + 1, close - open - 1)));
}

/// The fault of a value that is not a number: a bare word is not JSON, except null, which means missing.
TimeFault faultOf(const Value& value, bool isTime) {
    if (isTime)
        return TimeFault::None;
    const bool isNull = value.kind == ValueKind::Word && value.text() == "null";
    if (value.kind == ValueKind::Missing || isNull)
        return TimeFault::Missing;
    const std::string_view text = numberTextOf(value);
    const bool isNumber =
        std::ranges::any_of(text, [](char c) { return c >= '0' && c <= '9'; }) &&
        std::ranges::all_of(text, [](char c) {
            return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
        });
    return isNumber ? TimeFault::TooFar : TimeFault::NoNumber;
}

/// An event without an end is searched for up to the end of the file. This many bytes, plus the number read
/// before, may be searched in vain.
constexpr std::uint64_t kFreeInVain = std::uint64_t{1} << 20;
constexpr std::size_t kZeroStep = std::size_t{64} << 10;
constexpr std::string_view kZeros = "zero bytes stand in place of text";

} // namespace

std::string_view faultOfTime(TimeFault fault) {
    return fault == TimeFault::Missing ? "events without a time"
           : fault == TimeFault::NoNumber
               ? "events whose time is not a JSON number (NaN, Infinity, text)"
               : "events whose time is out of range: beyond 64 bits of nanoseconds";
}

std::string_view faultOfLength(TimeFault fault) {
    return fault == TimeFault::Missing    ? "events that have not ended: they have no duration"
           : fault == TimeFault::NoNumber ? "events whose duration is not a JSON number (NaN, Infinity, text)"
                                          : "events whose end is out of range: beyond 64 bits of nanoseconds";
}

Category categoryOf(std::string_view text) {
    const std::string lower = lowered(text);
    if (lower == "kernel" || lower == "concurrent_kernel")
        return Category::Kernel;
    if (lower == "gpu_memcpy" || lower == "memcpy")
        return Category::Memcpy;
    if (lower == "gpu_memset" || lower == "memset")
        return Category::Memset;
    if (lower == "runtime" || lower.ends_with("_runtime") || lower.ends_with("_driver"))
        return Category::Api;
    if (lower == "cuda_sync")
        return Category::Sync;
    return lower == "overhead" ? Category::Overhead : Category::Other;
}

ActivityClass copyClass(std::string_view name) {
    std::string plain = lowered(name);
    std::erase_if(plain, [](char c) { return c == ' ' || c == '_'; });
    return imports::copyClassOfLetters(plain);
}

void EventBatch::clear() {
    rows.clear(), undecided.clear(), loose.clear(), streamCalls.clear(), refused.clear();
    phases.fill(0);
    categories.clear();
    hasGpuCategory = false;
    earliest = std::numeric_limits<Ns>::max();
    end = BatchEnd::Clean;
    behind = seen = 0;
    broken = wrongBytes = firstWrong = 0;
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
    const bool isOpen = how == ParseEnd::Open, isLast = m_resume.isLast;
    if (isOpen && (!m_decides || !limit || (limit == end && !isLast)))
        return stop(at, BatchEnd::Open);
    const NextEvent next = nextEvent(at, at, end, isLast);
    m_lookedAt += static_cast<std::uint64_t>((next.at ? next.at : end) - at);
    const bool mayWait = !isLast && (!m_decides || end - at < kNearEvent);
    if (!next.at && (mayWait || (isLast && isOpen && limit == end)))
        return stop(at, BatchEnd::Open);
    const char* const behind = std::min(next.at ? next.at : end, at + std::min(end - at, kNearEvent));
    const bool isHurried = m_place < m_hurriedTo;
    refuseBroken({at, behind}, isOpen && !isHurried && limit != end);
    if (isOpen && !isHurried) {
        const auto looked = static_cast<std::uint64_t>(limit - at);
        m_lookedAt += looked, m_inVain += looked;
        m_hurriedTo = m_inVain - std::min(m_inVain, kFreeInVain);
    }
    return goOn(next);
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
/// skipCommas(): mostly the same characters as last time.
inline const char* BatchMaker::skipBetween(const char* at, const char* end) {
    std::uint64_t text = 0;
    std::memcpy(&text, at, sizeof text);
    const char* const behind = at + m_between.size;
    if ((text & m_between.mask) == m_between.text && behind < end && *behind == '{') [[likely]]
        return behind;
    const char* const next = skipCommas(at, end);
    m_between.size =
        static_cast<std::size_t>(next - at) <= sizeof text ? static_cast<std::size_t>(next - at) : 0;
    m_between.mask =
        m_between.size == sizeof text ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * m_between.size) - 1;
    m_between.text = text & m_between.mask;
    return next;
}

/// The fields that take() needs from events of this kind.
std::uint64_t BatchMaker::fieldsOf(const EventNote& note) const {
    constexpr auto mask = [](auto... fields) { return (Event::maskOf(fields) | ...); };
    if (isFlow(note.phase))
        return 0;
    constexpr std::uint64_t kGeometry =
        mask(Field::Registers, Field::Shared, Field::GridX, Field::GridY, Field::GridZ, Field::BlockX,
             Field::BlockY, Field::BlockZ, Field::Priority);
    constexpr std::uint64_t kNoted = mask(Field::Phase, Field::Category);
    return ~((m_details ? 0 : kGeometry) | (note.phase == 'X' ? kNoted : 0));
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

void BatchMaker::refuse(DefectCode code, ClassMask classes, std::string_view detail) {
    const auto [at, isNew] = m_batch->refused.try_emplace({code, classes, detail});
    at->second.first = isNew ? m_place : at->second.first;
    ++at->second.count;
}

EventNote BatchMaker::noteOf(const Event& event) {
    const Value& category = event[Field::Category];
    EventNote note{true, phaseOf(event), static_cast<std::uint8_t>(Category::Other), 0};
    if (category.isString()) {
        note.categoryText = textId(category);
        note.kind = static_cast<std::uint8_t>(categoryOf(category.text()));
    }
    return note;
}

void BatchMaker::take(const Event& event, const EventNote& note) {
    ++m_batch->phases[static_cast<unsigned char>(note.phase) & 0x7f];
    if (note.categoryText >= m_batch->categories.size())
        m_batch->categories.resize(note.categoryText + 1);
    ++m_batch->categories[note.categoryText];
    const Category kind{note.kind};
    m_batch->hasGpuCategory = m_batch->hasGpuCategory || isGpu(kind);
    if (note.phase == 'X')
        takeTimed(event, kind);
    else if (!isFlow(note.phase) && note.phase != '\0')
        takeLoose(event, note.phase, kind);
}

void BatchMaker::takeTimed(const Event& event, Category category) {
    if (category == Category::Other)
        return takeUndecided(event);
    if (isGpu(category))
        return takeWork(event, category);
    if (category == Category::Sync)
        return takeSync(event);
    const auto cls = category == Category::Api ? ActivityClass::Api : ActivityClass::Overhead;
    Ns begin = 0, end = 0;
    if (timesOf(event, maskOf(cls), begin, end))
        m_batch->rows.push_back({begin, end, hostShape(cls, event), numberOrZero(event[Field::Correlation])});
}

/// Begin and end in nanoseconds; false: the event was refused.
bool BatchMaker::timesOf(const Event& event, ClassMask classes, Ns& begin, Ns& end) {
    Ns plain = 0;
    const Value &writtenTs = event[Field::Ts], &writtenLength = event[Field::Dur];
    if (writtenTs.kind == ValueKind::Number && writtenLength.kind == ValueKind::Number &&
        plainMicros(writtenTs.text(), begin) && plainMicros(writtenLength.text(), plain) &&
        !__builtin_add_overflow(begin, plain, &end)) [[likely]] {
        m_batch->earliest = begin != 0 || end != 0 ? std::min(m_batch->earliest, begin) : m_batch->earliest;
        return true;
    }
    const auto ts = timeFromMicros(numberTextOf(writtenTs));
    const auto length = timeFromMicros(numberTextOf(writtenLength));
    const auto sum = ts && length ? ts->plus(*length) : std::nullopt;
    const auto first = ts ? ts->rounded() : std::nullopt, last = sum ? sum->rounded() : std::nullopt;
    if (!first || !last) {
        const TimeFault fault = faultOf(writtenTs, first.has_value());
        refuse(DefectCode::BadRecord, classes,
               fault != TimeFault::None ? faultOfTime(fault) : faultOfLength(faultOf(writtenLength, false)));
        return false;
    }
    begin = *first, end = *last;
    if (begin != 0 || end != 0)
        m_batch->earliest = std::min(m_batch->earliest, begin);
    return true;
}

void BatchMaker::takeWork(const Event& event, Category category) {
    Ns begin = 0, end = 0;
    if (timesOf(event, classesOf(category), begin, end))
        m_batch->rows.push_back(
            {begin, end, workShape(event, category), numberOrZero(event[Field::Correlation])});
}

const BatchMaker::CopyName& BatchMaker::copyNamed(std::uint32_t name) {
    if (name >= m_copies.size())
        m_copies.resize(name + 1);
    CopyName& copy = m_copies[name];
    if (!copy.known) {
        copy.known = true;
        copy.cls = copyClass(m_texts[name].raw);
        copy.keepName = copy.cls == ActivityClass::MemcpyOther;
        std::tie(copy.source, copy.target) = memoryIn(m_texts[name].raw);
    }
    return copy;
}

std::uint32_t BatchMaker::workShape(const Event& event, Category category) {
    Shape shape;
    shape.device = numberOf(event.has(Field::Device) ? event[Field::Device]
                                                     : event.either(Field::DeviceOld, Field::Pid));
    shape.stream = numberOf(event.has(Field::Stream) ? event[Field::Stream]
                                                     : event.either(Field::StreamOld, Field::Tid));
    shape.context = numberOf(event[Field::Context]);
    const Value& bytes = event.either(Field::Bytes, Field::BytesOld);
    if (bytes.kind != ValueKind::Missing)
        shape.bytes = std::max<std::int64_t>(0, wholeNumberIn(numberTextOf(bytes)).value_or(0));
    auto cls = category == Category::Kernel ? ActivityClass::Kernel : ActivityClass::Memset;
    if (category != Category::Kernel) { // their names only repeat class and memory, which are kept
        const std::uint32_t name = textId(event[Field::Name]);
        const CopyName& copy = copyNamed(name);
        cls = category == Category::Memcpy ? copy.cls : cls;
        shape.name = category == Category::Memcpy && copy.keepName ? name : 0;
        shape.source = static_cast<std::uint8_t>(copy.source);
        shape.target = static_cast<std::uint8_t>(copy.target);
    } else {
        shape.name = nameId(event);
        if (m_details)
            setGeometry(event, shape);
    }
    shape.cls = static_cast<std::uint8_t>(cls);
    if (event.has(Field::ChannelType) && event.has(Field::Channel)) { // exported by this program
        shape.hasChannel = 1;
        shape.channel = numberOf(event[Field::Channel]);
        shape.channelType =
            static_cast<std::uint8_t>(std::min(numberOrZero(event[Field::ChannelType]), 255u));
    }
    if (numberOrZero(event[Field::Unified]) == 1)
        shape.flags = kFlagUnified;
    return m_shapes.idOf(shape);
}

void BatchMaker::setGeometry(const Event& event, Shape& shape) {
    if (event.has(Field::Priority))
        if (const auto priority = wholeNumberIn(numberTextOf(event[Field::Priority]));
            priority && std::abs(*priority) < 1000)
            m_batch->priorities[{shape.context, shape.stream}] = static_cast<std::int32_t>(*priority);
    if (!event.has(Field::GridZ) || !event.has(Field::BlockZ))
        return;
    shape.hasGeometry = 1;
    constexpr Field kGrid[] = {Field::GridX, Field::GridY, Field::GridZ};
    constexpr Field kBlock[] = {Field::BlockX, Field::BlockY, Field::BlockZ};
    for (std::size_t i = 0; i < 3; ++i) {
        shape.grid[i] = numberOrZero(event[kGrid[i]]);
        shape.block[i] = numberOrZero(event[kBlock[i]]);
    }
    shape.registers = numberOrZero(event[Field::Registers]);
    shape.shared = numberOrZero(event[Field::Shared]);
}

std::uint32_t BatchMaker::hostShape(ActivityClass cls, const Event& event) {
    const std::uint32_t name = nameId(event), thread = threadId(event);
    HostShape& known = m_hostShapes[mixedHash(mixedHash(name, thread), static_cast<std::uint64_t>(cls)) %
                                    m_hostShapes.size()];
    if (known.thread == thread && known.name == name && known.cls == cls) [[likely]]
        return known.shape;
    Shape shape;
    shape.cls = static_cast<std::uint8_t>(cls);
    shape.name = name, shape.thread = thread;
    known = {name, thread, m_shapes.idOf(shape), cls};
    return known.shape;
}

/// A waiting thread; or a stream that was made to wait, which takes no host time. Their thread is that of the
/// call with the same correlation.
void BatchMaker::takeSync(const Event& event) {
    Ns begin = 0, end = 0;
    if (!timesOf(event, maskOf(ActivityClass::Sync), begin, end))
        return;
    constexpr std::string_view kWait = "Stream Wait Event";
    const std::uint32_t correlation = numberOrZero(event[Field::Correlation]);
    const Value& kind = event.either(Field::SyncKind, Field::Name);
    if (kind.kind == ValueKind::EscapedString ? textOf(kind) != kWait : kind.text() != kWait) {
        Shape shape;
        shape.cls = static_cast<std::uint8_t>(ActivityClass::Sync);
        shape.name = textId(kind);
        shape.thread = kNoNumber;
        m_batch->rows.push_back({begin, end, m_shapes.idOf(shape), correlation});
        return;
    }
    const std::uint32_t context = numberOf(event[Field::Context]), id = numberOf(event[Field::WaitEvent]);
    const std::uint32_t recording = numberOrZero(event[Field::WaitRecord]);
    m_batch->streamCalls.push_back({StreamCallKind::StreamWait, correlation, context,
                                    numberOf(event.either(Field::Stream, Field::Tid)), id, recording});
    if (recording != 0)
        m_batch->streamCalls.push_back({StreamCallKind::EventRecord, recording, context,
                                        numberOf(event[Field::WaitStream]), id, recording});
}

void BatchMaker::takeUndecided(const Event& event) {
    Undecided u;
    const auto ts = timeFromMicros(numberTextOf(event[Field::Ts]));
    const auto length = timeFromMicros(numberTextOf(event[Field::Dur]));
    const auto begin = ts ? ts->rounded() : std::nullopt;
    const auto sum = ts && length ? ts->plus(*length) : std::nullopt;
    const auto end = sum ? sum->rounded() : std::nullopt;
    u.isWhole = true;
    u.time = faultOf(event[Field::Ts], begin.has_value());
    u.length = faultOf(event[Field::Dur], !begin || end.has_value());
    u.begin = begin.value_or(0), u.end = end.value_or(u.begin);
    u.name = textId(event[Field::Name]), u.thread = threadId(event);
    if (event[Field::MemcpyDetails].isString())
        u.details = textId(event[Field::MemcpyDetails]);
    u.correlation = numberOrZero(event[Field::Correlation]);
    if (begin && (u.begin != 0 || u.end != 0))
        m_batch->earliest = std::min(m_batch->earliest, u.begin);
    m_batch->undecided.push_back(u);
}

void BatchMaker::takeLoose(const Event& event, char phase, Category category) {
    Loose loose;
    loose.phase = phase, loose.category = category;
    const auto ts = timeFromMicros(numberTextOf(event[Field::Ts]));
    const auto time = ts ? ts->rounded() : std::nullopt;
    loose.fault = faultOf(event[Field::Ts], time.has_value()), loose.time = time.value_or(0);
    loose.name = textId(event[Field::Name]), loose.thread = threadId(event);
    loose.categoryText = event[Field::Category].isString() ? textId(event[Field::Category]) : 0;
    loose.id = textId(event.either(Field::Id, Field::Id2));
    loose.correlation = numberOrZero(event[Field::Correlation]);
    if (phase == 'M')
        loose.argName = textId(event[Field::ArgName]);
    if (phase == 'B' && isGpu(category))
        loose.shape = workShape(event, category);
    m_batch->loose.push_back(loose);
}

/// None if not wanted, unless it is so long that a sink may cut and report it.
std::uint32_t BatchMaker::nameId(const Event& event) {
    constexpr std::size_t kNeverCut = kMaxTextBytes / 4; // a bad byte becomes three
    const Value& name = event[Field::Name];
    return m_details || name.size > kNeverCut ? textId(name) : 0;
}

std::uint32_t BatchMaker::textId(const Value& value) {
    return m_texts.idOf(value.text(), value.kind == ValueKind::EscapedString);
}

std::uint32_t BatchMaker::threadId(const Event& event) {
    const Value &pid = event[Field::Pid], &tid = event[Field::Tid];
    if (pid.size - 1 >= 8 || tid.size - 1 >= 8)
        return newThread(event);
    const ShortThread wanted{shortText(pid), shortText(tid), 0};
    const auto next = static_cast<std::uint32_t>(m_shortThreads.size());
    const std::uint32_t at =
        m_shortThreadIds.find(mixedHash(wanted.pid, wanted.tid), next, [&](std::uint32_t known) {
            return m_shortThreads[known].pid == wanted.pid && m_shortThreads[known].tid == wanted.tid;
        });
    if (at == next)
        m_shortThreads.push_back({wanted.pid, wanted.tid, newThread(event)});
    return m_shortThreads[at].id;
}

std::uint32_t BatchMaker::newThread(const Event& event) {
    const ThreadKey key{textId(event[Field::Pid]), textId(event[Field::Tid])};
    const auto next = static_cast<std::uint32_t>(m_threads.size());
    const std::uint32_t id = m_threadIds.find(mixedHash(key.pid, key.tid), next,
                                              [&](std::uint32_t known) { return m_threads[known] == key; });
    if (id == next)
        m_threads.push_back(key);
    return id;
}

} // namespace olab::io::json_import
