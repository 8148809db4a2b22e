// TensorFlow and JAX: only the names of processes and threads show which events are device work, and these
// may come last.
#include "chrome_assembly.h"

#include <olab/trace/value_text.h>

namespace olab::io::json_import {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Removes and returns the leading digits.
std::optional<std::uint32_t> takeNumber(std::string_view& text) {
    std::size_t size = 0;
    while (size < text.size() && isDigit(text[size]))
        ++size;
    const auto number = size > 0 ? wholeFromText(text.substr(0, size)) : std::nullopt;
    text.remove_prefix(size);
    return number && *number < std::int64_t{kNoNumber} ? std::optional(static_cast<std::uint32_t>(*number))
                                                       : std::nullopt;
}

bool takePrefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

/// "/gpu:0/stream:12 Compute", newer "/device:GPU:0/stream:12 Compute".
std::optional<Lane> laneOfProcess(std::string_view name) {
    const std::string lower = lowerText(name);
    std::string_view rest = lower;
    if (!takePrefix(rest, "/device:gpu:") && !takePrefix(rest, "/gpu:"))
        return std::nullopt;
    const auto device = takeNumber(rest);
    if (!device || !takePrefix(rest, "/stream:"))
        return std::nullopt;
    const auto stream = takeNumber(rest);
    if (!stream || rest != " compute")
        return std::nullopt;
    return Lane{*device, *stream};
}

/// "/device:GPU:0" anywhere in it.
std::optional<std::uint32_t> deviceOfProcess(std::string_view name) {
    const std::string lower = lowerText(name);
    constexpr std::string_view kMark = "/device:gpu:";
    for (auto at = lower.find(kMark); at != lower.npos; at = lower.find(kMark, at + 1)) {
        std::string_view rest = std::string_view(lower).substr(at + kMark.size());
        if (const auto device = takeNumber(rest))
            return device;
    }
    return std::nullopt;
}

/// "Stream #13(Compute)": 13. Empty: the thread is not a stream and repeats work of others.
std::optional<std::uint32_t> streamOfThread(std::string_view name) {
    const std::string lower = lowerText(name);
    std::string_view rest = lower;
    while (!rest.empty() && isSpace(rest.front()))
        rest.remove_prefix(1);
    const auto isWord = [](char c) { return isDigit(c) || c == '_' || (c >= 'a' && c <= 'z'); };
    if (!takePrefix(rest, "stream") || (!rest.empty() && isWord(rest.front())))
        return std::nullopt;
    for (auto at = rest.find('#'); at != rest.npos; at = rest.find('#', at + 1)) {
        std::string_view number = rest.substr(at + 1);
        if (const auto stream = takeNumber(number))
            return stream;
    }
    return kNoNumber;
}

/// By the name of the event: a lane can contain all kinds.
ActivityClass classOf(std::string_view name, std::string_view details) {
    const std::string lower = lowerText(name);
    const std::string_view last = std::string_view(lower).substr(lower.rfind('/') + 1);
    if (lower.starts_with("memcpy") || !details.empty() ||
        last.substr(0, 8).find("memcpy") != std::string_view::npos) {
        const ActivityClass cls = copyClass(name);
        return cls == ActivityClass::MemcpyOther ? copyClass(details) : cls;
    }
    return lower.starts_with("memset") ? ActivityClass::Memset : ActivityClass::Kernel;
}

/// "kind_src:pinned kind_dst:device size:1024 ..."
MemoryKind memoryIn(std::string_view details, std::string_view key) {
    const auto at = details.find(key);
    if (at == details.npos)
        return MemoryKind::Unknown;
    const std::string_view rest = details.substr(at + key.size());
    const std::string word = lowerText(rest.substr(0, rest.find(' ')));
    for (std::uint8_t k = 1; k <= static_cast<std::uint8_t>(MemoryKind::ManagedStatic); ++k)
        if (word == memoryKindName(MemoryKind{k}))
            return MemoryKind{k};
    return MemoryKind::Unknown;
}

/// Empty: the size cannot be read.
std::optional<std::int64_t> sizeIn(std::string_view details) {
    constexpr std::string_view kSize = "size:";
    const auto at = details.find(kSize);
    if (at == details.npos)
        return 0;
    const std::string_view rest = details.substr(at + kSize.size());
    const auto size = wholeFromText(rest.substr(0, rest.find(' ')));
    return size && *size >= 0 ? size : std::nullopt;
}

} // namespace

Flavour ChromeAssembly::flavour(const TopMembers& members) const {
    if (m_hasGpuCategory || members.contains(kOriginKey))
        return Flavour::Kineto;
    bool isSecond = false;
    for (const auto& [pid, text] : m_processNames) {
        if (laneOfProcess(m_texts[text].raw))
            return Flavour::TensorFlow1;
        isSecond = isSecond || deviceOfProcess(m_texts[text].raw).has_value();
    }
    return isSecond      ? Flavour::TensorFlow2
           : isRocprof() ? Flavour::Rocprof
           : m_hasCalls  ? Flavour::Kineto
                         : Flavour::Chrome;
}

