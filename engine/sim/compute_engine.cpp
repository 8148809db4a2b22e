#include "compute_engine.h"

#include "scaled.h"

#include <algorithm>
#include <utility>

namespace olab::sim {
namespace {

constexpr std::uint32_t kMaxWaves = 16; ///< a longer grid is simulated with fewer, longer blocks
constexpr std::uint32_t kBatches = 16;  ///< maximum number of waves that the device is divided into

template <typename T>
std::uint32_t claim(std::vector<T>& all, std::vector<std::uint32_t>& unused) {
    if (unused.empty()) {
        all.emplace_back();
        return static_cast<std::uint32_t>(all.size() - 1);
    }
    const std::uint32_t slot = unused.back();
    unused.pop_back();
    return slot;
}

/// Slots that keep all SMs busy.
std::int64_t enoughSlots(const Context& context) {
    const std::int64_t slots = context.program.kernel.resident;
    const std::int64_t threads = context.model.threadsToSaturateSm;
    const std::int64_t perSlot = std::max(context.program.kernel.threads, 1u);
    return threads == 0 ? slots
                        : std::clamp<std::int64_t>(threads * context.model.smCount / perSlot, 1, slots);
}

constexpr std::uint32_t ceilDiv(std::uint32_t a, std::uint32_t b) {
    return (a - 1) / b + 1;
}

} // namespace

ComputeEngine::ComputeEngine(Context& context, HostLinks& links, std::uint32_t device)
    : m_context(context)
    , m_links(links)
    , m_device(device)
    , m_slots(context.program.kernel.resident)
    , m_free(m_slots)
    , m_batch(std::max(m_slots / kBatches, 1u))
    , m_memsetSlots(std::max(m_slots / std::max(context.model.memsetRoom, 1u), 1u))
    , m_levels(std::max(context.model.priorityLevels, 1u))
    , m_enough(enoughSlots(context)) {}

void ComputeEngine::submit(std::uint32_t op) {
    m_levels[m_context.program.streams[m_context.op(op).stream].level].queue.push_back(op);
    fill();
}

/// A head that does not fit blocks all lower levels.
void ComputeEngine::fill() {
    serveStarved();
    for (Level& level : m_levels) {
        while (!level.queue.empty()) {
            if (!placeHead(level))
                return;
            level.queue.pop_front();
        }
    }
}

/// @returns whether the first in the queue is completely placed.
bool ComputeEngine::placeHead(Level& level) {
    const std::uint32_t op = level.queue.front();
    const SimOp& o = m_context.op(op);
    const bool placed = isKernel(o.kind) ? placeGrid(level) : startMemset(op);
    if (!placed)
        return false;
    m_context.events.at(m_context.now(), EventKind::Dispatched, op);
    if (o.channel >= m_before.size())
        m_before.resize(o.channel + std::size_t{1}, kNone);
    m_before[o.channel] = op;
    return true;
}

bool ComputeEngine::placeGrid(Level& level) {
    if (m_free == 0)
        return false;
    const std::uint32_t grid = level.head == kNone ? openGrid(level.queue.front()) : level.head;
    const std::uint32_t toPlace = m_grids[grid].toPlace;
    const std::uint32_t blocks = std::min(m_free, toPlace);
    if (blocks < toPlace && blocks < m_batch) {
        level.head = grid;
        return false;
    }
    placeWave(grid, blocks);
    level.head = blocks < toPlace ? grid : kNone;
    return blocks == toPlace;
}

std::uint32_t ComputeEngine::openGrid(std::uint32_t op) {
    const Grid& shape = m_context.program.gridOf(m_context.op(op));
    const std::uint32_t perBlock = ceilDiv(ceilDiv(shape.slots, m_slots), kMaxWaves);
    const std::uint32_t blocks = ceilDiv(shape.slots, perBlock);
    const std::uint32_t grid = claim(m_grids, m_freeGrids);
    Running& made = m_grids[grid];
    made = {.op = op,
            .toPlace = blocks,
            .blockTime = m_context.duration(shape.solo / ceilDiv(blocks, m_slots)),
            .alone = std::max<std::int64_t>(m_enough, std::min(blocks, m_slots)),
            .memoryBound = shape.memoryBound,
            .computeBound = shape.computeBound,
            .packed = packs(op)};
    return grid;
}

/// A kernel right after a memset of another stream in the same channel starts while the memset leaves: its
/// blocks go to the first SMs that become free, as many as fit into each, instead of one per SM. Measured on
/// an idle H200; with other kernels running the effect is smaller.
bool ComputeEngine::packs(std::uint32_t op) const {
    const std::uint32_t channel = m_context.op(op).channel;
    const std::uint32_t before = channel < m_before.size() ? m_before[channel] : kNone;
    if (before == kNone || m_computeBlocks > 0)
        return false;
    const SimOp& memset = m_context.op(before);
    return isMemset(memset.kind) && memset.end == 0 && memset.stream != m_context.op(op).stream;
}

void ComputeEngine::placeWave(std::uint32_t index, std::uint32_t blocks) {
    Running& grid = m_grids[index];
    SimOp& op = m_context.op(grid.op);
    const bool first = !std::exchange(grid.started, true);
    if (first)
        op.begin = m_context.now();
    grid.toPlace -= blocks;
    grid.placed += blocks;
    m_free -= blocks;
    demand(grid, blocks);
    const std::uint32_t wave = claim(m_waves, m_freeWaves);
    m_waves[wave] = {.grid = index, .blocks = blocks, .generation = m_waves[wave].generation};
    if (!first || !move(wave, FlowUse::Read))
        work(wave);
    shareAnew();
}

/// The blocks of the wave start to compute.
void ComputeEngine::work(std::uint32_t index) {
    Wave& wave = m_waves[index];
    wave.working = true;
    wave.left = stretched(m_grids[wave.grid]);
    wave.settledAt = m_context.now();
    wave.sharing = sharing(m_grids[wave.grid]);
    reschedule(index);
}

void ComputeEngine::reschedule(std::uint32_t index) {
    Wave& wave = m_waves[index];
    const Ns left = scaledUp(wave.left, wave.sharing, m_grids[wave.grid].alone);
    m_context.events.at(m_context.now() + left, EventKind::WaveDone, subjectOf(index), ++wave.generation);
}

/// How many slots share the SMs with those of a grid, including its own; with as many as when it is alone it
/// runs at full rate.
std::int64_t ComputeEngine::sharing(const Running& grid) const {
    if (!grid.computeBound)
        return grid.alone;
    return std::max<std::int64_t>(grid.packed ? m_slots : m_computeBlocks, grid.alone);
}

/// After kernels started or ended: the others run slower or faster from now on.
void ComputeEngine::shareAnew() {
    if (std::max(m_computeBlocks, m_enough) == m_shared)
        return;
    m_shared = std::max(m_computeBlocks, m_enough);
    for (std::uint32_t i = 0; i < m_waves.size(); ++i) {
        Wave& wave = m_waves[i];
        const Running& grid = m_grids[wave.grid];
        if (!wave.working || sharing(grid) == wave.sharing)
            continue;
        const Ns done = scaled(m_context.now() - wave.settledAt, grid.alone, wave.sharing);
        wave.left = std::max<Ns>(wave.left - done, 0);
        wave.settledAt = m_context.now();
        wave.sharing = sharing(grid);
        reschedule(i);
    }
}

/// A grid of several waves moves data while others of its blocks compute: what remains is the part of one
/// wave, or what exceeds the computation.
Ns ComputeEngine::exposed(Ns transfer) const {
    const Grid& shape = m_context.program.kernel;
    const Ns waves = ceilDiv(shape.slots, m_slots);
    return std::max(transfer / waves, transfer - shape.solo / waves * (waves - 1));
}

/// Data used in place crosses the bus: all of the input before the work of the first blocks, all of the
/// output after that of the last. @returns whether there is anything to move
bool ComputeEngine::move(std::uint32_t wave, FlowUse use) {
    const SimOp& op = m_context.op(m_grids[m_waves[wave].grid].op);
    const experiment::InPlace& memory =
        use == FlowUse::Read ? m_context.program.reads : m_context.program.writes;
    if (op.kind != experiment::OpKind::Kernel || memory.bytes == 0 || (memory.managed && !op.migrates))
        return false;
    Flow flow;
    flow.device = m_device;
    flow.toDevice = use == FlowUse::Read;
    flow.rate =
        memory.managed ? m_context.model.managedRate : copyRate(m_context.model, flow.toDevice, false);
    flow.work = m_context.duration(exposed(transferTime(memory.bytes, flow.rate)));
    flow.use = use;
    flow.subject = wave;
    m_links.start(flow);
    return true;
}

std::optional<std::uint32_t> ComputeEngine::moved(const Flow& flow) {
    if (flow.use == FlowUse::Write)
        return release(flow.subject);
    work(flow.subject);
    return std::nullopt;
}

std::optional<std::uint32_t> ComputeEngine::waveDone(std::uint32_t index, std::uint32_t generation) {
    Wave& wave = m_waves[index];
    if (!wave.working || wave.generation != generation)
        return std::nullopt;
    wave.working = false;
    const Running& grid = m_grids[wave.grid];
    const bool last = grid.toPlace == 0 && grid.placed == wave.blocks;
    if (last && move(index, FlowUse::Write))
        return std::nullopt;
    return release(index);
}

/// The blocks of the wave leave their slots.
std::optional<std::uint32_t> ComputeEngine::release(std::uint32_t index) {
    const Wave wave = m_waves[index];
    m_freeWaves.push_back(index);
    Running& grid = m_grids[wave.grid];
    grid.placed -= wave.blocks;
    m_free += wave.blocks;
    demand(grid, -std::int64_t{wave.blocks});
    shareAnew();
    if (grid.placed + grid.toPlace > 0)
        return std::nullopt;
    m_freeGrids.push_back(wave.grid);
    return grid.op;
}

void ComputeEngine::demand(const Running& grid, std::int64_t blocks) {
    if (grid.memoryBound)
        m_memoryBlocks += blocks;
    if (grid.computeBound)
        m_computeBlocks += blocks;
}

/// Memory-bound grids share the device memory: beyond saturation each gets its part. Determined when a wave
/// starts.
Ns ComputeEngine::stretched(const Running& grid) const {
    if (!grid.memoryBound)
        return grid.blockTime;
    const std::int64_t enough = std::max(m_context.model.blocksToSaturateMemory, 1u);
    const std::int64_t alone =
        std::max<std::int64_t>(grid.placed, enough); // its solo duration includes its own effect
    return std::max(grid.blockTime, scaled(grid.blockTime, m_memoryBlocks, alone));
}

bool ComputeEngine::startMemset(std::uint32_t op) {
    m_context.op(op).begin = m_context.now();
    const std::uint32_t slot = claim(m_memsets, m_freeMemsets);
    Memset& memset = m_memsets[slot];
    memset = {op, 0, memset.generation, 0};
    if (m_free > 0) {
        serve(slot);
        return true;
    }
    const DeviceModel& model = m_context.model;
    const Ns work = model.memsetStarvedFloor + transferTime(m_context.op(op).bytes, model.memsetStarvedRate);
    memset.finish = m_context.now() + m_context.duration(work);
    m_context.events.at(memset.finish, EventKind::MemsetDone, subjectOf(slot), memset.generation);
    m_starved.push_back(slot);
    return true;
}

/// Gives a memset the available room, up to what it can use.
void ComputeEngine::serve(std::uint32_t slot) {
    Memset& memset = m_memsets[slot];
    memset.slots = std::min(m_free, m_memsetSlots);
    m_free -= memset.slots;
    const Ns work = m_context.duration(clearTime(m_context.op(memset.op), memset.slots));
    const Ns finish = m_context.now() + work;
    if (memset.finish != 0 && memset.finish <= finish)
        return; // nearly done without it
    memset.finish = finish;
    m_context.events.at(finish, EventKind::MemsetDone, subjectOf(slot), ++memset.generation);
}

/// For a memset, or a copy within the device that runs on the SMs.
Ns ComputeEngine::clearTime(const SimOp& op, std::uint32_t slots) const {
    const DeviceModel& model = m_context.model;
    const std::int64_t rate = isMemset(op.kind) ? model.memsetRate : model.d2dRate;
    return model.memsetFloor + scaled(transferTime(op.bytes, rate), m_memsetSlots, slots);
}

void ComputeEngine::serveStarved() {
    std::size_t served = 0;
    for (; served < m_starved.size() && m_free > 0; ++served)
        serve(m_starved[served]);
    m_starved.erase(m_starved.begin(), m_starved.begin() + static_cast<std::ptrdiff_t>(served));
}

std::optional<std::uint32_t> ComputeEngine::memsetDone(std::uint32_t slot, std::uint32_t generation) {
    Memset& memset = m_memsets[slot];
    if (memset.generation != generation || memset.op == kNone)
        return std::nullopt;
    std::erase(m_starved, slot);
    m_free += std::exchange(memset.slots, 0);
    ++memset.generation;
    m_freeMemsets.push_back(slot);
    return std::exchange(memset.op, kNone);
}

} // namespace olab::sim
