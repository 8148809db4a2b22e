#include "program.h"

#include <olab/trace/error.h>

#include <algorithm>
#include <numeric>

namespace olab::sim {
namespace {

constexpr std::uint32_t kNullKernelThreads = 1;
constexpr std::uint32_t kFillThreads = 256, kFillBytesPerBlock = kFillThreads * 16, kFillBlocksPerSm = 4;

std::uint32_t residentOf(const experiment::PlannedKernel& kernel, const DeviceModel& model) {
    const std::uint32_t resident =
        residentBlocks(model, kernel.threads, static_cast<std::uint64_t>(kernel.sharedBytes));
    if (resident == 0)
        throw Error(ErrorKind::Usage, "too-big",
                    "A block of " + std::to_string(kernel.threads) + " threads with " +
                        std::to_string(kernel.sharedBytes) + " bytes of shared memory does not fit " +
                        model.name + ".",
                    "Smaller kernel.threads or kernel.smem.");
    return resident;
}

Grid kernelGrid(const experiment::PlannedKernel& kernel, const DeviceModel& model) {
    Grid grid;
    grid.threads = kernel.threads;
    grid.shared = static_cast<std::uint32_t>(kernel.sharedBytes);
    grid.resident = residentOf(kernel, model);
    const std::uint64_t blocks =
        kernel.blocks.fill ? std::uint64_t{kernel.blocks.fill} * grid.resident : kernel.blocks.blocks;
    if (blocks == 0 || blocks > 0x7fffffffu)
        throw Error(ErrorKind::Usage, "bad-value", "kernel.blocks gives a grid no device can launch.",
                    "Choose 1 to 2147483647 blocks.");
    grid.blocks = grid.slots = static_cast<std::uint32_t>(blocks);
    grid.solo = kernel.duration;
    grid.memoryBound = kernel.kind == experiment::KernelKind::Memory;
    grid.computeBound = !grid.memoryBound;
    return grid;
}

/// A kernel of recorded work. `base` gives the block size in which device slots are counted.
Grid recordedGrid(const experiment::PlannedGrid& kernel, const Grid& base, const DeviceModel& model) {
    Grid grid;
    grid.blocks = std::max(kernel.blocks, 1u);
    grid.threads = std::max(kernel.threads, 1u);
    grid.shared = static_cast<std::uint32_t>(kernel.sharedBytes);
    const std::uint32_t holds =
        residentBlocks(model, grid.threads, static_cast<std::uint64_t>(kernel.sharedBytes));
    grid.resident = std::max(holds, 1u);
    const std::uint64_t slots =
        (std::uint64_t{grid.blocks} * base.resident + grid.resident - 1) / grid.resident;
    grid.slots = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(slots, 1, 0x7fffffffu));
    grid.solo = kernel.duration;
    grid.memoryBound = base.memoryBound;
    grid.computeBound = base.computeBound;
    return grid;
}

Grid nullGrid(const DeviceModel& model) {
    Grid grid;
    grid.threads = kNullKernelThreads;
    grid.resident = std::max(residentBlocks(model, kNullKernelThreads), 1u);
    grid.solo = model.nullKernel;
    return grid;
}

/// Writes 16 bytes per thread, with no more blocks than needed for the full memory rate.
Grid fillGrid(std::int64_t bytes, const Grid& kernel, const DeviceModel& model) {
    Grid grid;
    const std::int64_t wanted = (bytes + kFillBytesPerBlock - 1) / kFillBytesPerBlock;
    grid.threads = kFillThreads;
    grid.blocks =
        static_cast<std::uint32_t>(std::clamp<std::int64_t>(wanted, 1, kFillBlocksPerSm * model.smCount));
    grid.resident = std::max(residentBlocks(model, kFillThreads), 1u);
    grid.slots = std::clamp(grid.blocks * kFillThreads / kernel.threads, 1u, kernel.resident);
    grid.solo = model.nullKernel + transferTime(bytes, model.memsetRate);
    return grid;
}

StreamKind kindOf(experiment::PlannedStreamKind kind) {
    switch (kind) {
    case experiment::PlannedStreamKind::Blocking:
    case experiment::PlannedStreamKind::PerThread:
        return StreamKind::Blocking;
    case experiment::PlannedStreamKind::Legacy:
        return StreamKind::Null;
    case experiment::PlannedStreamKind::NonBlocking:
        break;
    }
    return StreamKind::NonBlocking;
}

/// The default is the lowest of the levels, as on real devices.
SimStream streamAs(StreamKind kind, std::uint32_t number, std::uint32_t device, std::uint32_t rank,
                   const DeviceModel& model) {
    const std::uint32_t lowest = std::max(model.priorityLevels, 1u) - 1;
    const std::uint32_t level = std::min(rank, lowest);
    return {number, kind, device, level,
            static_cast<std::int32_t>(level) - static_cast<std::int32_t>(lowest)};
}

void addStreams(Program& program, const experiment::Schedule& schedule, const DeviceModel& model) {
    std::vector<std::uint32_t> number(program.devices, kFirstStreamNumber);
    for (const experiment::PlannedStream& s : schedule.streams) {
        const auto device = static_cast<std::uint32_t>(s.device);
        const StreamKind kind = kindOf(s.kind);
        // A legacy pipeline has no stream of its own: its entry stays empty so that indices match pipelines.
        const std::uint32_t id = kind == StreamKind::Null ? kNullStreamNumber : number[device]++;
        program.streams.push_back(streamAs(kind, id, device, s.priorityRank, model));
    }
    for (std::uint32_t device = 0; device < program.devices; ++device)
        program.streams.push_back(streamAs(StreamKind::Null, kNullStreamNumber, device, kNoNumber, model));
}

/// The target of H2D copies, as in records.
MemoryKind h2dTargetOf(const experiment::Schedule& schedule) {
    const std::uint32_t row = schedule.buffers.find(0, experiment::BufferRole::Input);
    const bool constant =
        row != kNoNumber && schedule.buffers.rows()[row].place == experiment::BufferPlace::Constant;
    return constant ? MemoryKind::DeviceStatic : MemoryKind::Device;
}

Program emptyProgram(const experiment::Schedule& schedule, const DeviceModel& model) {
    Program program;
    program.devices = static_cast<std::uint32_t>(schedule.devices);
    program.threads = static_cast<std::uint32_t>(schedule.threads);
    addStreams(program, schedule, model);
    program.kernel = kernelGrid(schedule.kernel, model);
    program.nullKernel = nullGrid(model);
    program.fillKernel = fillGrid(schedule.kernel.fillBytes, program.kernel, model);
    for (const experiment::PlannedGrid& grid : schedule.grids)
        program.grids.push_back(recordedGrid(grid, program.kernel, model));
    program.reads = schedule.kernel.reads;
    program.writes = schedule.kernel.writes;
    program.hostWork = schedule.hostWork;
    program.api = schedule.api;
    program.interfere = schedule.interfere;
    program.process = schedule.process;
    program.firstDevice = static_cast<std::uint32_t>(schedule.firstDevice);
    program.h2dTarget = h2dTargetOf(schedule);
    program.queues = model.inOrderQueues ? QueueMode::PerEngine : QueueMode::Ready;
    return program;
}

/// Copies within a device and to others have their own engines if there are more than two.
Unit unitOf(const experiment::Op& op, const DeviceModel& model) {
    switch (op.kind) {
    case experiment::OpKind::CopyH2D:
        return Unit::H2d;
    case experiment::OpKind::CopyD2H:
        return model.copyEngines > 1 ? Unit::D2h : Unit::H2d;
    case experiment::OpKind::FillCopy:
    case experiment::OpKind::InterfereCopy:
        return model.d2dOnSms ? Unit::Compute : model.copyEngines > 2 ? Unit::D2d : Unit::H2d;
    case experiment::OpKind::PeerCopy:
        return model.copyEngines > 2 ? Unit::P2p : model.copyEngines > 1 ? Unit::D2h : Unit::H2d;
    case experiment::OpKind::HostFn:
        return experiment::leavesStreamFree(op) ? Unit::Nothing : Unit::Worker;
    default:
        return isCompute(op.kind) ? Unit::Compute : Unit::Nothing;
    }
}

Hold holdOf(const experiment::ProcessSettings& process, const SimOp& op, const DeviceModel& model) {
    if (op.pageable && op.kind == experiment::OpKind::CopyD2H)
        return Hold::Done;
    if (op.pageable && op.bytes > model.pageableInlineBytes)
        return Hold::Staged;
    return process.launchBlocking && isCompute(op.kind) ? Hold::Done
                                                        : Hold::No; // memsets too, measured on an H200
}

SimOp makeOp(const Program& program, const experiment::Op& op, const DeviceModel& model) {
    SimOp made;
    made.kind = op.kind;
    made.bytes = op.bytes;
    made.unit = unitOf(op, model);
    made.callback = op.callback;
    made.sync = op.sync;
    made.pageable = isCopy(op.kind) && op.memory == experiment::HostMemory::Pageable;
    made.hold = holdOf(program.process, made, model);
    return made;
}

std::uint32_t streamOf(const Program& program, const experiment::Op& op) {
    const auto device = static_cast<std::uint32_t>(op.device);
    if (op.stream < 0 || program.streams[static_cast<std::size_t>(op.stream)].kind == StreamKind::Null)
        return op.stream == experiment::kAllStreams ? kNone : program.nullStream(device);
    return static_cast<std::uint32_t>(op.stream);
}

SimOp windowOp(const Program& program, const experiment::Schedule& schedule, const experiment::Op& op,
               const DeviceModel& model) {
    SimOp made = makeOp(program, op, model);
    made.stream = streamOf(program, op);
    made.device = static_cast<std::uint16_t>(op.device);
    made.event = op.event;
    if (const experiment::PlannedGrid* grid = experiment::gridOf(schedule, op))
        made.grid = static_cast<std::uint32_t>(grid - schedule.grids.data());
    made.migrates = op.kind == experiment::OpKind::Kernel && op.iteration == 0;
    return made;
}

/// Each stream in turn copies from, and to, its own buffer.
void addPageable(Program& program) {
    std::vector<std::int64_t> most[2]{std::vector<std::int64_t>(program.streams.size(), 0), {}};
    most[1] = most[0];
    for (const SimOp& op : program.ops)
        if (op.pageable)
            for (std::int64_t* mine = &most[op.kind == experiment::OpKind::CopyH2D ? 0 : 1][op.stream];
                 *mine < op.bytes;)
                *mine = op.bytes;
    for (int direction = 0; direction < 2; ++direction)
        program.pageableBytes[direction] =
            std::accumulate(most[direction].begin(), most[direction].end(), std::int64_t{0});
}

} // namespace

