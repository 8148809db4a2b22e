#include "report/host_loop.h"

#include "report/repetition.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

namespace olab::analysis {
namespace {

/// The host thread whose calls issue most work.
std::optional<QueueId> issuingThread(const TraceFacts& facts) {
    const Trace& trace = facts.trace();
    std::vector<std::size_t> issued(trace.queues().size(), 0);
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n)
        if (const ActivityIndex call = facts.apiOf(facts.deviceWork().row(n)); call != kNoActivity)
            ++issued[trace.queueOf(call).value];
    const auto most = std::ranges::max_element(issued);
    if (most == issued.end() || *most == 0)
        return std::nullopt;
    return QueueId{static_cast<std::uint16_t>(most - issued.begin())};
}

/// The name of a call with that of the work it issued: calls that share both are the same step.
std::vector<std::uint32_t> symbolsOf(const TraceFacts& facts, const std::vector<ActivityIndex>& calls) {
    const Trace& trace = facts.trace();
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> ids;
    std::vector<std::uint32_t> symbols;
    for (const ActivityIndex call : calls) {
        const auto work = facts.issuedBy(call);
        const std::uint32_t kind = work.empty() ? kNoNumber : trace.nameOf(work.front()).value;
        const auto next = static_cast<std::uint32_t>(ids.size());
        symbols.push_back(ids.try_emplace({trace.nameOf(call).value, kind}, next).first->second);
    }
    return symbols;
}

/// The work issued by these calls, in order.
std::vector<ActivityIndex> workOf(const TraceFacts& facts, std::span<const ActivityIndex> calls) {
    std::vector<ActivityIndex> work;
    for (const ActivityIndex call : calls)
        for (const ActivityIndex row : facts.issuedBy(call))
            if (isDeviceClass(facts.trace().cls(row)))
                work.push_back(row);
    return work;
}

void addRound(const Trace& trace, Begins& begins, const std::vector<ActivityIndex>& work) {
    if (work.empty() || (!begins.at.empty() && trace.begin(work.front()) <= begins.at.back()))
        return;
    if (begins.at.empty()) {
        begins.operations = work.size();
        begins.name = std::string(trace.text(trace.nameOf(work.front())));
    }
    begins.at.push_back(trace.begin(work.front()));
    for (const ActivityIndex row : work)
        begins.end = std::max(begins.end, trace.end(row));
}

} // namespace

Begins hostLoop(const TraceFacts& facts, const RunControl& control) {
    const std::optional<QueueId> thread = issuingThread(facts);
    if (!thread)
        return {};
    std::vector<ActivityIndex> calls;
    for (const ActivityIndex call : facts.ofThread(*thread))
        calls.push_back(call);
    const std::vector<std::uint32_t> symbols = symbolsOf(facts, calls);
    control.throwIfCancelled();
    const Repetition found = repetitionOf(symbols, kFewestIterations);
    const auto first = symbols.begin() + static_cast<std::ptrdiff_t>(found.begin);
    const auto period = static_cast<std::ptrdiff_t>(found.period);
    if (found.period < 2 || std::set(first, first + period).size() < 2)
        return {};
    Begins begins;
    begins.mark = IterationMark::Pattern;
    for (std::size_t at = found.begin; at + found.period <= found.end; at += found.period)
        addRound(facts.trace(), begins, workOf(facts, std::span(calls).subspan(at, found.period)));
    if (begins.at.size() < kFewestIterations)
        return {};
    return begins;
}

} // namespace olab::analysis
