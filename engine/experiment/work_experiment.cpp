#include "work_plan.h"

#include <olab/experiment/experiment.h>
#include <olab/experiment/option_table.h>

#include <algorithm>
#include <array>

namespace olab::experiment {
namespace {

bool has(const RecordedWork& work, OpKind kind) {
    return std::ranges::any_of(work.ops, [kind](const RecordedOp& op) { return op.kind == kind; });
}

std::string keyIsIdle(const Experiment& e, const Experiment& base) {
    for (const OptionRow& row : optionTable())
        if (const std::string_view because = idleForRecordedWork(row.key);
            !because.empty() && row.get(e) != row.get(base))
            return std::string(row.key) + "=" + row.get(e) +
                   " does nothing to recorded work: " + std::string(because);
    return {};
}

std::string usedWithoutCopy(const Experiment& e) {
    for (const auto& [key, memory] : {std::pair{"h2d.memory", e.h2dMemory}, {"d2h.memory", e.d2hMemory}})
        if (usedInPlace(memory))
            return std::string(key) + "=" + optionText(e, key) +
                   " would leave out the copies: which kernel used them no record says. Choose pinned, "
                   "pageable or registered.";
    return {};
}

std::string nothingLeft(const Experiment& e) {
    if (std::ranges::any_of(e.work->ops, [&](const RecordedOp& op) { return detail::isLeftIn(e, op.kind); }))
        return {};
    return "Nothing is left of the recorded work: turn h2d, memset, kernel or d2h on.";
}

std::string impossibleStreams(const Experiment& e) {
    if (e.streamKind == PlannedStreamKind::PerThread && e.work->streamKind != e.streamKind)
        return "stream.kind=per-thread needs a thread for each stream: one thread issues recorded work.";
    return {};
}

std::string tooManySteps(const Experiment& e) {
    // Event waits that replace host waits add events.
    const auto most = static_cast<std::int64_t>(e.work->ops.size()) * (e.streams + 2);
    const std::int64_t ops = most <= kMaxPlannedOps ? 0 : detail::plannedWorkOps(e);
    if (ops <= kMaxPlannedOps)
        return {};
    return "With these options the recorded work takes " + std::to_string(ops) + " ops; at most " +
           std::to_string(kMaxPlannedOps) + " are possible: lower streams, or take a shorter window.";
}

/// Without the work itself, which options do not need.
Experiment baseOf(const RecordedWork& work) {
    Experiment e;
    e.streams = static_cast<int>(std::max<std::size_t>(work.streams.size(), 1));
    e.iterations = 1;
    e.h2d = has(work, OpKind::CopyH2D);
    e.memset = has(work, OpKind::Memset);
    e.kernel = has(work, OpKind::Kernel);
    e.d2h = has(work, OpKind::CopyD2H);
    e.callback = has(work, OpKind::HostFn);
    e.h2dMemory = work.source;
    e.d2hMemory = work.target;
    e.streamKind = work.streamKind;
    e.sync = work.sync;
    e.syncEvery = work.waits ? SyncEvery::Iteration : SyncEvery::End;
    e.api = work.api;
    e.gate = work.queued;
    return e;
}

} // namespace

HeldExperiment experimentOf(RecordedWork work) {
    Experiment e = baseOf(work);
    e.work = RecordedWorkPtr(std::move(work));
    return e;
}

const RecordedWork* recordedWorkOf(const Experiment& experiment) {
    return experiment.work ? &*experiment.work : nullptr;
}

std::string_view idleForRecordedWork(std::string_view key) {
    const OptionRow* row = findOption(key);
    return row ? row->idleInRecordedWork : std::string_view{};
}

std::string recordedWorkText(const RecordedWork& work) {
    const auto count = std::ranges::count_if(work.ops, [](const RecordedOp& op) {
        const auto cls = classOf(op.kind);
        return cls && isDeviceClass(*cls);
    });
    return std::to_string(count) + (count == 1 ? " operation in " : " operations in ") +
           std::to_string(work.streams.size()) + (work.streams.size() == 1 ? " stream of " : " streams of ") +
           work.title;
}

std::vector<std::string> detail::workConflicts(const Experiment& e) {
    std::vector<std::string> out{keyIsIdle(e, baseOf(*e.work)), usedWithoutCopy(e), nothingLeft(e),
                                 impossibleStreams(e)};
    std::erase(out, std::string());
    if (out.empty())
        if (std::string many = tooManySteps(e); !many.empty())
            out.push_back(std::move(many));
    return out;
}

} // namespace olab::experiment
