// The impossible combinations: one function per reason, with the sentence for the user.
#include "plan_parts.h"

#include <olab/experiment/option_table.h>

#include <algorithm>

namespace olab::experiment {
namespace {

bool oneThreadAhead(const Experiment& e) {
    return e.issue == IssueMode::Ahead && e.issueThreads == IssueThreads::One;
}
std::string shown(const Experiment& e, std::string_view key) {
    return std::string(key) + "=" + optionText(e, key);
}

std::string nothingToRun(const Experiment& e) {
    if (e.h2d || e.memset || e.kernel || e.d2h)
        return {};
    return "There is nothing to run on the device: h2d, memset, kernel and d2h are all off; turn at least "
           "one on.";
}

std::string tooManyOps(const Experiment& e) {
    const std::int64_t ops = detail::plannedOps(e, 1);
    if (ops <= kMaxPlannedOps)
        return {};
    return "streams=" + std::to_string(e.streams) + " with iterations=" + std::to_string(e.iterations) +
           " plans " + std::to_string(ops) + " ops; at most " + std::to_string(kMaxPlannedOps) +
           " are possible: lower one of the two.";
}

std::string tooLargeBuffers(const Experiment& e) {
    const BufferTable buffers = detail::planBuffers(e, 1);
    const std::int64_t device = buffers.bytesIn(BufferPlace::Device),
                       host = buffers.bytesIn(BufferPlace::Host);
    if (device + host <= kMaxBufferBytes)
        return {};
    return "The buffers of " + std::to_string(e.streams) + " streams would take " +
           std::to_string(device >> 30) + " GiB on the device and " + std::to_string(host >> 30) +
           " GiB on the host, together more than " + bytesToText(kMaxBufferBytes) +
           ": lower streams, h2d.bytes, memset.bytes or d2h.bytes.";
}

std::string inPlaceWithoutKernel(const Experiment& e) {
    if (e.kernel)
        return {};
    if (e.h2d && usedInPlace(e.h2dMemory))
        return shown(e, "h2d.memory") + " has no copy: the kernel reads it in place, but kernel is off.";
    if (e.d2h && usedInPlace(e.d2hMemory))
        return shown(e, "d2h.memory") + " has no copy: the kernel writes it in place, but kernel is off.";
    return {};
}

std::string constantTarget(const Experiment& e) {
    if (!e.h2d || e.h2dTarget != CopyTarget::Constant)
        return {};
    if (usedInPlace(e.h2dMemory))
        return "h2d.target=constant needs a copy, but " + shown(e, "h2d.memory") + " is used in place.";
    if (std::max(e.h2dBytes, e.h2dFirstBytes) <= kConstantBytes / e.streams)
        return {};
    return "h2d.target=constant has " + bytesToText(kConstantBytes) +
           " for all streams together: with streams=" + std::to_string(e.streams) + " h2d.bytes is at most " +
           std::to_string(kConstantBytes / e.streams) + "B.";
}

std::string onCallback(const Experiment& e) {
    if (e.issue != IssueMode::OnCallback)
        return {};
    if (!e.callback)
        return "issue=on-callback waits for each iteration's callback, but callback is off.";
    if (e.syncEvery != SyncEvery::End)
        return "issue=on-callback reacts to callbacks and cannot also wait after each " +
               optionText(e, "sync.every") + ": sync.every must be end.";
    return {};
}

std::string perThreadStreams(const Experiment& e) {
    if (e.streamKind != PlannedStreamKind::PerThread || e.issueThreads == IssueThreads::PerStream)
        return {};
    return "stream.kind=per-thread is the default stream of each issuing thread: it needs "
           "issue.threads=per-stream.";
}

std::string kernelElsewhere(const Experiment& e) {
    if (!e.kernel || e.kernelStream != KernelStream::Other)
        return {};
    if (e.streams < 2)
        return "kernel.stream=other needs at least two streams.";
    if (!oneThreadAhead(e))
        return "kernel.stream=other needs issue=ahead and issue.threads=1: several issuers would leave the "
               "order within a stream to chance.";
    return {};
}

/// Events per pass: the buffer is filled, its results are ready, they are copied.
constexpr std::int64_t kRoleEvents = 3;

std::string streamsByRole(const Experiment& e) {
    if (!hasRoles(e))
        return {};
    const std::string option = shown(e, "stream.roles");
    if (!e.kernel || (!detail::copiesIn(e) && !detail::copiesOut(e)))
        return option + " has streams for copies and for kernels: it needs kernel=on and h2d or d2h with "
                        "memory that is copied.";
    if (e.streams > kStreamRoles)
        return option +
               " has three streams, and streams says how many sets of buffers they take in turn: at "
               "most 3, not " +
               std::to_string(e.streams) + ".";
    if (e.devices != DeviceUse::One)
        return option + " runs on one GPU: set devices=one.";
    if (!oneThreadAhead(e))
        return option +
               " needs issue=ahead and issue.threads=1: a wait for an event that is not yet recorded "
               "waits for nothing.";
    if (e.kernelStream != KernelStream::Own)
        return option + " has a stream for kernels: set kernel.stream=own.";
    if (e.deps != Deps::None)
        return option + " has its own events: set deps=none.";
    if (e.buffers == BufferUse::Shared && e.streams > 1)
        return option + " orders the use of each set of buffers: set buffers=own, or streams=1 for one set.";
    return {};
}

std::string chainedEvents(const Experiment& e) {
    if (e.deps != Deps::EventChain)
        return {};
    if (e.streams < 2)
        return "deps=event-chain needs at least two streams.";
    if (!oneThreadAhead(e))
        return "deps=event-chain needs issue=ahead and issue.threads=1: a wait for an event that is not yet "
               "recorded waits for nothing.";
    return {};
}

std::string kernelEvents(const Experiment& e) {
    if (e.deps != Deps::CopyToKernel && e.deps != Deps::SameStream)
        return {};
    const std::string option = shown(e, "deps");
    if (!e.kernel)
        return option + " orders a kernel after its copy, but kernel is off.";
    if (!detail::copiesIn(e) && !e.memset)
        return option + " needs a copy or a memset before the kernel: h2d (not in place) or memset.";
    if (e.deps == Deps::CopyToKernel && e.kernelStream == KernelStream::Own)
        return option + " orders a kernel in another stream: set kernel.stream to null or other.";
    return {};
}

std::string tooManyEvents(const Experiment& e) {
    const std::int64_t each = hasRoles(e)                    ? kRoleEvents
                              : e.deps == Deps::None         ? 0
                              : e.deps == Deps::CopyToKernel ? 2
                                                             : 1;
    if (each * e.streams * e.iterations <= kMaxEvents)
        return {};
    return shown(e, hasRoles(e) ? "stream.roles" : "deps") + " would need more than " +
           std::to_string(kMaxEvents) + " events: lower streams or iterations.";
}

std::string tooMuchInterference(const Experiment& e) {
    if (e.interfere == Interfere::None || detail::passCount(e) - 1 <= kMaxInterferences)
        return {};
    return shown(e, "interfere") + " would be called more than " + std::to_string(kMaxInterferences) +
           " times: lower streams or iterations.";
}

/// What cannot be captured, or expressed as one graph.
struct NotInGraph {
    std::string_view key;
    bool (*excluded)(const Experiment&);
    std::string_view because;
};
constexpr std::string_view kLegacy = "the legacy NULL stream cannot be captured";
constexpr std::string_view kNoCalls = "the graph is launched by one call, with none between the ops";
constexpr NotInGraph kNotInGraph[] = {
    {"issue", [](const Experiment& e) { return e.issue != IssueMode::Ahead; }, kNoCalls},
    {"issue.threads", [](const Experiment& e) { return e.issueThreads != IssueThreads::One; }, kNoCalls},
    {"sync.every", [](const Experiment& e) { return e.syncEvery != SyncEvery::End; }, kNoCalls},
    {"sync.at", [](const Experiment& e) { return e.syncAt != SyncAt::End; }, kNoCalls},
    {"interfere", [](const Experiment& e) { return e.interfere != Interfere::None; }, kNoCalls},
    {"null_op", [](const Experiment& e) { return e.nullOp != NullOp::Off; }, kLegacy},
    {"stream.kind", [](const Experiment& e) { return e.streamKind == PlannedStreamKind::Legacy; }, kLegacy},
    {"kernel.stream", [](const Experiment& e) { return e.kernel && e.kernelStream == KernelStream::Null; },
     kLegacy},
    {"devices", [](const Experiment& e) { return e.devices != DeviceUse::One; },
     "the graph is captured on one device"},
    {"callback.method",
     [](const Experiment& e) { return e.callback && e.callbackMethod != CallbackMethod::HostFn; },
     "of the callbacks only host functions can be captured"},
};

std::string notInGraph(const Experiment& e) {
    if (e.submit != Submit::Graph)
        return {};
    for (const NotInGraph& row : kNotInGraph)
        if (row.excluded(e))
            return "submit=graph and " + shown(e, row.key) +
                   " exclude each other: " + std::string(row.because) + ".";
    if (detail::plannedOps(e, 1) > kMaxGraphOps)
        return "submit=graph holds at most " + std::to_string(kMaxGraphOps) +
               " ops: lower streams or iterations.";
    return {};
}

std::string peerCopies(const Experiment& e) {
    if (!e.p2p)
        return {};
    if (e.devices != DeviceUse::All)
        return "p2p=on copies to the next GPU: it needs devices=all.";
    if (!detail::copiesOut(e))
        return "p2p=on copies the output in device memory: it needs d2h=on with memory that is copied.";
    return {};
}

std::string whichDevices(const Experiment& e) {
    if (e.devices != DeviceUse::All || e.device == 0)
        return {};
    return "devices=all uses every GPU: device must be 0, not " + std::to_string(e.device) + ".";
}

constexpr auto kConflicts = {nothingToRun,        tooManyOps,    tooLargeBuffers,  inPlaceWithoutKernel,
                             constantTarget,      onCallback,    perThreadStreams, kernelElsewhere,
                             streamsByRole,       chainedEvents, kernelEvents,     tooManyEvents,
                             tooMuchInterference, notInGraph,    peerCopies,       whichDevices};

} // namespace

std::vector<std::string> conflicts(const Experiment& experiment) {
    if (experiment.work)
        return detail::workConflicts(experiment);
    std::vector<std::string> out;
    for (const auto check : kConflicts)
        if (std::string sentence = check(experiment); !sentence.empty())
            out.push_back(std::move(sentence));
    return out;
}

std::string conflictOf(const Experiment& experiment, std::string_view key, std::string_view value) {
    Experiment changed = experiment;
    setOption(changed, key, value);
    const std::vector<std::string> before = conflicts(experiment);
    for (std::string& sentence : conflicts(changed))
        if (std::find(before.begin(), before.end(), sentence) == before.end())
            return std::move(sentence);
    return {};
}

} // namespace olab::experiment