DeviceModel modelFor(const experiment::ProcessSettings& process, DeviceModel model) {
    constexpr std::uint32_t kQuarters[] = {4, 1, 2, 8, 16};
    model.queueDepth = std::max(
        model.queueDepth * kQuarters[static_cast<std::size_t>(process.launchQueues)] / kQuarters[0], 1u);
    if (process.maxConnections > 0)
        model.channels = model.copyChannels = static_cast<std::uint32_t>(process.maxConnections);
    return model;
}

DeviceModel withRates(DeviceModel model, const experiment::HostRates& rates) {
    const auto use = [](std::int64_t& rate, std::int64_t known) { rate = known > 0 ? known : rate; };
    use(model.h2dPinnedRate, rates.h2dPinned);
    use(model.d2hPinnedRate, rates.d2hPinned);
    use(model.h2dPageableRate, rates.h2dPageable);
    use(model.h2dCachedRate, rates.h2dPageable);
    use(model.d2hPageableRate, rates.d2hPageable);
    use(model.d2hCachedRate, rates.d2hPageable);
    use(model.d2dRate, rates.onDevice);
    use(model.memsetRate, rates.memset);
    model.h2dBothRate = std::min(model.h2dBothRate, model.h2dPinnedRate);
    model.d2hBothRate = std::min(model.d2hBothRate, model.d2hPinnedRate);
    return model;
}

