#include "pipelines.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>

namespace olab {
using kernels::patternAt;
namespace {

constexpr std::size_t kStreamedBytes = 256u << 20; // the memory kernel's buffer: several times any L2 cache

std::size_t nullScratchBytes(const Schedule& schedule) {
    for (const SoloOp& solo : schedule.solos)
        if (solo.kind == OpKind::NullMemset)
            return static_cast<std::size_t>(solo.bytes);
    return sizeof(std::uint32_t);
}

std::string mib(std::uint64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

std::uint64_t availableHostBytes() {
    std::ifstream file("/proc/meminfo");
    std::string key;
    std::uint64_t kib = 0;
    std::string unit;
    while (file >> key >> kib >> unit)
        if (key == "MemAvailable:")
            return kib << 10;
    return std::numeric_limits<std::uint64_t>::max();
}

void refuseIfTooBig(std::uint64_t wanted, std::uint64_t free, const char* where) {
    if (wanted / 4 * 5 > free)
        throw Error(ErrorKind::Usage, "too-big",
                    "The buffers need " + mib(wanted) + " of " + where + " memory; 80 % of the " + mib(free) +
                        " free is the limit.",
                    "Smaller h2d.bytes, d2h.bytes or memset.bytes, or fewer streams.");
}

Memory hostMemory(HostMemory kind, std::size_t bytes) {
    return kind == HostMemory::Pinned ? Memory::pinned(bytes) : Memory::pageable(bytes);
}

void fillPattern(const Memory& memory, std::uint32_t seed) {
    auto* words = memory.as<std::uint32_t>();
    std::memset(words, 0, memory.bytes());
    for (std::size_t i = 0; i < memory.bytes() / sizeof *words; ++i)
        words[i] = patternAt(i, seed);
}

} // namespace

Pipelines::Pipelines(const Schedule& schedule)
    : m_pipelines(schedule.streams.size())
    , m_errors(Memory::device(sizeof(std::uint32_t)))
    , m_nullScratch(Memory::device(nullScratchBytes(schedule))) {
    const Experiment& e = schedule.experiment;
    m_workload = e.kernelKind == KernelKind::Compute ? kernels::Workload::Fma : kernels::Workload::Stream;
    m_kernel = e.kernel;
    m_checkInput = e.h2d;
    m_checkScratch = e.memset;
    m_d2h = e.d2h;
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "ask for free memory");
    const bool streamed = e.kernel && m_workload == kernels::Workload::Stream;
    refuseIfTooBig(static_cast<std::uint64_t>(schedule.deviceBytes) + (streamed ? kStreamedBytes : 0), free,
                   "device");
    refuseIfTooBig(static_cast<std::uint64_t>(schedule.hostBytes), availableHostBytes(), "host");
    resolveBlocks(e);
    if (streamed) {
        m_data = Memory::device(kStreamedBytes);
        check(cudaMemset(m_data.as<void>(), 0, kStreamedBytes), "clear the streamed buffer");
    }
    for (std::size_t i = 0; i < m_pipelines.size(); ++i) {
        m_pipelines[i].seed = static_cast<std::uint32_t>(e.seed) + static_cast<std::uint32_t>(i);
        const StreamFlavor flavor = schedule.streams[i].flavor;
        m_pipelines[i].stream =
            flavor == StreamFlavor::Legacy
                ? StreamHandle::legacy()
                : StreamHandle(flavor == StreamFlavor::Blocking ? cudaStreamDefault : cudaStreamNonBlocking);
        allocate(m_pipelines[i], schedule);
    }
    resetErrors();
}

void Pipelines::resolveBlocks(const Experiment& e) {
    m_threads = static_cast<std::uint32_t>(e.kernelThreads);
    check(kernels::residentBlocks(m_workload, m_threads, m_resident), "ask for the kernel's occupancy");
    if (m_resident == 0)
        throw Error(ErrorKind::Usage, "too-big",
                    "A block of " + std::to_string(m_threads) + " threads does not fit this device.",
                    "Smaller kernel.threads.");
    m_blocks = e.kernelBlocks.fill > 0 ? static_cast<std::uint32_t>(e.kernelBlocks.fill * m_resident)
                                       : e.kernelBlocks.blocks;
}

void Pipelines::allocate(Pipeline& p, const Schedule& schedule) {
    const Experiment& e = schedule.experiment;
    if (e.h2d) {
        p.source = hostMemory(e.h2dMemory, static_cast<std::size_t>(e.h2dBytes));
        p.input = Memory::device(static_cast<std::size_t>(e.h2dBytes));
        fillPattern(p.source, p.seed);
    }
    if (e.memset)
        p.scratch = Memory::device(static_cast<std::size_t>(e.memsetBytes));
    if (e.d2h) {
        p.output = Memory::device(static_cast<std::size_t>(e.d2hBytes));
        p.target = hostMemory(e.d2hMemory, static_cast<std::size_t>(e.d2hBytes));
        std::memset(p.target.as<void>(), 0, p.target.bytes());
        check(cudaMemset(p.output.as<void>(), 0, p.output.bytes()), "clear the output buffer");
    }
}

kernels::WorkloadArgs Pipelines::args(std::size_t pipeline, std::int64_t loops, bool count) const {
    const Pipeline& p = m_pipelines[pipeline];
    kernels::WorkloadArgs a;
    const auto elements = [](const Memory& m) { return m ? m.bytes() / sizeof(std::uint32_t) : 0; };
    a.input = p.input.as<std::uint32_t>();
    a.inputCount = elements(p.input);
    a.scratch = p.scratch.as<std::uint32_t>();
    a.scratchCount = elements(p.scratch);
    a.output = p.output.as<std::uint32_t>();
    a.outputCount = elements(p.output);
    a.seed = p.seed;
    a.errors = count ? m_errors.as<std::uint32_t>() : nullptr;
    a.data = m_data.as<float4>();
    a.dataCount = m_data ? m_data.bytes() / sizeof(float4) : 1;
    a.loops = loops;
    return a;
}

void Pipelines::resetErrors() {
    check(cudaMemset(m_errors.as<void>(), 0, m_errors.bytes()), "clear the error count");
    check(cudaDeviceSynchronize(), "wait for the device");
}

std::uint64_t Pipelines::wrongElements() const {
    std::uint32_t met = 0;
    check(cudaMemcpy(&met, m_errors.as<void>(), sizeof met, cudaMemcpyDeviceToHost), "read the error count");
    std::uint64_t wrong = met;
    if (!m_kernel || !m_d2h)
        return wrong;
    const std::uint64_t threads = std::uint64_t{m_blocks} * m_threads;
    for (const Pipeline& p : m_pipelines) {
        const auto* words = p.target.as<std::uint32_t>();
        const std::uint64_t count = p.target.bytes() / sizeof *words, step = kernels::stepOf(count, threads);
        for (std::uint64_t t = 0; t < std::min(count, threads); ++t)
            wrong += words[t * step] != kernels::resultOf(patternAt(t * step, p.seed));
    }
    return wrong;
}

} // namespace olab
