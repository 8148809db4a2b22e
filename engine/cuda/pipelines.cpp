#include "pipelines.h"

#include <algorithm>
#include <cstring>

namespace olab::cuda {

using kernels::patternAt;
namespace {

constexpr std::uint64_t kMostLookedAt = 1u << 22; // elements; more would take longer than the run

} // namespace

std::uint64_t elements(const Memory& memory) {
    return memory ? memory.bytes() / sizeof(std::uint32_t) : 0;
}

void fillPattern(const Memory& memory, std::uint32_t seed) {
    auto* words = memory.as<std::uint32_t>();
    const std::uint64_t count = elements(memory);
    for (std::uint64_t i = 0; i < count; ++i)
        words[i] = patternAt(i, seed);
    std::memset(words + count, 0, memory.bytes() - count * sizeof *words);
}

Sampling sampledBy(std::uint64_t threads, const Memory& memory) {
    const std::uint64_t count = elements(memory);
    return {kernels::stepOf(count, threads), std::min(count, threads)};
}

Sampling wholeOf(const Memory& memory) {
    const std::uint64_t count = elements(memory);
    return {kernels::stepOf(count, kMostLookedAt), std::min(count, kMostLookedAt)};
}

std::uint64_t wrongResults(const std::uint32_t* words, Sampling where, std::uint32_t seed,
                           std::uint32_t pass) {
    std::uint64_t wrong = 0;
    for (std::uint64_t k = 0; k < where.count; ++k) {
        const std::uint64_t i = k * where.step;
        wrong += words[i] != kernels::resultOf(patternAt(i, seed), pass);
    }
    return wrong;
}

namespace {

bool copiesToPeers(const experiment::Schedule& schedule) {
    return std::ranges::any_of(schedule.buffers.rows(), [](const experiment::Buffer& buffer) {
        return buffer.role == experiment::BufferRole::Peer;
    });
}

/// Lets kernels and copies of one device access the memory of another, if the machine supports it.
void enablePeers(const Devices& devices) {
    for (std::size_t d = 0; d < devices.size(); ++d) {
        const auto device = static_cast<std::int32_t>(d);
        const int self = devices.ordinal(device), other = devices.ordinal(devices.next(device));
        devices.use(device);
        int can = 0;
        check(cudaDeviceCanAccessPeer(&can, self, other), "ask for peer access");
        const cudaError_t status = can ? cudaDeviceEnablePeerAccess(other, 0) : cudaSuccess;
        if (status == cudaErrorPeerAccessAlreadyEnabled)
            cudaGetLastError(); // by an earlier run
        else
            check(status, "enable peer access");
    }
}

} // namespace

static_assert(experiment::kConstantUnit == kernels::kConstantAlignment);

Pipelines::Pipelines(const experiment::Schedule& schedule, Calls& calls, const Devices& devices)
    : m_schedule(schedule)
    , m_devices(devices)
    , m_pipelines(schedule.streams.size()) {
    refuseWhatDoesNotFit(schedule, devices);
    if (copiesToPeers(schedule))
        enablePeers(devices);
    for (std::size_t d = 0; d < devices.size(); ++d) {
        devices.use(static_cast<std::int32_t>(d));
        m_sets.emplace_back(schedule, static_cast<std::int32_t>(d), calls);
    }
    for (std::size_t i = 0; i < m_pipelines.size(); ++i) {
        Pipeline& p = m_pipelines[i];
        p.device = schedule.streams[i].device;
        p.seed = static_cast<std::uint32_t>(schedule.seed) + static_cast<std::uint32_t>(i);
        devices.use(p.device);
        makeStream(p, schedule.streams[i]);
    }
    for (const experiment::Buffer& buffer : schedule.buffers.rows())
        m_held.push_back(make(buffer, calls));
    startAnew();
}

void Pipelines::makeStream(Pipeline& p, const experiment::PlannedStream& planned) {
    const bool blocking = planned.kind == experiment::PlannedStreamKind::Blocking;
    const unsigned flags = blocking ? cudaStreamDefault : cudaStreamNonBlocking;
    if (planned.kind == experiment::PlannedStreamKind::Legacy)
        p.stream = StreamHandle::legacy();
    else if (planned.kind == experiment::PlannedStreamKind::PerThread)
        p.stream = StreamHandle::perThread();
    else if (planned.priorityRank == kNoNumber)
        p.stream = StreamHandle(flags);
    else
        p.stream = StreamHandle(flags, on(p.device).priority(planned.priorityRank));
}

Pipelines::Held Pipelines::make(const experiment::Buffer& buffer, Calls& calls) const {
    m_devices.use(buffer.device);
    Held held{memoryFor(buffer, calls), nullptr};
    held.view = deviceView(buffer, held.memory, calls);
    if (buffer.role == experiment::BufferRole::Source)
        fillPattern(held.memory, m_pipelines[static_cast<std::size_t>(buffer.pipeline)].seed);
    if (buffer.role == experiment::BufferRole::Zeros)
        clear(buffer, held.memory);
    return held;
}

void Pipelines::clear(const experiment::Buffer& buffer, const Memory& memory) const {
    m_devices.use(buffer.device);
    check(cudaMemset(memory.as<void>(), 0, memory.bytes()), "clear a buffer");
}

StreamAt Pipelines::streamOf(const experiment::Op& op) const {
    if (op.stream == experiment::kNullStream)
        return {cudaStreamLegacy, op.device};
    return {m_pipelines[static_cast<std::size_t>(op.stream)].stream.get(), op.device};
}

const Pipelines::Held& Pipelines::held(std::int32_t pipeline, experiment::BufferRole role) const {
    const std::uint32_t row = m_schedule.buffers.find(pipeline, role);
    return row == kNoNumber ? m_none : m_held[row];
}

void* Pipelines::find(std::int32_t owner, experiment::BufferRole role) const {
    const std::uint32_t row = m_schedule.buffers.find(owner, role);
    if (row == kNoNumber)
        return nullptr;
    const experiment::Buffer& buffer = m_schedule.buffers.rows()[row];
    return buffer.place == experiment::BufferPlace::Constant ? on(buffer.device).constants() + buffer.offset
                                                             : m_held[row].memory.as<void>();
}

kernels::WorkloadArgs Pipelines::args(std::int32_t pipeline, std::int32_t pass, std::int64_t loops,
                                      KernelUse use) const {
    const Pipeline& own = m_pipelines[static_cast<std::size_t>(pipeline)];
    const DeviceSet& set = on(own.device);
    const Held &source = held(pipeline, experiment::BufferRole::Source),
               &target = held(pipeline, experiment::BufferRole::Target);
    const Memory& input = held(pipeline, experiment::BufferRole::Input).memory;
    const Memory& scratch = held(pipeline, experiment::BufferRole::Scratch).memory;
    const Memory& output = held(pipeline, experiment::BufferRole::Output).memory;
    kernels::WorkloadArgs a;
    a.data = set.streamed().as<float4>();
    a.dataCount = set.streamed() ? set.streamed().bytes() / sizeof(float4) : 1;
    a.loops = loops;
    if (!m_schedule.checksData)
        return a;
    a.input = input.as<std::uint32_t>();
    a.inputCount = input ? elements(source.memory) : 0; // a shared one may be larger
    a.scratch = scratch.as<std::uint32_t>();
    a.scratchCount = elements(scratch);
    a.output = output.as<std::uint32_t>();
    a.outputCount = elements(output);
    if (set.constants()) {
        const experiment::Buffer& slice =
            m_schedule.buffers.rows()[m_schedule.buffers.find(pipeline, experiment::BufferRole::Input)];
        a.constantFirst = static_cast<std::uint32_t>(slice.offset / experiment::kConstantUnit);
        a.constantCount = static_cast<std::uint32_t>(elements(source.memory));
    }
    if (use != KernelUse::Calibration) {
        a.inPlaceInput = source.view;
        a.inPlaceInputCount = source.view ? elements(source.memory) : 0;
        a.inPlaceOutput = target.view;
        a.inPlaceOutputCount = target.view ? elements(target.memory) : 0;
    }
    a.seed = own.seed;
    a.pass = static_cast<std::uint32_t>(pass);
    a.errors = use == KernelUse::Window ? set.errors() : nullptr;
    return a;
}

void Pipelines::startAnew() {
    for (std::size_t d = 0; d < m_sets.size(); ++d) {
        m_devices.use(static_cast<std::int32_t>(d));
        check(cudaMemset(m_sets[d].errors(), 0, sizeof(std::uint32_t)), "clear the error count");
    }
    for (std::size_t row = 0; row < m_held.size(); ++row) {
        const experiment::Buffer& buffer = m_schedule.buffers.rows()[row];
        const Memory& memory = m_held[row].memory;
        const bool managed = buffer.memory == experiment::HostMemory::Managed; // it should stay on the device
        const bool target = buffer.role == experiment::BufferRole::Target;
        if (target && !managed)
            std::memset(memory.as<void>(), 0, memory.bytes());
        if (target ? managed
                   : buffer.role == experiment::BufferRole::Output ||
                         buffer.role == experiment::BufferRole::Peer)
            clear(buffer, memory);
    }
    m_devices.synchronize("wait for the device");
}

std::uint64_t Pipelines::metOnDevices() const {
    std::uint64_t met = 0;
    for (const DeviceSet& set : m_sets) {
        std::uint32_t count = 0;
        check(cudaMemcpy(&count, set.errors(), sizeof count, cudaMemcpyDeviceToHost), "read the error count");
        met += count;
    }
    return met;
}

std::uint64_t Pipelines::wrongOnHost(const experiment::Buffer& buffer, const Memory& memory) const {
    const Pipeline& p = m_pipelines[static_cast<std::size_t>(buffer.pipeline)];
    const kernels::Launch& kernel = on(p.device).kernel();
    const Sampling where = experiment::usedInPlace(buffer.memory)
                               ? wholeOf(memory)
                               : sampledBy(std::uint64_t{kernel.blocks} * kernel.threads, memory);
    return wrongResults(memory.as<std::uint32_t>(), where, p.seed, lastPass());
}

std::uint64_t Pipelines::wrongOnPeer(const experiment::Buffer& buffer, const Memory& memory) const {
    const Pipeline& p = m_pipelines[static_cast<std::size_t>(buffer.pipeline)];
    const kernels::Launch& kernel = on(p.device).kernel();
    const Memory copy = Memory::pageable(memory.bytes());
    check(cudaMemcpy(copy.as<void>(), memory.as<void>(), memory.bytes(), cudaMemcpyDeviceToHost),
          "read a peer's buffer");
    const Sampling where = sampledBy(std::uint64_t{kernel.blocks} * kernel.threads, copy);
    return wrongResults(copy.as<std::uint32_t>(), where, p.seed, lastPass());
}

std::uint64_t Pipelines::wrongElements() const {
    if (!m_schedule.checksData)
        return 0;
    std::uint64_t wrong = metOnDevices();
    if (!m_schedule.kernel.launched)
        return wrong;
    for (std::size_t row = 0; row < m_held.size(); ++row) {
        const experiment::Buffer& buffer = m_schedule.buffers.rows()[row];
        if (buffer.role == experiment::BufferRole::Target)
            wrong += wrongOnHost(buffer, m_held[row].memory);
        else if (buffer.role == experiment::BufferRole::Peer)
            wrong += wrongOnPeer(buffer, m_held[row].memory);
    }
    return wrong;
}

} // namespace olab::cuda
