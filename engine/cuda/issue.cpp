#include "issue.h"

#include "clock.h"

#include <olab/kernels/small_kernels.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

namespace olab::cuda {
namespace {

constexpr auto kBytes = static_cast<std::size_t>(experiment::kInterfereBytes);
constexpr std::size_t kPageBytes = 4096;

/// Not an error: the queried work is still running.
cudaError_t unlessNotReady(cudaError_t status) {
    return status == cudaErrorNotReady ? cudaSuccess : status;
}

} // namespace

Interference::Interference(const experiment::Schedule& schedule, const Devices& devices)
    : m_kind(schedule.interfere)
    , m_devices(devices) {
    for (const experiment::Op& op : schedule.ops)
        if (op.kind == experiment::OpKind::InterfereCall || op.kind == experiment::OpKind::InterfereKernel)
            m_pieces.push_back({op.id, op.device, nullptr, false});
    try {
        for (Piece& piece : m_pieces)
            prepare(piece);
    } catch (...) {
        release();
        throw;
    }
}

Interference::~Interference() {
    release();
}

void Interference::prepare(Piece& piece) {
    m_devices.use(piece.device);
    if (m_kind == experiment::Interfere::Free)
        checkAllocation(cudaMalloc(&piece.memory, kBytes), MemoryPlace::Device, kBytes);
    else if (m_kind == experiment::Interfere::FreeHost)
        checkAllocation(cudaMallocHost(&piece.memory, kBytes), MemoryPlace::PinnedHost, kBytes);
    else if (m_kind == experiment::Interfere::HostRegister)
        piece.memory = std::aligned_alloc(kPageBytes, kBytes);
}

Interference::Piece& Interference::pieceOf(const experiment::Op& op) {
    return *std::lower_bound(m_pieces.begin(), m_pieces.end(), op.id,
                             [](const Piece& piece, OpId id) { return piece.op < id; });
}

std::uint32_t Interference::firstLaunchOf(const experiment::Op& op) {
    return static_cast<std::uint32_t>(&pieceOf(op) - m_pieces.data());
}

cudaError_t Interference::call(const experiment::Op& op, StreamAt at) {
    Piece& piece = pieceOf(op);
    piece.done = true;
    switch (m_kind) {
    case experiment::Interfere::GetLastError:
        cudaGetLastError(); // of an earlier call, which was already checked
        return cudaSuccess;
    case experiment::Interfere::StreamQuery:
        return unlessNotReady(cudaStreamQuery(at.stream));
    case experiment::Interfere::Malloc:
        return cudaMalloc(&piece.memory, kBytes);
    case experiment::Interfere::Free:
        return cudaFree(std::exchange(piece.memory, nullptr));
    case experiment::Interfere::MallocHost:
        return cudaMallocHost(&piece.memory, kBytes);
    case experiment::Interfere::FreeHost:
        return cudaFreeHost(std::exchange(piece.memory, nullptr));
    case experiment::Interfere::HostRegister:
        return cudaHostRegister(piece.memory, kBytes, cudaHostRegisterDefault);
    case experiment::Interfere::MallocAsync:
        return cudaMallocAsync(&piece.memory, kBytes, at.stream);
    default:
        return cudaErrorInvalidValue;
    }
}

void Interference::release(Piece& piece) noexcept {
    if (!piece.memory)
        return;
    if (m_kind == experiment::Interfere::MallocHost || m_kind == experiment::Interfere::FreeHost) {
        cudaFreeHost(piece.memory);
    } else if (m_kind == experiment::Interfere::HostRegister) {
        if (piece.done)
            cudaHostUnregister(piece.memory);
        std::free(piece.memory);
    } else {
        cudaFree(piece.memory);
    }
    piece.memory = nullptr;
}

// A pool keeps its memory unless told otherwise.
void Interference::release() noexcept {
    for (Piece& piece : m_pieces)
        release(piece);
    m_pieces.clear();
    if (m_kind != experiment::Interfere::MallocAsync)
        return;
    m_devices.synchronizeQuietly(); // freed memory becomes available at the next synchronisation
    for (std::size_t d = 0; d < m_devices.size(); ++d) {
        cudaMemPool_t pool = nullptr;
        const int ordinal = m_devices.ordinal(static_cast<std::int32_t>(d));
        if (cudaDeviceGetDefaultMemPool(&pool, ordinal) == cudaSuccess)
            cudaMemPoolTrimTo(pool, 0);
    }
}

namespace {

/// Work issued meanwhile by this thread belongs to an op.
class Tagged {
public:
    Tagged(cupti::Collector* collector, OpId tag)
        : m_collector(collector) {
        if (m_collector)
            m_collector->pushOp(tag);
    }
    Tagged(const Tagged&) = delete;
    Tagged& operator=(const Tagged&) = delete;
    ~Tagged() {
        if (m_collector)
            m_collector->popOp();
    }

private:
    cupti::Collector* m_collector;
};

} // namespace

Events::Events(const experiment::Schedule& schedule, const Devices& devices) {
    if (schedule.events == 0)
        return;
    std::vector<std::int32_t> deviceOf(schedule.events, 0);
    for (const experiment::Op& op : schedule.ops)
        if (op.kind == experiment::OpKind::EventRecord)
            deviceOf[op.event] = op.device;
    for (const std::int32_t device : deviceOf) {
        devices.use(device);
        m_events.emplace_back(cudaEventDisableTiming);
    }
    devices.use(0);
}

Issuer::Issuer(const RunParts& parts, std::int32_t thread, std::stop_token stop)
    : m_parts(parts)
    , m_thread(static_cast<std::size_t>(thread))
    , m_stop(std::move(stop)) {
    for (std::size_t d = 0; parts.schedule.waitsByEvent && d < parts.devices.size(); ++d) {
        useDevice(static_cast<std::int32_t>(d));
        m_syncEvents.emplace_back(cudaEventDisableTiming);
    }
}

// The current device is cached: a call each time would appear in the trace.
void Issuer::useDevice(std::int32_t device) {
    if (device == m_device)
        return;
    m_parts.devices.use(device);
    m_device = device;
}

void Issuer::issue(const experiment::Op& op, OpId tag, KernelUse use) {
    if (op.kind == experiment::OpKind::HostWork)
        return hostWork(op.bytes);
    useDevice(op.device);
    cudaError_t status = cudaSuccess;
    {
        const Tagged tagged(m_parts.collector, tag);
        status = op.kind == experiment::OpKind::HostSync ? hostSync(op) : enqueue(op, use);
    }
    if (status != cudaSuccess)
        check(status, ("issue a " + std::string(experiment::opKindName(op.kind))).c_str());
}

cudaError_t Issuer::enqueue(const experiment::Op& op, KernelUse use) {
    const StreamAt at = m_parts.pipelines.streamOf(op);
    m_parts.gate.enterCall(m_thread, op.id);
    const cudaError_t status = op.pipeline == experiment::kNullStream ? between(op, at) : step(op, use, at);
    m_parts.gate.leaveCall(m_thread);
    return status;
}

cudaError_t Issuer::step(const experiment::Op& op, KernelUse use, StreamAt at) {
    const auto memory = [&](experiment::BufferRole role) {
        return m_parts.pipelines.find(op.pipeline, role);
    };
    const auto bytes = static_cast<std::size_t>(op.bytes);
    Calls& calls = m_parts.calls;
    switch (op.kind) {
    case experiment::OpKind::CopyH2D:
        return calls.toDevice(memory(experiment::BufferRole::Input), memory(experiment::BufferRole::Source),
                              bytes, at);
    case experiment::OpKind::Memset:
        return calls.clear(memory(experiment::BufferRole::Scratch), bytes, at);
    case experiment::OpKind::FillKernel:
        return fillKernel(op, at);
    case experiment::OpKind::FillCopy:
        return calls.onDevice(memory(experiment::BufferRole::Scratch),
                              m_parts.pipelines.find(op.device, experiment::BufferRole::Zeros), bytes, at);
    case experiment::OpKind::Kernel:
        return kernel(op, use, at);
    case experiment::OpKind::PeerCopy:
        return calls.toPeer(memory(experiment::BufferRole::Peer), m_parts.devices.next(op.device),
                            memory(experiment::BufferRole::Output), bytes, at);
    case experiment::OpKind::CopyD2H:
        return calls.toHost(memory(experiment::BufferRole::Target), memory(experiment::BufferRole::Output),
                            bytes, at);
    case experiment::OpKind::HostFn:
        return m_parts.functions.launch(op, at);
    case experiment::OpKind::EventRecord:
        return calls.record(m_parts.events[op.event], at);
    case experiment::OpKind::EventWait:
        return calls.wait(m_parts.events[op.event], at);
    default:
        return between(op, at);
    }
}

// The interfering calls are always those of the runtime, whatever `api` is: they are what is being tested.
cudaError_t Issuer::between(const experiment::Op& op, StreamAt at) {
    const DeviceSet& set = m_parts.pipelines.on(op.device);
    const auto bytes = static_cast<std::size_t>(op.bytes);
    switch (op.kind) {
    case experiment::OpKind::NullMemset:
        return m_parts.calls.clear(m_parts.pipelines.find(op.device, experiment::BufferRole::NullScratch),
                                   bytes, at);
    case experiment::OpKind::NullKernel:
        return m_parts.calls.launch(kernels::nullLaunch(), nullptr, at);
    case experiment::OpKind::NullEvent:
        return m_parts.calls.record(set.nullEvent(), at);
    case experiment::OpKind::InterfereCall:
        return m_parts.interference.call(op, at);
    case experiment::OpKind::InterfereMemset:
        return cudaMemset(set.interfereTarget(), 0, bytes);
    case experiment::OpKind::InterfereCopy:
        return cudaMemcpy(set.interfereTarget(), set.interfereSource(), bytes, cudaMemcpyDeviceToDevice);
    case experiment::OpKind::InterfereKernel:
        return m_parts.calls.launch(kernels::firstLaunch(m_parts.interference.firstLaunchOf(op)), nullptr,
                                    at);
    default:
        return cudaErrorInvalidValue;
    }
}

cudaError_t Issuer::kernel(const experiment::Op& op, KernelUse use, StreamAt at) {
    const experiment::PlannedGrid* recorded = experiment::gridOf(m_parts.schedule, op);
    const auto grid = recorded ? static_cast<std::size_t>(recorded - m_parts.schedule.grids.data()) : 0;
    const std::int64_t loops = recorded ? m_parts.gridLoops[grid] : m_parts.loops;
    kernels::WorkloadArgs args = m_parts.pipelines.args(op.pipeline, op.iteration, loops, use);
    void* parameters[] = {&args};
    if (recorded)
        return m_parts.calls.launch(m_parts.pipelines.on(op.device).grids()[grid].launch, parameters, at);
    return m_parts.calls.launch(m_parts.pipelines.on(op.device).kernel(), parameters, at);
}

cudaError_t Issuer::fillKernel(const experiment::Op& op, StreamAt at) {
    void* scratch = m_parts.pipelines.find(op.pipeline, experiment::BufferRole::Scratch);
    kernels::FillArgs args{static_cast<unsigned char*>(scratch), static_cast<std::uint64_t>(op.bytes)};
    void* parameters[] = {&args};
    return m_parts.calls.launch(m_parts.pipelines.on(op.device).fill(), parameters, at);
}

/// Work, not sleep, for as long as in the recording between two calls.
void Issuer::hostWork(Ns length) const {
    for (const Ns until = steadyNow() + length; steadyNow() < until && !m_stop.stop_requested();)
        ;
}

cudaError_t Issuer::hostSync(const experiment::Op& op) {
    if (op.stream == experiment::kAllStreams)
        return cudaDeviceSynchronize();
    const StreamAt at = m_parts.pipelines.streamOf(op);
    if (!experiment::waitsByEvent(op.sync))
        return cudaStreamSynchronize(at.stream);
    const cudaEvent_t event = m_syncEvents[static_cast<std::size_t>(op.device)].get();
    const cudaError_t status = m_parts.calls.record(event, at);
    if (status != cudaSuccess)
        return status;
    return op.sync == experiment::SyncMode::Event ? cudaEventSynchronize(event) : poll(event);
}

// Polls without a pause, as polling loops do. If cancelled, it leaves the rest to the caller.
cudaError_t Issuer::poll(cudaEvent_t event) const {
    cudaError_t status = cudaErrorNotReady;
    while (status == cudaErrorNotReady && !m_stop.stop_requested())
        status = cudaEventQuery(event);
    return status == cudaErrorNotReady ? cudaSuccess : status;
}

} // namespace olab::cuda