/// What has a correlation and is on no stream is a call of the driver. Work is found by it only within a
/// process, and here a device is written as a process of its own.
void ChromeAssembly::findIssuer() {
    std::set<std::uint32_t> issuers;
    for (const Undecided& u : m_undecided) {
        const std::uint32_t pid = m_threads[u.thread].pid;
        const auto process = m_processNames.find(pid);
        if (u.correlation != 0 && process != m_processNames.end() &&
            !deviceOfProcess(m_texts[process->second].raw))
            issuers.insert(pid);
    }
    if (issuers.size() == 1)
        m_issuer = *issuers.begin();
}

/// "cuGraphLaunch (CudaGraph:17)" is a call of cuGraphLaunch.
bool ChromeAssembly::addTensorFlowCall(const Undecided& u) {
    if (u.correlation == 0 || m_threads[u.thread].pid != m_issuer)
        return false;
    const std::string& text = m_texts[u.name].raw;
    ActivityRecord record;
    record.cls = ActivityClass::Api;
    record.name = m_sink.intern(std::string_view(text).substr(0, text.find(" (")));
    record.process = processOf(m_threads[u.thread].pid);
    record.thread = threadNumber(u.thread);
    addShaped(record, u);
    return true;
}

std::optional<Lane> ChromeAssembly::laneOf(const Undecided& u, Flavour flavour) const {
    const FileThread& thread = m_threads[u.thread];
    const auto process = m_processNames.find(thread.pid);
    if (process == m_processNames.end())
        return std::nullopt;
    const std::string& name = m_texts[process->second].raw;
    if (flavour == Flavour::TensorFlow1)
        return laneOfProcess(name);
    const auto device = deviceOfProcess(name);
    const auto stream = device ? streamOfThread(m_texts[thread.name].raw) : std::nullopt;
    return stream ? std::optional(Lane{*device, *stream}) : std::nullopt;
}

/// A call and its work have one correlation, and processes of their own. Where none of them is a lane, the
/// name that made one so is damaged.
void ChromeAssembly::findLostWork() {
    struct Place {
        std::uint32_t pid;
        bool isLost;
    };
    std::map<std::uint32_t, Place> found;
    for (const Undecided& u : m_undecided) {
        if (u.correlation == 0)
            continue;
        const std::uint32_t pid = m_threads[u.thread].pid;
        const auto [at, isNew] = found.try_emplace(u.correlation, Place{pid, false});
        at->second.isLost = at->second.isLost || pid != at->second.pid;
    }
    for (const Undecided& u : m_undecided)
        if (const auto at = found.find(u.correlation); at != found.end() && laneOf(u, Flavour::TensorFlow2))
            at->second.isLost = false;
    for (const auto& [correlation, place] : found)
        if (place.isLost)
            m_lostWork.insert(correlation);
}

/// Both tools name all processes, and all threads of a device.
bool ChromeAssembly::mayBeLostWork(const Undecided& u, Flavour flavour) const {
    const FileThread& thread = m_threads[u.thread];
    const auto process = m_processNames.find(thread.pid);
    if (process == m_processNames.end() || m_texts[process->second].raw.empty())
        return true;
    return flavour == Flavour::TensorFlow2 &&
           (m_lostWork.contains(u.correlation) ||
            (m_texts[thread.name].raw.empty() && deviceOfProcess(m_texts[process->second].raw)));
}

bool ChromeAssembly::addTensorFlow(const Undecided& u, Flavour flavour) {
    if (!u.isWhole)
        return false;
    const std::optional<Lane> lane = laneOf(u, flavour);
    if (!lane && mayBeLostWork(u, flavour)) {
        refuse({DefectCode::BadRecord, kDeviceClasses, "a lane without a name may be that of a GPU"}, {1, 0});
        return true;
    }
    if (!lane)
        return addTensorFlowCall(u);
    const std::string &text = m_texts[u.name].raw, &details = m_texts[u.details].raw;
    ActivityRecord record;
    record.cls = classOf(text, details);
    const auto size = sizeIn(details);
    if (!size) {
        refuse({DefectCode::BadRecord, maskOf(record.cls), kOddNumber}, {1, 0});
        return true;
    }
    record.device = lane->device, record.stream = lane->stream;
    if (record.cls == ActivityClass::Kernel || record.cls == ActivityClass::MemcpyOther)
        record.name = name(u.name);
    record.source = memoryIn(details, "kind_src:"), record.target = memoryIn(details, "kind_dst:");
    record.bytes = *size;
    record.process = processOf(m_issuer.value_or(m_threads[u.thread].pid));
    m_devices.insert(lane->device);
    Undecided timed = u;
    if (flavour == Flavour::TensorFlow2 && u.length == TimeFault::Missing) // which omits a length of zero
        timed.length = TimeFault::None;
    addShaped(record, timed);
    return true;
}

} // namespace olab::io::json_import
