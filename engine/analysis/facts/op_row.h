// One device activity, as the passes over all of them see it.
#pragma once

#include <olab/analysis/facts.h>

namespace olab::analysis {

struct OpRow {
    std::size_t number = 0; ///< index into DeviceWork
    ActivityIndex row = 0;
    ActivityClass cls{};
    EngineKind engine{};
    std::uint8_t device = 0;
    QueueId queue{};
    OpId op = kNoOp;
    Interval time;
    const Work* work = nullptr;

    static OpRow of(const TraceFacts& facts, std::size_t number) {
        const Trace& trace = facts.trace();
        const ActivityIndex row = facts.deviceWork().row(number);
        return {number,
                row,
                trace.cls(row),
                trace.engine(row),
                trace.device(row),
                trace.queueOf(row),
                trace.opOf(row),
                trace.time(row),
                &facts[facts.workAt(number)]};
    }
    /// How much longer than alone it ran.
    Ns stretched() const {
        const Ns length = time.length();
        return work->solo > 0 && length > work->solo && work->tellsStretch() ? length - work->solo : 0;
    }
};

} // namespace olab::analysis
