// rocprof 1 of ROCm (roctracer): rows are processes ("GPU0", "COPY", "CPU HIP API"), and only the arguments
// have whole nanoseconds, since boot; its ts and dur are cut to microseconds.
//
// The format: ROCm/rocprofiler, bin/tblextr.py, bin/dform.py, bin/sqlitedb.py.
#include "chrome_assembly.h"

#include "../csv_values.h"
#include "../cuda_kinds.h"

namespace olab::io::json_import {
namespace {

constexpr std::string_view kCopies = "COPY", kHipCalls = "CPU HIP API", kHsaCalls = "CPU HSA API",
                           kGpu = "GPU", kBarriers = "GPU Barriers";

/// "GPU0": 0; kNoNumber: another process.
std::uint32_t gpuOf(std::string_view process) {
    return process.starts_with(kGpu) ? imports::wholeOr(process.substr(kGpu.size()), kNoNumber) : kNoNumber;
}

/// What rocprofDetails() wrote.
struct Details {
    std::optional<Ns> begin, end;
    std::int64_t device = -1, stream = -1;
};
Details detailsIn(std::string_view text) {
    std::array<std::optional<std::int64_t>, 4> numbers;
    for (auto& number : numbers) {
        const std::size_t end = std::min(text.find(' '), text.size());
        number = wholeFromText(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return {numbers[0], numbers[1], numbers[2].value_or(-1), numbers[3].value_or(-1)};
}

} // namespace

std::string rocprofDetails(const Event& event) {
    std::string text;
    for (const Field field : {Field::BeginNs, Field::EndNs, Field::DevId, Field::StreamId})
        text += (field == Field::BeginNs ? "" : " ") + std::string(event[field].text());
    return text;
}

bool ChromeAssembly::isRocprof() const {
    bool hasCopies = false, hasOthers = false;
    for (const auto& [pid, text] : m_processNames) {
        const std::string_view name = m_texts[text].raw;
        hasCopies = hasCopies || name == kCopies;
        hasOthers = hasOthers || name == kHipCalls || name == kHsaCalls || gpuOf(name) != kNoNumber;
    }
    return hasCopies && hasOthers;
}

void ChromeAssembly::addRocprof(const Undecided& u) {
    const auto known = m_processNames.find(m_threads[u.thread].pid);
    const std::string_view process =
        known == m_processNames.end() ? std::string_view() : std::string_view(m_texts[known->second].raw);
    const Details details = detailsIn(m_texts[u.details].raw);
    const std::uint32_t gpu = gpuOf(process);
    const bool isCopy = process == kCopies, isWork = isCopy || gpu != kNoNumber,
               isCall = process == kHipCalls || process == kHsaCalls;
    const ClassMask mayBe = process.empty() ? kAllClasses
                            : isWork        ? kDeviceClasses
                                            : maskOf(isCall ? ActivityClass::Api : ActivityClass::Nvtx);
    if (!details.begin || !details.end || process.empty())
        return refuse({DefectCode::BadRecord, mayBe,
                       process.empty() ? "a process without a name may be a GPU"
                                       : "events without BeginNs and EndNs, whole nanoseconds"},
                      {1, 0});
    const std::string& text = m_texts[u.name].raw;
    if (process.starts_with(kBarriers) || (isWork && text == "<barrier packet>"))
        return refuse({DefectCode::UnknownKind, 0, "barriers of a queue, which are no work"}, {1, 0});
    ActivityRecord record;
    record.begin = *details.begin, record.end = *details.end;
    record.name = name(u.name);
    if (isWork) {
        record.device = details.device >= 0 ? imports::numberOr(details.device) : gpu;
        if (record.device == kNoNumber)
            return refuse({DefectCode::BadRecord, kDeviceClasses, "copies that do not tell their GPU"},
                          {1, 0});
        record.cls = !isCopy                    ? ActivityClass::Kernel
                     : text.starts_with("Fill") ? ActivityClass::Memset
                                                : copyClass(text);
        record.stream = m_streamNumbers.of(details.stream);
        record.flags = isCopy ? 0 : kFlagAsync;
        m_devices.insert(record.device);
    } else {
        record.cls = isCall ? ActivityClass::Api : ActivityClass::Nvtx;
        record.thread = threadNumber(u.thread);
    }
    m_sink.add(record);
}

} // namespace olab::io::json_import
