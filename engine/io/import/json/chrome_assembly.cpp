#include "chrome_assembly.h"

#include <algorithm>

namespace olab::io::json_import {
namespace {

constexpr std::uint32_t kFreshNumbers = 0x80000000u; // for threads whose number is already taken
constexpr ClassMask kRanges = maskOf(ActivityClass::Nvtx);

bool isSmall(const FileStreamCall& call) {
    return imports::FileNumbers::isSmall(call.context) && imports::FileNumbers::isSmall(call.stream);
}

std::string_view unknownPhase(char phase) {
    switch (phase) {
    case 'C':
        return "counters";
    case 'N':
    case 'D':
    case 'O':
        return "objects (N, D, O)";
    case 'v':
    case 'V':
        return "memory dumps";
    case 'P':
    case 'p':
        return "samples";
    case 'c':
    case 'a':
    case '(':
    case ')':
        return "clock marks and contexts";
    default:
        return "events of an unknown phase";
    }
}

} // namespace

std::int64_t ChromeAssembly::numberIn(std::uint32_t text) const {
    return wholeFromText(m_texts[text].raw).value_or(-1);
}

TextId ChromeAssembly::name(std::uint32_t text) {
    if (text >= m_names.size())
        m_names.resize(text + 1);
    if (!m_names[text])
        m_names[text] = m_sink.intern(m_texts[text].raw);
    return *m_names[text];
}

/// Its own, unless it has none or a thread of another process has it.
std::uint32_t ChromeAssembly::threadNumber(std::uint32_t thread) {
    FileThread& known = m_threads[thread];
    if (known.number != kNoNumber)
        return known.number;
    const std::int64_t own = numberIn(known.tid);
    auto number = own >= 0 ? static_cast<std::uint32_t>(own & 0xffffffff) : kFreshNumbers;
    for (number = number == kNoNumber ? kFreshNumbers : number; m_threadNumbers.contains(number);)
        number = number < kFreshNumbers || number == kNoNumber - 1 ? kFreshNumbers : number + 1;
    m_threadNumbers.insert(number);
    return known.number = number;
}

void ChromeAssembly::learn(std::size_t maker, BatchNews& news) {
    Translation& known = m_makers[maker];
    for (const TextTable::Text& text : news.texts)
        known.texts.push_back(m_texts.idOf(text.decoded()));
    for (const ThreadKey& key : news.threads) {
        const FileThread thread{known.texts[key.pid], known.texts[key.tid]};
        const auto next = static_cast<std::uint32_t>(m_threads.size());
        const std::uint32_t id = m_threadIds.find(mixedHash(thread.pid, thread.tid), next,
                                                  [&](std::uint32_t i) { return m_threads[i] == thread; });
        if (id == next)
            m_threads.push_back(thread);
        known.threads.push_back(id);
    }
    known.made.insert(known.made.end(), news.shapes.begin(), news.shapes.end());
    known.shapes.resize(known.made.size(), kNoNumber);
}

inline std::uint32_t ChromeAssembly::shapeOf(Translation& known, std::uint32_t shape) {
    std::uint32_t& number = known.shapes[shape];
    if (number == kNoNumber) [[unlikely]]
        number = sinkShape(known.made[shape], known);
    return number;
}

std::uint32_t ChromeAssembly::sinkShape(const Shape& shape, const Translation& known) {
    ActivityRecord record;
    record.cls = static_cast<ActivityClass>(shape.cls);
    record.name = name(known.texts[shape.name]);
    if (isDeviceClass(record.cls)) {
        record.device = shape.device;
        record.context = m_contextNumbers.of(shape.context), record.stream = m_streamNumbers.of(shape.stream);
        record.bytes = shape.bytes;
        record.source = static_cast<MemoryKind>(shape.source);
        record.target = static_cast<MemoryKind>(shape.target);
        record.flags = shape.flags;
        if (shape.hasChannel != 0) {
            record.channel = shape.channel;
            record.channelType = static_cast<ChannelType>(shape.channelType);
        }
        if (shape.hasGeometry != 0)
            record.geometry = KernelGeometry{shape.grid, shape.block, shape.registers, 0, shape.shared};
        m_devices.insert(shape.device);
        if (record.context != kNoNumber)
            m_contexts.emplace(record.context, shape.device);
    } else if (record.cls != ActivityClass::Sync) { // a wait has the thread of its call
        record.thread = threadNumber(known.threads[shape.thread]);
        m_hasCalls = m_hasCalls || record.cls == ActivityClass::Api;
    }
    return m_sink.shape(record);
}

void ChromeAssembly::add(std::size_t maker, EventBatch& batch) {
    Translation& known = m_makers[maker];
    for (ActivityRow& row : batch.rows)
        row.shape = shapeOf(known, row.shape);
    m_sink.addRows(batch.rows);
    for (Undecided u : batch.undecided) {
        u.name = known.texts[u.name], u.thread = known.threads[u.thread], u.details = known.texts[u.details];
        m_undecided.push_back(u);
    }
    for (Loose loose : batch.loose) {
        for (std::uint32_t* text : {&loose.categoryText, &loose.name, &loose.id, &loose.argName})
            *text = known.texts[*text];
        loose.thread = known.threads[loose.thread];
        if (loose.phase == 'B' && isGpu(loose.category)) {
            m_workShapes.emplace_back(maker, loose.shape);
            loose.shape = static_cast<std::uint32_t>(m_workShapes.size() - 1);
        }
        addLoose(loose);
    }
    for (const FileStreamCall& call : batch.streamCalls)
        if (call.record.kind != StreamCallKind::EventRecord ||
            m_recorded.insert(call.record.correlation).second)
            isSmall(call) ? addStreamCall(call) : m_lateCalls.push_back(call);
    for (const auto& [reason, places] : batch.refused)
        refuse(reason, places);
    for (std::size_t i = 0; i < m_phases.size(); ++i)
        m_phases[i] += batch.phases[i];
    for (std::uint32_t id = 0; id < batch.categories.size(); ++id)
        if (batch.categories[id] > 0)
            m_categories[known.texts[id]] += batch.categories[id];
    for (const auto& [stream, priority] : batch.priorities)
        m_priorities[stream] = priority;
    m_hasGpuCategory = m_hasGpuCategory || batch.hasGpuCategory;
    m_earliest = std::min(m_earliest, batch.earliest);
    m_firstWrong = m_wrongBytes == 0 ? batch.firstWrong : m_firstWrong;
    m_wrongBytes += batch.wrongBytes;
    m_firstWrongComma = m_wrongCommas == 0 ? batch.commas.firstWrong : m_firstWrongComma;
    m_wrongCommas += batch.commas.wrong;
}

void ChromeAssembly::addStreamCall(const FileStreamCall& call) {
    StreamCallRecord record = call.record;
    record.context = m_contextNumbers.of(call.context), record.stream = m_streamNumbers.of(call.stream);
    m_sink.add(record);
}

/// Fillers have no phase and are not events.
void ChromeAssembly::refuseAll(const EventBatch& batch, const Reason& reason, std::uint64_t place) {
    std::uint64_t count = batch.broken;
    for (std::size_t i = 1; i < batch.phases.size(); ++i)
        count += batch.phases[i];
    if (count > 0)
        refuse(reason, {count, place});
}

void ChromeAssembly::refuse(const Reason& reason, const Refusals& places) {
    const auto [at, isNew] = m_refused.try_emplace(reason, places);
    if (isNew)
        return;
    Refusals& known = at->second;
    known.count += places.count;
    if (places.first > 0 && (known.first == 0 || places.first < known.first))
        known.first = places.first;
}

bool ChromeAssembly::isNoTrace() const {
    const bool hasEvents =
        std::any_of(m_phases.begin() + 1, m_phases.end(), [](auto count) { return count > 0; });
    return !hasEvents && (m_phases[0] > 0 || !m_refused.empty());
}

void ChromeAssembly::addLoose(Loose loose) {
    const bool isWork = isGpu(loose.category);
    switch (loose.phase) {
    case 'M':
        return addMetadata(loose);
    case 'B':
        return begin((isWork ? m_work : m_ranges)[loose.thread], loose);
    case 'E':
        return end((isWork ? m_work : m_ranges)[loose.thread], loose);
    case 'b':
    case 'S':
        return begin(m_async[{loose.categoryText, loose.id}], loose);
    case 'e':
    case 'F':
        return end(m_async[{loose.categoryText, loose.id}], loose);
    case 'i':
    case 'I':
    case 'R':
    case 'n':
    case 'T':
        if (loose.fault != TimeFault::None)
            return refuse({DefectCode::BadRecord, kRanges, faultOfTime(loose.fault)}, {1, 0});
        return addRange(loose, loose.time, loose.time);
    default:
        refuse({DefectCode::UnknownKind, 0, unknownPhase(loose.phase)}, {1, 0});
    }
}

void ChromeAssembly::addMetadata(const Loose& loose) {
    const std::string& what = m_texts[loose.name].raw;
    FileThread& thread = m_threads[loose.thread];
    if (what == "process_name")
        m_processNames[thread.pid] = loose.argName;
    else if (what == "thread_name")
        thread.name = loose.argName;
}

void ChromeAssembly::begin(std::vector<Open>& stack, const Loose& loose) {
    stack.push_back({loose});
}

void ChromeAssembly::end(std::vector<Open>& stack, const Loose& loose) {
    const bool isWork = isGpu(loose.category);
    if (stack.empty())
        return isWork ? refuse({DefectCode::BadRecord, kDeviceClasses, "ends without a begin"}, {1, 0})
                      : refuse({DefectCode::OpenRange, kRanges, "ends without a begin"}, {1, 0});
    const Loose from = stack.back().begin;
    stack.pop_back();
    if (from.fault != TimeFault::None || loose.fault != TimeFault::None)
        return refuse({DefectCode::BadRecord, isWork ? kDeviceClasses : kRanges,
                       faultOfTime(from.fault != TimeFault::None ? from.fault : loose.fault)},
                      {1, 0});
    if (!isWork)
        return addRange(from, from.time, loose.time);
    const ActivityRow row{from.time, loose.time, from.shape, from.correlation};
    m_pairedWork.push_back(row);
    if (row.begin != 0 || row.end != 0)
        m_earliest = std::min(m_earliest, row.begin);
}

void ChromeAssembly::addRange(const Loose& from, Ns begin, Ns end) {
    Undecided range;
    range.begin = begin, range.end = end;
    range.name = from.name, range.thread = from.thread;
    m_paired.push_back(range);
}

/// After all others: so their order does not depend on where pieces of the file end.
void ChromeAssembly::addPairedWork() {
    for (ActivityRow& row : m_pairedWork) {
        const auto& [maker, shape] = m_workShapes[row.shape];
        row.shape = shapeOf(m_makers[maker], shape);
    }
    m_sink.addRows(m_pairedWork);
    m_pairedWork = {};
}

void ChromeAssembly::refuseOpen() {
    const auto refuseAll = [this](const auto& stacks, const Reason& reason) {
        std::uint64_t count = 0;
        for (const auto& [key, stack] : stacks)
            count += stack.size();
        if (count > 0)
            refuse(reason, {count, 0});
    };
    refuseAll(m_work, {DefectCode::BadRecord, kDeviceClasses, "begins without an end"});
    refuseAll(m_ranges, {DefectCode::OpenRange, kRanges, "begins without an end"});
    refuseAll(m_async, {DefectCode::OpenRange, kRanges, "begins without an end"});
}

void ChromeAssembly::finish(const TopMembers& members) {
    addPairedWork();
    for (const FileStreamCall& call : m_lateCalls)
        addStreamCall(call);
    const Flavour kind = flavour(members);
    refuseOpen();
    addUndecided(kind);
    addFacts(members, kind);
    addDefects();
}

void ChromeAssembly::addDefects() {
    for (const auto& [reason, places] : m_refused) {
        std::string detail(reason.detail);
        if (places.first > 0)
            detail += ", the first at byte " + std::to_string(places.first);
        m_sink.add(RefusedRecord{reason.code, places.count, reason.classes, std::move(detail)});
    }
    if (m_wrongCommas > 0)
        m_sink.addDefect(
            DefectCode::DamagedChunk, m_wrongCommas, kAllClasses,
            "commas between events are missing or too many, so events may be missing, the first at byte " +
                std::to_string(m_firstWrongComma));
    if (m_wrongBytes > 0)
        m_sink.addDefect(DefectCode::TextEncoding, m_wrongBytes, 0,
                         "the first at byte " + std::to_string(m_firstWrong));
}

} // namespace olab::io::json_import
