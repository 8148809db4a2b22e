#include "calibration_plan.h"

#include <olab/experiment/experiment.h>
#include <olab/experiment/option_table.h>

namespace olab::cli {
namespace {

constexpr std::int64_t kKiB = 1024, kMiB = 1024 * kKiB;

/// One stream, so that nothing waits for anything but its predecessor; short kernels, since all it takes is
/// something to wait for.
experiment::Experiment oneStream(std::int64_t bytes) {
    experiment::Experiment e;
    e.streams = 1;
    e.iterations = 12;
    e.kernelUs = 100;
    e.h2dBytes = e.d2hBytes = e.memsetBytes = bytes;
    e.trace = experiment::TraceMode::On;
    return e;
}

/// Latencies at the small end, rates at the large one.
void addSizes(std::vector<CalibrationExperiment>& out) {
    for (const std::int64_t bytes :
         {std::int64_t{4}, 4 * kKiB, 64 * kKiB, 1 * kMiB, 4 * kMiB, 16 * kMiB, 64 * kMiB})
        out.push_back({"pinned-" + experiment::bytesToText(bytes), oneStream(bytes)});
    for (const std::int64_t bytes : {4 * kKiB, 64 * kKiB, 256 * kKiB, 1 * kMiB, 16 * kMiB, 64 * kMiB}) {
        experiment::Experiment e = oneStream(bytes);
        e.h2dMemory = e.d2hMemory = experiment::HostMemory::Pageable;
        out.push_back({"pageable-" + experiment::bytesToText(bytes), e});
    }
}

/// Nothing but copies, so that both directions are busy all the time.
void addBothDirections(std::vector<CalibrationExperiment>& out) {
    for (const std::int64_t bytes : {16 * kMiB, 64 * kMiB}) {
        experiment::Experiment e = oneStream(bytes);
        e.streams = 4;
        e.kernel = e.memset = e.callback = false;
        out.push_back({"both-directions-" + experiment::bytesToText(bytes), e});
    }
}

void addBarriers(std::vector<CalibrationExperiment>& out) {
    for (const experiment::NullOp op :
         {experiment::NullOp::Memset, experiment::NullOp::Kernel, experiment::NullOp::Event}) {
        experiment::Experiment e = oneStream(1 * kMiB);
        e.streams = 2;
        e.streamKind = experiment::PlannedStreamKind::Blocking;
        e.nullOp = op;
        out.push_back({"null-" + experiment::optionText(e, "null_op"), e});
    }
}

/// Without the gate the device is idle when a call comes.
void addUngated(std::vector<CalibrationExperiment>& out) {
    experiment::Experiment e = oneStream(4 * kKiB);
    e.gate = false;
    e.repeat = 5; // each shows one such call, its first
    e.kernelUs = 1;
    e.callback = false;
    out.push_back({"ungated", e});
}

} // namespace

std::vector<CalibrationExperiment> calibrationPlan() {
    std::vector<CalibrationExperiment> out;
    addSizes(out);
    addBothDirections(out);
    addBarriers(out);
    addUngated(out);
    return out;
}

} // namespace olab::cli
