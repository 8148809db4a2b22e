#include "measure/host_functions.h"

namespace olab::analysis {
namespace {

/// Per pipeline of the schedule: the stream of its device work. Records of host functions only name their
/// thread; the stream is that of the device work planned for the same pipeline.
std::vector<QueueId> streamsOfPipelines(const Facts& facts) {
    const experiment::Schedule& schedule = *facts.schedule();
    std::vector<ActivityIndex> first(schedule.streams.size(), kNoActivity);
    for (std::uint32_t op = 0; op < schedule.ops.size(); ++op) {
        const int stream = schedule.ops[op].stream;
        if (stream < 0 || static_cast<std::size_t>(stream) >= first.size())
            continue;
        ActivityIndex& earliest = first[static_cast<std::size_t>(stream)];
        for (const ActivityIndex row : facts.ofOp(OpId{op}))
            if (isDeviceClass(facts.trace().cls(row)))
                earliest = std::min(earliest, row);
    }
    std::vector<QueueId> streams;
    for (const ActivityIndex row : first)
        streams.push_back(row == kNoActivity ? kNoQueue : facts.trace().queueOf(row));
    return streams;
}

} // namespace

std::vector<HostFunction> hostFunctionsOf(const Facts& facts) {
    std::vector<HostFunction> functions;
    const Trace& trace = facts.trace();
    if (facts.count(ActivityClass::HostFn) == 0)
        return functions;
    const auto streams = facts.schedule() ? streamsOfPipelines(facts) : std::vector<QueueId>();
    for (ActivityIndex row = 0; row < trace.size(); ++row) {
        if (trace.cls(row) != ActivityClass::HostFn)
            continue;
        HostFunction& function = functions.emplace_back(HostFunction{row, kNoQueue, false});
        const StreamCall* const call = trace.streamCallOf(facts.apiOf(row));
        if (call && call->kind == StreamCallKind::HostFunction)
            function.stream = call->queue;
        const experiment::Op* const op = facts.opOf(row);
        const auto pipeline = op ? static_cast<std::size_t>(op->stream) : streams.size();
        if (function.stream == kNoQueue && pipeline < streams.size()) {
            function.stream = streams[pipeline];
            function.holdsStream = function.stream != kNoQueue && !experiment::leavesStreamFree(*op);
        } else {
            function.holdsStream = function.stream != kNoQueue;
        }
    }
    return functions;
}

} // namespace olab::analysis
