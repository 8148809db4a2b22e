#include "program.h"

#include <algorithm>

namespace olab::sim {
namespace {

constexpr std::uint32_t kNullKernelThreads = 1;

Grid kernelGrid(const Experiment& e, const DeviceModel& model) {
    Grid grid;
    grid.threads = static_cast<std::uint32_t>(e.kernelThreads);
    grid.resident = residentBlocks(model, grid.threads);
    const std::uint64_t blocks =
        e.kernelBlocks.fill ? std::uint64_t{e.kernelBlocks.fill} * grid.resident : e.kernelBlocks.blocks;
    if (blocks == 0 || blocks > 0x7fffffffu)
        throw Error(ErrorKind::Usage, "bad-value", "kernel.blocks gives a grid no device can launch.",
                    "Choose 1 to 2147483647 blocks.");
    grid.blocks = static_cast<std::uint32_t>(blocks);
    grid.solo = e.kernelUs * 1000;
    grid.memoryBound = e.kernelKind == KernelKind::Memory;
    return grid;
}

Grid nullGrid(const DeviceModel& model) {
    return {1, kNullKernelThreads, residentBlocks(model, kNullKernelThreads), model.nullKernel, false};
}

Program emptyProgram(const Schedule& schedule, const DeviceModel& model) {
    Program program;
    std::uint32_t number = kFirstStreamNumber;
    for (const PlannedStream& s : schedule.streams) {
        const bool blocking = s.flavor == StreamFlavor::Blocking;
        const StreamKind kind = blocking ? StreamKind::Blocking : StreamKind::NonBlocking;
        // A legacy pipeline has no stream of its own: its place stays empty so that indices match pipelines.
        program.streams.push_back(s.flavor == StreamFlavor::Legacy
                                      ? SimStream{kNullStreamNumber, StreamKind::Null}
                                      : SimStream{number++, kind});
    }
    program.streams.push_back({kNullStreamNumber, StreamKind::Null});
    program.kernel = kernelGrid(schedule.experiment, model);
    program.nullKernel = nullGrid(model);
    return program;
}

bool usesPageable(const Experiment& e, OpKind kind) {
    return (kind == OpKind::CopyH2D && e.h2dMemory == HostMemory::Pageable) ||
           (kind == OpKind::CopyD2H && e.d2hMemory == HostMemory::Pageable);
}

SimOp makeOp(const Experiment& e, OpKind kind, std::int64_t bytes, std::uint32_t stream,
             const DeviceModel& model) {
    SimOp op;
    op.kind = kind;
    op.bytes = bytes;
    op.stream = stream;
    op.pageable = usesPageable(e, kind);
    op.blocksHost = op.pageable && (kind == OpKind::CopyD2H || bytes > model.pageableInlineBytes);
    return op;
}

std::uint32_t streamOf(const Program& program, const Op& op) {
    if (op.pipeline < 0 || program.streams[static_cast<std::size_t>(op.pipeline)].kind == StreamKind::Null)
        return program.nullStream();
    return static_cast<std::uint32_t>(op.pipeline);
}

} // namespace

Program windowProgram(const Schedule& schedule, const DeviceModel& model) {
    Program program = emptyProgram(schedule, model);
    program.gate = schedule.useGate;
    program.ops.reserve(schedule.ops.size());
    for (const Op& op : schedule.ops)
        program.ops.push_back(makeOp(schedule.experiment, op.kind, op.bytes, streamOf(program, op), model));
    return program;
}

Program soloProgram(const Schedule& schedule, const SoloOp& solo, const DeviceModel& model) {
    Program program = emptyProgram(schedule, model);
    program.ops.push_back(makeOp(schedule.experiment, solo.kind, solo.bytes, program.nullStream(), model));
    return program;
}

} // namespace olab::sim
