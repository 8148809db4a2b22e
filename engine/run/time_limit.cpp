#include "time_limit.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace olab::run {
namespace {

constexpr std::int64_t kLongestLimit = 7 * 24 * 3600;
constexpr Ns kBase = 60'000'000'000; ///< loading a driver, making a context, pinning much memory
constexpr Ns kMargin = 4;
constexpr Ns kPerOp = 20'000;
constexpr Ns kPerInterference = 2'000'000; ///< cudaMalloc, cudaHostRegister, the first launch of a kernel
constexpr std::int64_t kBytesPerNs = 4;    ///< a pageable copy on a slow bus
constexpr Ns kSoloRuns = 9, kCalibrationRuns = 80;

/// The most that one kernel reads and writes in host memory.
std::int64_t bytesInPlace(const experiment::Schedule& schedule) {
    std::int64_t input = 0, output = 0;
    for (const experiment::Buffer& buffer : schedule.buffers.rows())
        if (buffer.place == experiment::BufferPlace::Host && experiment::usedInPlace(buffer.memory)) {
            std::int64_t& most = buffer.role == experiment::BufferRole::Source ? input : output;
            most = std::max(most, buffer.bytes);
        }
    return input + output;
}

/// How long one op of each kind takes at most.
struct Estimate {
    Ns kernel = 0, hostWork = 0;
    Ns of(experiment::OpKind kind, std::int64_t bytes) const;
};

Ns Estimate::of(experiment::OpKind kind, std::int64_t bytes) const {
    switch (kind) {
    case experiment::OpKind::Kernel:
        return kPerOp + kernel;
    case experiment::OpKind::HostFn:
        return kPerOp + hostWork + bytes;
    case experiment::OpKind::HostWork:
        return kPerOp + bytes;
    case experiment::OpKind::InterfereCall:
    case experiment::OpKind::InterfereMemset:
    case experiment::OpKind::InterfereCopy:
    case experiment::OpKind::InterfereKernel:
        return kPerInterference;
    default:
        return kPerOp + bytes / kBytesPerNs;
    }
}

} // namespace

std::optional<std::chrono::seconds> wantedTimeLimit() {
    const char* text = std::getenv("OLAB_TIME_LIMIT");
    if (!text || !*text)
        return std::nullopt;
    const std::string_view digits = text;
    std::int64_t seconds = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
    if (failed != std::errc() || end != digits.data() + digits.size() || seconds < 1 ||
        seconds > kLongestLimit)
        throw Error(ErrorKind::Usage, "bad-time-limit",
                    "OLAB_TIME_LIMIT cannot be '" + std::string(digits) + "'.",
                    "Allowed: seconds from 1 to " + std::to_string(kLongestLimit) + "; or unset it.");
    return std::chrono::seconds(seconds);
}

std::chrono::seconds timeLimitOf(const experiment::Schedule& schedule) {
    const Estimate estimate{schedule.kernel.duration + bytesInPlace(schedule) / kBytesPerNs,
                            schedule.hostWork};
    Ns work = kCalibrationRuns * schedule.kernel.duration, warmup = 0;
    work +=
        (schedule.hostBytes + schedule.deviceBytes) / kBytesPerNs; // pinned, filled, and checked afterwards
    for (const experiment::Op& op : schedule.ops)
        work += estimate.of(op.kind, op.bytes);
    for (const experiment::Op& op : schedule.warmup)
        warmup += estimate.of(op.kind, op.bytes);
    for (const experiment::SoloOp& solo : schedule.solos)
        work += kSoloRuns * estimate.of(solo.kind, solo.bytes);
    const Ns limit = kBase + kMargin * (work + schedule.warmups * warmup);
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::nanoseconds(limit));
}

Watchdog::Watchdog(std::chrono::seconds limit, OnHang onHang)
    : m_limit(limit)
    , m_onHang(std::move(onHang)) {
    if (limit.count() > 0)
        m_thread = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

void Watchdog::step(std::string_view what) {
    const std::lock_guard lock(m_mutex);
    m_step = what;
    m_since = Clock::now();
}

void Watchdog::watch(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    while (!stop.stop_requested()) {
        if (const auto end = m_since + m_limit; Clock::now() < end)
            m_changed.wait_until(lock, stop, end, [] { return false; });
        else
            return m_onHang(m_step);
    }
}

} // namespace olab::run
