// What is made of whole events: rows, and what needs the whole file.
#include "event_batch.h"

#include "../cuda_kinds.h"
#include "../file_numbers.h"

#include <olab/trace/limits.h>

#include <algorithm>
#include <charconv>

namespace olab::io::json_import {
namespace {

constexpr std::string_view kGpuRanges = "gpu_user_annotation"; // of Kineto

/// All 64 bits of a handle above 2^63, or of one written as hexadecimal text; empty: neither.
std::optional<std::int64_t> handleIn(std::string_view text) {
    const bool isHex = text.starts_with("0x");
    text.remove_prefix(isHex ? 2 : 0);
    std::uint64_t bits = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, isHex ? 16 : 10);
    return error == std::errc() && end == text.data() + text.size()
               ? std::optional(static_cast<std::int64_t>(bits))
               : std::nullopt;
}

/// Up to eight characters in one number.
std::uint64_t shortText(const Value& value) {
    std::uint64_t text = 0;
    std::memcpy(&text, value.at, sizeof text);
    return value.size == 8 ? text : text & ((std::uint64_t{1} << 8 * value.size) - 1);
}

char phaseOf(const Event& event) {
    const Value& phase = event[Field::Phase];
    std::string room;
    const std::string_view word = wordIn(phase, room);
    return phase.isString() && word.size() == 1 ? word.front() : '\0';
}

/// Flows are only counted: correlations contain the same information.
bool isFlow(char phase) {
    return phase == 's' || phase == 't' || phase == 'f';
}

} // namespace

/// Ids of devices, streams, contexts; written "stream 7" in 2020. As arguments of device work they are
/// numbers if they are there; elsewhere a text may be a name, and null means "not given".
std::int64_t BatchMaker::idOf(const Value& value, bool isArgument) {
    std::uint64_t few = 0;
    if (value.kind == ValueKind::Number && value.size - 1 < 8 && fewDigits(value.at, value.size, few))
        [[likely]]
        return static_cast<std::int64_t>(few);
    std::string_view text = numberTextOf(value);
    constexpr std::string_view kOld = "stream ";
    if (text.starts_with(kOld))
        text.remove_prefix(kOld.size());
    const auto whole = wholeNumberIn(text);
    const auto id = whole ? whole : handleIn(text);
    const bool isOdd = isArgument ? value.kind != ValueKind::Missing : !value.isString() && !saysNone(value);
    m_hasOddNumber = m_hasOddNumber || (!id && isOdd);
    return id.value_or(imports::FileNumbers::kNone);
}

/// The same of what has small numbers only; kNoNumber: none.
std::uint32_t BatchMaker::numberOf(const Value& value) {
    return imports::numberOr(idOf(value));
}

/// The same if 0 means that there is none.
std::uint32_t BatchMaker::numberOrZero(const Value& value) {
    return value.kind == ValueKind::Missing ? 0 : imports::numberOr(idOf(value), 0);
}

bool BatchMaker::refusesOddNumbers(Category category) {
    if (m_hasOddNumber)
        refuse(DefectCode::BadRecord, classesOf(category), kOddNumber);
    return m_hasOddNumber;
}

/// The fields that take() needs from events of this kind.
std::uint64_t BatchMaker::fieldsOf(const EventNote& note) const {
    constexpr auto mask = [](auto... fields) { return (Event::maskOf(fields) | ...); };
    if (isFlow(note.phase))
        return 0;
    constexpr std::uint64_t kNoted = mask(Field::Phase, Field::Category);
    return ~(note.phase == 'X' ? kNoted : 0);
}

EventNote BatchMaker::noteOf(const Event& event) {
    const Value& category = event[Field::Category];
    EventNote note{true, phaseOf(event), static_cast<std::uint8_t>(Category::Other)};
    if (category.isString()) {
        note.categoryText = textId(category);
        std::string room;
        const std::string_view word = wordIn(category, room);
        note.kind = static_cast<std::uint8_t>(categoryOf(word));
        note.ofGpu = word == kGpuRanges;
    } else
        note.isOdd = category.kind != ValueKind::Missing;
    return note;
}

void BatchMaker::take(const Event& event, const EventNote& note) {
    m_hasOddNumber = false;
    ++m_batch->phases[static_cast<unsigned char>(note.phase) & 0x7f];
    if (note.categoryText >= m_batch->categories.size())
        m_batch->categories.resize(note.categoryText + 1);
    ++m_batch->categories[note.categoryText];
    const Category kind{note.kind};
    m_batch->hasGpuCategory = m_batch->hasGpuCategory || isGpu(kind);
    if (note.isOdd && (event.has(Field::Stream) || event.has(Field::Correlation)))
        refuse(DefectCode::BadRecord,
               kDeviceClasses | maskOf(ActivityClass::Api) | maskOf(ActivityClass::Sync),
               "events of a device whose category (cat) is no text");
    else if (note.phase == 'X')
        takeTimed(event, kind, note.ofGpu);
    else if (note.phase == '\0')
        refuseWithoutPhase(event, kind);
    else if (!isFlow(note.phase))
        takeLoose(event, note.phase, kind);
}

