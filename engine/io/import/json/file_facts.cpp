// The last part of ChromeAssembly: undecided events, and what the file says about itself.
#include "chrome_assembly.h"

#include <olab/analysis/threads.h>
#include <olab/trace/value_text.h>

#include <algorithm>

namespace olab::io::json_import {
namespace {

constexpr Ns kEpoch = 1'000'000'000'000'000'000; // times above are since 1970: in 2001 or later

std::uint64_t unsignedIn(const TopMembers& members, std::string_view key) {
    const auto found = members.find(key);
    const auto number = found == members.end() ? std::nullopt : wholeFromText(found->second.text);
    return number && *number > 0 ? static_cast<std::uint64_t>(*number) : 0;
}

std::uint32_t smallIn(const TopMembers& members, std::string_view key) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(unsignedIn(members, key), kNoNumber - 1));
}

std::string textIn(const TopMembers& members, std::string_view key) {
    const auto found = members.find(key);
    return found == members.end() ? std::string() : found->second.text;
}

/// Tools whose device work is not read, by the name of a process or by a category.
struct Sign {
    std::string_view text, tool;
};
constexpr Sign kSigns[] = {{"kernel_dispatch", "rocprofv3 of ROCm (by way of Perfetto)"},
                           {"Ascend Hardware", "the Ascend profiler"}};

bool isFaulty(const Undecided& u) {
    return u.time != TimeFault::None || u.length != TimeFault::None;
}
std::string_view faultOf(const Undecided& u) {
    return u.time != TimeFault::None ? faultOfTime(u.time) : faultOfLength(u.length);
}

DeviceRecord deviceFrom(const TopMembers& device) {
    DeviceRecord r;
    r.device = smallIn(device, "id");
    r.name = textIn(device, "name");
    r.uuid = textIn(device, "uuid");
    r.smCount = smallIn(device, "numSms");
    r.maxThreadsPerSm = smallIn(device, "maxThreadsPerMultiprocessor");
    r.registersPerSm = smallIn(device, "regsPerMultiprocessor");
    r.sharedPerSm = unsignedIn(device, "sharedMemPerMultiprocessor");
    r.memoryBytes = unsignedIn(device, "totalGlobalMem");
    r.computeMajor = smallIn(device, "computeMajor"), r.computeMinor = smallIn(device, "computeMinor");
    return r;
}

/// Of a code that only a newer version knows: that of a record that was refused.
DefectCode codeOf(std::string_view id) {
    const auto row = std::ranges::find(defectTable(), id, &DefectRow::id);
    return row == defectTable().end() ? DefectCode::BadRecord : row->code;
}

/// "13.2" for 13020, CUDA's version encoding; anything else unchanged.
std::string cudaVersion(const std::string& text) {
    const auto number = wholeFromText(text);
    return number && *number >= 1000 && *number < 1'000'000
               ? std::to_string(*number / 1000) + "." + std::to_string(*number % 1000 / 10)
               : text;
}

/// In PyTorch this is the newest CUDA that the driver supports (cudaDriverGetVersion), not the driver's own
/// version, which it does not store.
std::string driverText(const std::string& text) {
    const std::string version = cudaVersion(text);
    return version == text ? text : "supports CUDA " + version;
}

} // namespace

void ChromeAssembly::addUndecided(Flavour flavour) {
    const bool isTensorFlow = flavour == Flavour::TensorFlow1 || flavour == Flavour::TensorFlow2;
    if (flavour == Flavour::TensorFlow2) {
        findIssuer();
        findLostWork();
    }
    for (const auto* events : {&m_undecided, &m_paired})
        for (const Undecided& u : *events)
            if (flavour == Flavour::Rocprof)
                addRocprof(u);
            else if (!isTensorFlow || !addTensorFlow(u, flavour))
                addHostRange(u, flavour != Flavour::Kineto);
    m_undecided = {}, m_paired = {};
}

/// In PyTorch, threads are those that made the calls; elsewhere a pid is often a group of rows, and has a
/// name.
void ChromeAssembly::addHostRange(const Undecided& u, bool ofProcess) {
    const auto [at, isNew] = m_shapes.try_emplace({u.name, u.thread, 0, 0}, 0u);
    if (isNew) {
        ActivityRecord record;
        record.cls = ActivityClass::Nvtx;
        record.name = name(u.name);
        if (ofProcess)
            record.process = processOf(m_threads[u.thread].pid);
        record.thread = threadNumber(u.thread);
        if (u.ofGpu)
            m_gpuRanges.insert(u.thread);
        at->second = m_sink.shape(record);
    }
    if (u.time == TimeFault::Missing || (u.time == TimeFault::None && u.length == TimeFault::Missing))
        return refuse({DefectCode::OpenRange, maskOf(ActivityClass::Nvtx),
                       u.time == TimeFault::None ? "ranges without a duration" : "ranges without a time"},
                      {1, 0});
    if (isFaulty(u))
        return refuse({DefectCode::BadRecord, maskOf(ActivityClass::Nvtx), faultOf(u)}, {1, 0});
    const ActivityRow row{u.begin, u.end, at->second, 0};
    m_sink.addRows({&row, 1});
}