Program windowProgram(const experiment::Schedule& schedule, const DeviceModel& model) {
    Program program = emptyProgram(schedule, model);
    program.gate = schedule.useGate;
    program.graph = schedule.graph;
    program.submission = schedule.simulator.submission;
    if (program.submission == experiment::Submission::WddmHags)
        program.queues = QueueMode::Single;
    program.events = schedule.events;
    program.units = schedule.units;
    program.ops.reserve(schedule.ops.size());
    for (const experiment::Op& op : schedule.ops)
        program.ops.push_back(windowOp(program, schedule, op, model));
    addPageable(program);
    for (const experiment::IssueUnit& unit : program.units)
        for (std::uint32_t i = unit.first; i < unit.first + unit.count; ++i)
            program.ops[i].thread = static_cast<std::uint16_t>(unit.thread);
    return program;
}

Program soloProgram(const experiment::Schedule& schedule, const experiment::SoloOp& solo,
                    const DeviceModel& model) {
    Program program = emptyProgram(schedule, model);
    program.threads = 1;
    SimOp op = makeOp(program, {.kind = solo.kind, .memory = solo.memory, .bytes = solo.bytes}, model);
    op.stream = program.nullStream(0);
    op.grid = solo.grid;
    program.ops.push_back(op);
    addPageable(program);
    program.units.push_back({0, 1, 0, kNoOp});
    return program;
}

} // namespace olab::sim
