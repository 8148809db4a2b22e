#include <olab/view/contents.h>

#include <olab/analysis/rules.h>

#include <algorithm>
#include <set>

namespace olab::view {
namespace {

/// For a copy the host memory, which is the kind that matters.
MemoryKind memoryOf(const ActivityKind& kind) {
    const bool isTarget = kind.cls == ActivityClass::MemcpyD2H || kind.cls == ActivityClass::Memset;
    return static_cast<MemoryKind>(isTarget ? kind.memory >> 4 : kind.memory & 0xf);
}

void countRows(const Trace& trace, Contents& contents) {
    std::vector<std::uint64_t> rows(trace.kinds().size());
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        ++rows[trace.kindOf(i)];
    std::array<std::set<std::uint32_t>, kClassCount> names;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const ActivityKind& kind = trace.kinds()[k];
        if (rows[k] == 0)
            continue;
        ClassContents& found = contents.classes[static_cast<std::size_t>(kind.cls)];
        found.count += rows[k];
        // Sums of sizes from a file may overflow; they saturate.
        std::int64_t bytes = 0;
        if (__builtin_mul_overflow(kind.bytes, static_cast<std::int64_t>(rows[k]), &bytes) ||
            __builtin_add_overflow(found.bytes, bytes, &found.bytes))
            found.bytes = std::numeric_limits<std::int64_t>::max();
        if (kind.geometry != kNoNumber)
            found.withShape += rows[k];
        found.memory[static_cast<std::size_t>(memoryOf(kind)) % found.memory.size()] += rows[k];
        if (!trace.text(kind.name).empty())
            names[static_cast<std::size_t>(kind.cls)].insert(kind.name.value);
    }
    for (std::size_t c = 0; c < kClassCount; ++c)
        contents.classes[c].names = names[c].size();
}

void countQueues(const Trace& trace, Contents& contents) {
    for (const Queue& queue : trace.queues()) {
        if (queue.kind == Queue::Kind::HostThread) {
            ++contents.threads;
            continue;
        }
        ++contents.streams[static_cast<std::size_t>(queue.streamKind) % contents.streams.size()];
        if (queue.streamKind != StreamKind::Unknown || queue.priority != 0)
            ++contents.priorities[queue.priority];
    }
    contents.channels = trace.channels().size();
    for (const StreamCall& call : trace.streamCalls())
        ++contents.streamCalls[call.kind];
}

std::string titleOf(const std::string& rule) {
    const analysis::RuleRow* const row = analysis::ruleOf(rule);
    return row ? std::string(row->title) : rule;
}

std::vector<Lack> lacksOf(const analysis::Report& report) {
    std::vector<Lack> lacks;
    for (const analysis::Abstention& abstention : report.abstained) {
        auto known = std::ranges::find(lacks, abstention.lacks, &Lack::what);
        if (known == lacks.end())
            known = lacks.insert(known, Lack{abstention.lacks, {}});
        known->titles.push_back(titleOf(abstention.rule));
    }
    for (Lack& lack : lacks)
        lack.isEveryRule = lack.titles.size() >= analysis::ruleTable().size();
    std::ranges::stable_sort(lacks, std::greater(), [](const Lack& l) { return l.titles.size(); });
    return lacks;
}

} // namespace

Contents contentsOf(const recording::Recording& recording) {
    Contents contents;
    countRows(recording.trace, contents);
    countQueues(recording.trace, contents);
    contents.lacks = lacksOf(recording.report);
    contents.defects = recording.report.defects;
    std::ranges::stable_sort(contents.defects, std::greater(),
                             [](const Defect& d) { return std::pair(d.count, d.severity()); });
    return contents;
}

} // namespace olab::view