std::uint32_t ChromeAssembly::processOf(std::uint32_t pidText) {
    const auto [at, isNew] = m_processes.try_emplace(pidText, static_cast<std::uint32_t>(m_processes.size()));
    if (isNew) {
        ProcessRecord process;
        process.process = at->second;
        const std::int64_t pid = numberIn(pidText);
        process.pid = pid >= 0 && pid < std::int64_t{kNoNumber} ? static_cast<std::uint32_t>(pid) : kNoNumber;
        if (const auto known = m_processNames.find(pidText); known != m_processNames.end())
            process.name = m_texts[known->second].raw;
        m_sink.add(process);
    }
    return at->second;
}

void ChromeAssembly::addShaped(const ActivityRecord& shared, const Undecided& u) {
    if (isFaulty(u))
        return refuse({DefectCode::BadRecord, maskOf(shared.cls), faultOf(u)}, {1, 0});
    ActivityRecord record = shared;
    record.begin = u.begin, record.end = u.end, record.correlation = u.correlation;
    m_sink.add(record);
}

std::string ChromeAssembly::toolOf(Flavour flavour, const TopMembers& members) const {
    if (flavour == Flavour::Kineto || members.contains("schemaVersion"))
        return "PyTorch Profiler (Kineto)";
    if (flavour == Flavour::TensorFlow1)
        return "TensorFlow 1 timeline";
    if (flavour == Flavour::TensorFlow2)
        return "TensorFlow or JAX profiler";
    if (flavour == Flavour::Rocprof)
        return "AMD rocprof";
    for (const Sign& sign : kSigns) {
        const auto isIt = [&](std::uint32_t text) { return m_texts[text].raw == sign.text; };
        if (std::ranges::any_of(m_processNames, [&](const auto& name) { return isIt(name.second); }) ||
            std::ranges::any_of(m_categories, [&](const auto& category) { return isIt(category.first); }))
            return std::string(sign.tool);
    }
    return "Chrome trace";
}

