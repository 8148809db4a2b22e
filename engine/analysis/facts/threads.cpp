#include <olab/analysis/threads.h>

#include <charconv>

namespace olab::analysis {
namespace {

/// Null: no entry.
const std::string* said(const Trace& trace, std::string_view key, const Queue& thread) {
    if (!trace.ranks().empty() || thread.kind != Queue::Kind::HostThread)
        return nullptr;
    const auto at = trace.environment().find(std::string(key) + std::to_string(thread.number));
    return at == trace.environment().end() ? nullptr : &at->second;
}

std::uint32_t numberIn(std::string_view text) {
    std::uint32_t number = kNoNumber;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

} // namespace

std::string threadName(const Trace& trace, const Queue& thread) {
    const std::string* name = said(trace, kThreadNameKey, thread);
    return name ? *name : std::string();
}

std::optional<GpuRanges> gpuRangesOf(const Trace& trace, const Queue& queue) {
    const std::string* where = said(trace, kGpuRangesKey, queue);
    if (!where)
        return std::nullopt;
    const std::string_view text = *where;
    const std::size_t space = text.find(' ');
    return GpuRanges{numberIn(text), space == text.npos ? kNoNumber : numberIn(text.substr(space + 1))};
}

std::map<QueueId, GpuRanges> gpuRanges(const Trace& trace) {
    std::map<QueueId, GpuRanges> found;
    const auto any = trace.environment().lower_bound(std::string(kGpuRangesKey));
    if (any == trace.environment().end() || !any->first.starts_with(kGpuRangesKey))
        return found;
    for (std::size_t q = 0; q < trace.queues().size(); ++q)
        if (const auto of = gpuRangesOf(trace, trace.queues()[q]))
            found[QueueId{static_cast<std::uint16_t>(q)}] = *of;
    return found;
}

} // namespace olab::analysis