/// Some writers end a list with an empty object: that is no event.
void BatchMaker::refuseWithoutPhase(const Event& event, Category category) {
    const char* const inside = skipCommas(m_text.data() + (m_place - m_offset) + 1, textEnd());
    if (inside != textEnd() && *inside != '}')
        refuse(DefectCode::BadRecord, event.has(Field::Category) ? classesOf(category) : kAllClasses,
               "events without a phase (ph)");
}

void BatchMaker::takeTimed(const Event& event, Category category, bool ofGpu) {
    if (category == Category::Other)
        return takeUndecided(event, ofGpu);
    if (isGpu(category))
        return takeWork(event, category);
    if (category == Category::Sync)
        return takeSync(event);
    const auto cls = category == Category::Api ? ActivityClass::Api : ActivityClass::Overhead;
    Ns begin = 0, end = 0;
    if (!timesOf(event, maskOf(cls), begin, end))
        return;
    const ActivityRow row{begin, end, hostShape(cls, event), numberOrZero(event[Field::Correlation])};
    if (!refusesOddNumbers(category))
        m_batch->rows.push_back(row);
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
    if (!timesOf(event, classesOf(category), begin, end))
        return;
    const ActivityRow row{begin, end, workShape(event, category), numberOrZero(event[Field::Correlation])};
    if (!refusesOddNumbers(category))
        m_batch->rows.push_back(row);
}

const BatchMaker::CopyName& BatchMaker::copyNamed(std::uint32_t name) {
    if (name >= m_copies.size())
        m_copies.resize(name + 1);
    CopyName& copy = m_copies[name];
    if (!copy.known) {
        copy.known = true;
        const std::string text = m_texts[name].decoded();
        copy.cls = copyClass(text);
        copy.keepName = copy.cls == ActivityClass::MemcpyOther;
        std::tie(copy.source, copy.target) = memoryIn(text);
    }
    return copy;
}

std::uint32_t BatchMaker::workShape(const Event& event, Category category) {
    Shape shape;
    m_hasOddNumber = m_hasOddNumber || !saysNone(event[Field::Args]);
    shape.device = numberOf(event.has(Field::Device) ? event[Field::Device]
                                                     : event.either(Field::DeviceOld, Field::Pid));
    shape.stream = event.has(Field::Stream) ? idOf(event[Field::Stream], true)
                                            : idOf(event.either(Field::StreamOld, Field::Tid));
    shape.context = idOf(event[Field::Context], true);
    if (const Value& bytes = event.either(Field::Bytes, Field::BytesOld); !saysNone(bytes)) {
        const auto number = wholeNumberIn(numberTextOf(bytes));
        m_hasOddNumber = m_hasOddNumber || !number || *number < 0;
        shape.bytes = number.value_or(0);
    }
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
    if (std::string room; wordIn(kind, room) != kWait) {
        Shape shape;
        shape.cls = static_cast<std::uint8_t>(ActivityClass::Sync);
        shape.name = textId(kind);
        shape.thread = kNoNumber;
        m_batch->rows.push_back({begin, end, m_shapes.idOf(shape), correlation});
        return;
    }
    const std::uint32_t id = numberOf(event[Field::WaitEvent]);
    const std::uint32_t recording = numberOrZero(event[Field::WaitRecord]);
    const StreamCallRecord wait{StreamCallKind::StreamWait, correlation, kNoNumber, kNoNumber, id, recording};
    addStreamCall(event, wait, event.either(Field::Stream, Field::Tid));
    if (recording != 0)
        addStreamCall(event, {StreamCallKind::EventRecord, recording, kNoNumber, kNoNumber, id, recording},
                      event[Field::WaitStream]);
}

void BatchMaker::addStreamCall(const Event& event, StreamCallRecord call, const Value& stream) {
    m_batch->streamCalls.push_back({call, idOf(event[Field::Context]), idOf(stream)});
}

void BatchMaker::takeUndecided(const Event& event, bool ofGpu) {
    Undecided u;
    u.ofGpu = ofGpu;
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
    else if (event.has(Field::BeginNs))
        u.details = m_texts.idOf(rocprofDetails(event), false);
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
    if (isGpu(category) && refusesOddNumbers(category))
        return;
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