void ChromeAssembly::addFacts(const TopMembers& members, Flavour flavour) {
    ProvenanceRecord provenance{SourceKind::Imported, toolOf(flavour, members), {}, {}};
    if (members.contains("schemaVersion"))
        provenance.toolVersion = "schema " + textIn(members, "schemaVersion");
    const auto base = members.find("baseTimeNanoseconds");
    const Ns wall = base == members.end() ? 0 : wholeFromText(base->second.text).value_or(0);
    Ns first = 0;
    if (m_earliest != std::numeric_limits<Ns>::max() && !__builtin_add_overflow(m_earliest, wall, &first) &&
        first > kEpoch)
        provenance.recordedAt = isoTimeUtc(first / 1'000'000'000);
    m_sink.add(provenance);
    if (const auto origin = members.find(kOriginKey); origin != members.end()) // written by us
        m_sink.add(ClockRecord{0, 0, wholeFromText(origin->second.text).value_or(0)});
    if (wall != 0)
        m_sink.add(EnvironmentRecord{"import.base_time_ns", std::to_string(wall)});
    addWrittenDefects(members);
    addDevices(members);
    addEnvironment(members);
    addThreads();
    addFound();
}

void ChromeAssembly::addWrittenDefects(const TopMembers& members) {
    if (const auto list = members.find(kDefectsKey); list != members.end())
        for (const TopMembers& defect : objectsIn(list->second.text))
            m_sink.add(RefusedRecord{codeOf(textIn(defect, "code")),
                                     std::max<std::uint64_t>(1, unsignedIn(defect, "count")),
                                     static_cast<ClassMask>(unsignedIn(defect, "classes") & kAllClasses),
                                     textIn(defect, "detail"), textIn(defect, "countsAsRead") == "true"});
}

/// Only those with work: files list all devices of the machine.
void ChromeAssembly::addDevices(const TopMembers& members) {
    if (const auto list = members.find("deviceProperties"); list != members.end())
        for (const TopMembers& device : objectsIn(list->second.text))
            if (m_devices.contains(smallIn(device, "id")) && device.contains("id"))
                m_sink.add(deviceFrom(device));
    for (const auto& [context, device] : m_contexts)
        m_sink.add(ContextRecord{context, device});
    for (const auto& [stream, priority] : m_priorities)
        m_sink.add(StreamRecord{m_contextNumbers.of(stream.first), m_streamNumbers.of(stream.second),
                                StreamKind::Unknown, priority});
    m_streamNumbers.tellStreams(m_sink);
}

void ChromeAssembly::addEnvironment(const TopMembers& members) {
    constexpr std::pair<std::string_view, std::string_view> kKnown[] = {
        {"cupti_version", "cupti"},
        {"hip_driver_version", "driver"},
        {"hip_runtime_version", "runtime"},
        {"host_name", "import.host_name"},
        {"trace_id", "import.trace_id"},
        {"traceName", "import.trace_name"},
        {"distributedInfo", "import.distributed"}};
    if (const std::string driver = textIn(members, "cuda_driver_version"); !driver.empty())
        m_sink.add(EnvironmentRecord{"driver", driverText(driver)});
    if (const std::string runtime = textIn(members, "cuda_runtime_version"); !runtime.empty())
        m_sink.add(EnvironmentRecord{"runtime", cudaVersion(runtime)});
    for (const auto& [key, ours] : kKnown)
        if (const auto found = members.find(key); found != members.end())
            m_sink.add(EnvironmentRecord{std::string(ours), found->second.text});
}

namespace {

/// Of "thread 2544009 (python)" what is not the number again.
std::string nameWithin(std::string_view written, std::string_view number) {
    const auto open = written.find('('), close = written.rfind(')');
    if (written.starts_with("thread ") && open != written.npos && close != written.npos && open < close)
        written = written.substr(open + 1, close - open - 1);
    return written == number || written == "thread " + std::string(number) ? std::string()
                                                                           : std::string(written);
}

} // namespace

/// The number of a stream whose marks are those of this thread.
std::string ChromeAssembly::streamTextOf(const FileThread& thread) {
    const std::int64_t id = numberIn(thread.tid);
    return imports::FileNumbers::isSmall(id) ? m_texts[thread.tid].raw
                                             : std::to_string(m_streamNumbers.of(id));
}

/// Names of threads, and which of them are streams (analysis/threads.h).
void ChromeAssembly::addThreads() {
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < m_threads.size() && count < analysis::kMostNamedThreads; ++i) {
        const FileThread& thread = m_threads[i];
        if (thread.number == kNoNumber)
            continue;
        const std::string number = std::to_string(thread.number);
        const std::string& tid = m_texts[thread.tid].raw;
        if (m_gpuRanges.contains(i)) {
            ++count;
            m_sink.add(EnvironmentRecord{std::string(analysis::kGpuRangesKey) + number,
                                         m_texts[thread.pid].raw + " " + streamTextOf(thread)});
        } else if (const std::string name = nameWithin(m_texts[thread.name].raw, tid); !name.empty()) {
            ++count;
            m_sink.add(EnvironmentRecord{std::string(analysis::kThreadNameKey) + number, name});
        }
    }
}

/// What the file contained, in numbers: things that the report cannot show are not hidden.
void ChromeAssembly::addFound() {
    std::string phases, categories;
    for (std::size_t i = 0; i < m_phases.size(); ++i)
        if (m_phases[i] > 0) {
            const bool isLetter = i > ' ' && i < 127;
            phases += (phases.empty() ? "" : ", ") +
                      (isLetter ? std::string(1, static_cast<char>(i)) : std::string("none")) + " " +
                      std::to_string(m_phases[i]);
        }
    constexpr std::size_t kMostNamed = 40;
    std::vector<std::pair<std::uint64_t, std::string_view>> named; // most frequent first
    for (const auto& [text, count] : m_categories)
        if (!m_texts[text].raw.empty())
            named.emplace_back(~count, m_texts[text].raw);
    std::ranges::sort(named);
    for (std::size_t i = 0; i < std::min(named.size(), kMostNamed); ++i)
        categories += (categories.empty() ? "" : ", ") + std::string(named[i].second) + " " +
                      std::to_string(~named[i].first);
    m_sink.add(EnvironmentRecord{"import.phases", phases});
    if (!categories.empty())
        m_sink.add(EnvironmentRecord{"import.categories", categories});
}

} // namespace olab::io::json_import
