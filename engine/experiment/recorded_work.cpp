#include "work_plan.h"

#include <olab/experiment/option_table.h>

#include <algorithm>
#include <array>

namespace olab {
namespace {

struct IdleKey {
    std::string_view key, because;
};
constexpr std::string_view kSizes = "Sizes are those of the recording.";
constexpr std::string_view kKernels =
    "Each kernel has the duration and the grid that it had in the recording.";
constexpr std::string_view kIssue = "Operations are issued in the order in which the recording has them.";
constexpr std::string_view kDeps = "Streams wait for events where the recording does.";
constexpr std::string_view kData = "Nothing is known of the data of recorded work.";
constexpr std::string_view kBetween = "Recorded work has no passes to put something between.";
constexpr std::array kIdleKeys{
    IdleKey{"iterations", "The recording is run once; repeat runs all of it again."},
    IdleKey{"h2d.bytes", kSizes},
    IdleKey{"h2d.first_bytes", kSizes},
    IdleKey{"d2h.bytes", kSizes},
    IdleKey{"memset.bytes", kSizes},
    IdleKey{"h2d.portable", kData},
    IdleKey{"h2d.target", kData},
    IdleKey{"memset.method", "Memsets are calls of the API, as they were recorded."},
    IdleKey{"buffers", kData},
    IdleKey{"kernel.us", kKernels},
    IdleKey{"kernel.blocks", kKernels},
    IdleKey{"kernel.threads", kKernels},
    IdleKey{"kernel.smem", kKernels},
    IdleKey{"kernel.stream", kIssue},
    IdleKey{"stream.priority", "Priorities are those of the recording."},
    IdleKey{"null_op", kBetween},
    IdleKey{"order", kIssue},
    IdleKey{"issue", kIssue},
    IdleKey{"issue.threads", "One thread issues all of it, in the recorded order."},
    IdleKey{"submit", "Recorded work is issued call by call."},
    IdleKey{"callback.method", "Callbacks are host functions in their streams."},
    IdleKey{"callback.us", "Each callback works as long as it did in the recording."},
    IdleKey{"sync.at", kIssue},
    IdleKey{"deps", kDeps},
    IdleKey{"interfere", kBetween},
    IdleKey{"devices", "Recorded work runs on one device."},
    IdleKey{"p2p", "Recorded work runs on one device."},
};

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
    // Waits for events in place of the host's are what makes more of them.
    const auto most = static_cast<std::int64_t>(e.work->ops.size()) * (e.streams + 2);
    const std::int64_t ops = most <= kMaxPlannedOps ? 0 : detail::plannedWorkOps(e);
    if (ops <= kMaxPlannedOps)
        return {};
    return "With these options the recorded work takes " + std::to_string(ops) + " ops; at most " +
           std::to_string(kMaxPlannedOps) + " are possible: lower streams, or take a shorter window.";
}

/// Without the work itself, which the options do not need.
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

Experiment experimentOf(RecordedWork work) {
    Experiment e = baseOf(work);
    e.work = RecordedWorkPtr(std::move(work));
    return e;
}

std::string_view idleForRecordedWork(std::string_view key) {
    const auto found = std::ranges::find(kIdleKeys, key, &IdleKey::key);
    return found == kIdleKeys.end() ? std::string_view{} : found->because;
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

} // namespace olab
