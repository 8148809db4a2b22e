#include "gate.h"

#include "clock.h"

#include <olab/kernels/helper_kernels.h>

#include <chrono>

namespace olab::cuda {
namespace {

constexpr unsigned kWaitGreaterOrEqual = 0; // CU_STREAM_WAIT_VALUE_GEQ

} // namespace

Ns Gate::steadyCall() {
    return steadyNow();
}

Gate::Gate(std::size_t threads)
    : m_flag(Memory::pinned(sizeof(std::uint32_t), cudaHostAllocMapped | cudaHostAllocPortable))
    , m_calls(threads) {
    *m_flag.as<std::uint32_t>() = 1;
    void* mapped = nullptr;
    check(cudaHostGetDevicePointer(&mapped, m_flag.as<void>(), 0), "map the gate");
    m_deviceFlag = static_cast<std::uint32_t*>(mapped);
    void* entry = nullptr;
    cudaDriverEntryPointQueryResult found{};
    if (cudaGetDriverEntryPointByVersion("cuStreamWaitValue32", &entry, 12000, cudaEnableDefault, &found) ==
            cudaSuccess &&
        found == cudaDriverEntryPointSuccess)
        m_wait = reinterpret_cast<WaitValue>(entry);
}

Gate::~Gate() {
    release(nullptr);
    m_watchdog = {};
}

void Gate::close() {
    m_watchdog = {};
    for (Call& call : m_calls)
        call.since = 0;
    m_early = false;
    m_openedAt = 0;
    std::atomic_ref<std::uint32_t>(*m_flag.as<std::uint32_t>()).store(0);
    m_open = false;
    m_watchdog = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

void Gate::hold(cudaStream_t stream) {
    if (const WaitValue wait = m_wait) {
        const auto address = static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(m_deviceFlag));
        if (wait(stream, address, 1, kWaitGreaterOrEqual) == 0)
            return;
        m_wait = nullptr; // not supported on this device after all
    }
    check(kernels::launchGate(m_deviceFlag, stream), "launch the gate");
}

void Gate::release(const Call* blocked) {
    bool closed = false;
    if (!m_open.compare_exchange_strong(closed, true))
        return;
    if (blocked) {
        m_earlyOp = blocked->op.load();
        m_early = true;
    }
    m_openedAt = traceNow();
    std::atomic_ref<std::uint32_t>(*m_flag.as<std::uint32_t>()).store(1);
}

Ns Gate::open() {
    release(nullptr);
    m_watchdog = {};
    return m_openedAt;
}

std::optional<OpId> Gate::openedEarlyAt() const {
    if (!m_early)
        return std::nullopt;
    return OpId{m_earlyOp.load()};
}

const Gate::Call* Gate::blockedCall() const {
    for (const Call& call : m_calls) {
        const Ns since = call.since.load(std::memory_order_acquire);
        if (since != 0 && steadyNow() - since > kIssueLimit)
            return &call;
    }
    return nullptr;
}

// Sleeps between checks: it must not take a core from the issuing threads.
void Gate::watch(const std::stop_token& stop) {
    while (!stop.stop_requested() && !m_open) {
        if (const Call* blocked = blockedCall()) {
            release(blocked);
            return;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
}

} // namespace olab::cuda
