#include "pipelines.h"

#include "host_memory.h"

#include <algorithm>
#include <cstring>

namespace olab {
namespace {

std::size_t bytesOf(std::int64_t bytes) {
    return static_cast<std::size_t>(bytes);
}

std::uint64_t elements(const Memory& memory) {
    return memory ? memory.bytes() / sizeof(std::uint32_t) : 0;
}

std::size_t inputBytes(const Experiment& e, std::int32_t pipeline) {
    return bytesOf(h2dBytesOf(e, pipeline % e.streams));
}

/// What serves every stream.
std::size_t largestInput(const Experiment& e) {
    return std::max(inputBytes(e, 0), inputBytes(e, e.streams - 1));
}

/// Slices follow one another; each begins at a multiple of the alignment.
std::size_t constantOffset(const Experiment& e, std::int32_t pipeline) {
    constexpr std::size_t kUnit = kernels::kConstantAlignment;
    const std::size_t slice = (largestInput(e) + kUnit - 1) / kUnit * kUnit;
    return slice * static_cast<std::size_t>(pipeline % e.streams);
}

/// Lets kernels and copies of one device reach the memory of another, where the machine can.
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

Pipelines::Pipelines(const Schedule& schedule, const Devices& devices)
    : m_experiment(schedule.experiment)
    , m_devices(devices)
    , m_pipelines(schedule.streams.size()) {
    refuseWhatDoesNotFit(schedule, devices);
    if (m_experiment.p2p)
        enablePeers(devices);
    for (std::size_t d = 0; d < devices.size(); ++d) {
        devices.use(static_cast<std::int32_t>(d));
        m_sets.emplace_back(schedule);
    }
    for (std::size_t i = 0; i < m_pipelines.size(); ++i) {
        Pipeline& p = m_pipelines[i];
        p.device = schedule.streams[i].device;
        p.seed = static_cast<std::uint32_t>(m_experiment.seed) + static_cast<std::uint32_t>(i);
        devices.use(p.device);
        makeStream(p, schedule.streams[i]);
        const auto number = static_cast<std::int32_t>(i);
        allocateHost(p, inputBytes(m_experiment, number));
        if (&buffersOf(number) == &p)
            allocateDevice(p, m_experiment.buffers == BufferUse::Shared ? largestInput(m_experiment)
                                                                        : inputBytes(m_experiment, number));
        if (m_experiment.p2p)
            allocatePeer(p);
    }
    startAnew();
}

void Pipelines::makeStream(Pipeline& p, const PlannedStream& planned) {
    const bool blocking = planned.flavor == StreamFlavor::Blocking;
    const unsigned flags = blocking ? cudaStreamDefault : cudaStreamNonBlocking;
    if (planned.flavor == StreamFlavor::Legacy)
        p.stream = StreamHandle::legacy();
    else if (planned.flavor == StreamFlavor::PerThread)
        p.stream = StreamHandle::perThread();
    else if (planned.priorityRank == kNoNumber)
        p.stream = StreamHandle(flags);
    else
        p.stream = StreamHandle(flags, on(p.device).priority(planned.priorityRank));
}

void Pipelines::allocateHost(Pipeline& p, std::size_t input) {
    const Experiment& e = m_experiment;
    if (e.h2d) {
        p.source = hostMemory(e.h2dMemory, input, e.h2dPortable);
        p.sourceView = deviceView(e.h2dMemory, p.source);
        fillPattern(p.source, p.seed);
    }
    if (e.d2h) {
        p.target = hostMemory(e.d2hMemory, bytesOf(e.d2hBytes), false);
        p.targetView = deviceView(e.d2hMemory, p.target);
    }
}

void Pipelines::allocateDevice(Pipeline& p, std::size_t input) {
    const Experiment& e = m_experiment;
    if (e.h2d && !usedInPlace(e.h2dMemory) && e.h2dTarget == CopyTarget::Global)
        p.input = Memory::device(input);
    if (e.memset)
        p.scratch = Memory::device(bytesOf(e.memsetBytes));
    if (e.d2h && !usedInPlace(e.d2hMemory))
        p.output = Memory::device(bytesOf(e.d2hBytes));
}

void Pipelines::allocatePeer(Pipeline& p) {
    m_devices.use(m_devices.next(p.device));
    p.peer = Memory::device(bytesOf(m_experiment.d2hBytes));
    m_devices.use(p.device);
}

StreamAt Pipelines::streamOf(const Op& op) const {
    if (op.stream == kNullStream)
        return {cudaStreamLegacy, op.device};
    return {m_pipelines[static_cast<std::size_t>(op.stream)].stream.get(), op.device};
}

const Pipeline& Pipelines::buffersOf(std::int32_t pipeline) const {
    const bool shared = m_experiment.buffers == BufferUse::Shared;
    const std::int32_t owner = shared ? pipeline - pipeline % m_experiment.streams : pipeline;
    return m_pipelines[static_cast<std::size_t>(owner)];
}

void* Pipelines::inputOf(std::int32_t pipeline) const {
    if (m_experiment.h2dTarget == CopyTarget::Global)
        return buffersOf(pipeline).input.as<void>();
    const std::int32_t device = m_pipelines[static_cast<std::size_t>(pipeline)].device;
    return on(device).constants() + constantOffset(m_experiment, pipeline);
}

kernels::WorkloadArgs Pipelines::args(std::int32_t pipeline, std::int32_t pass, std::int64_t loops,
                                      KernelUse use) const {
    const Pipeline &own = m_pipelines[static_cast<std::size_t>(pipeline)], &p = buffersOf(pipeline);
    const DeviceSet& set = on(own.device);
    kernels::WorkloadArgs a;
    a.input = p.input.as<std::uint32_t>();
    a.inputCount = p.input ? elements(own.source) : 0; // a shared one may be larger
    a.scratch = p.scratch.as<std::uint32_t>();
    a.scratchCount = elements(p.scratch);
    a.output = p.output.as<std::uint32_t>();
    a.outputCount = elements(p.output);
    if (set.constants()) {
        a.constantFirst =
            static_cast<std::uint32_t>(constantOffset(m_experiment, pipeline) / sizeof(std::uint32_t));
        a.constantCount = static_cast<std::uint32_t>(elements(own.source));
    }
    if (use != KernelUse::Calibration) {
        a.inPlaceInput = own.sourceView;
        a.inPlaceInputCount = own.sourceView ? elements(own.source) : 0;
        a.inPlaceOutput = own.targetView;
        a.inPlaceOutputCount = own.targetView ? elements(own.target) : 0;
    }
    a.seed = own.seed;
    a.pass = static_cast<std::uint32_t>(pass);
    a.errors = use == KernelUse::Window ? set.errors() : nullptr;
    a.data = set.streamed().as<float4>();
    a.dataCount = set.streamed() ? set.streamed().bytes() / sizeof(float4) : 1;
    a.loops = loops;
    return a;
}

void Pipelines::startAnew() {
    for (std::size_t d = 0; d < m_sets.size(); ++d) {
        m_devices.use(static_cast<std::int32_t>(d));
        check(cudaMemset(m_sets[d].errors(), 0, sizeof(std::uint32_t)), "clear the error count");
    }
    for (Pipeline& p : m_pipelines) {
        const bool managed = m_experiment.d2hMemory == HostMemory::Managed; // it should stay on the device
        if (p.target && !managed)
            std::memset(p.target.as<void>(), 0, p.target.bytes());
        m_devices.use(p.device);
        for (const Memory* memory : {&p.output, managed ? &p.target : &p.output})
            if (*memory)
                check(cudaMemset(memory->as<void>(), 0, memory->bytes()), "clear a buffer");
        if (p.peer) {
            m_devices.use(m_devices.next(p.device));
            check(cudaMemset(p.peer.as<void>(), 0, p.peer.bytes()), "clear a peer's buffer");
        }
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

std::uint64_t Pipelines::wrongOnHost(const Pipeline& p) const {
    const kernels::Launch& kernel = on(p.device).kernel();
    const auto last = static_cast<std::uint32_t>(m_experiment.iterations - 1);
    const Sampling where = usedInPlace(m_experiment.d2hMemory)
                               ? wholeOf(p.target)
                               : sampledBy(std::uint64_t{kernel.blocks} * kernel.threads, p.target);
    return wrongResults(p.target.as<std::uint32_t>(), where, p.seed, last);
}

std::uint64_t Pipelines::wrongOnPeer(const Pipeline& p) const {
    const kernels::Launch& kernel = on(p.device).kernel();
    const auto last = static_cast<std::uint32_t>(m_experiment.iterations - 1);
    const Memory copy = Memory::pageable(p.peer.bytes());
    check(cudaMemcpy(copy.as<void>(), p.peer.as<void>(), p.peer.bytes(), cudaMemcpyDeviceToHost),
          "read a peer's buffer");
    const Sampling where = sampledBy(std::uint64_t{kernel.blocks} * kernel.threads, copy);
    return wrongResults(copy.as<std::uint32_t>(), where, p.seed, last);
}

std::uint64_t Pipelines::wrongElements() const {
    std::uint64_t wrong = metOnDevices();
    if (!m_experiment.kernel)
        return wrong;
    for (const Pipeline& p : m_pipelines) {
        wrong += p.target ? wrongOnHost(p) : 0;
        wrong += p.peer ? wrongOnPeer(p) : 0;
    }
    return wrong;
}

} // namespace olab
