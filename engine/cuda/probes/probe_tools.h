// Helpers of all probes: named numbers, mapped memory visible to host and device, kernels that occupy a
// stream for a known time and record when they ran.
#pragma once

#include "../clock.h"
#include "../handles.h"

#include <olab/kernels/helper_kernels.h>
#include <olab/trace/records.h>
#include <olab/trace/run_control.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <vector>

namespace olab::cuda::probes {

inline constexpr Ns kUs = 1'000, kMs = 1'000'000;
inline constexpr int kRounds = 7; ///< of each measurement; the first is a warm-up and does not count

/// Collects the measurements of a probe.
class Numbers {
public:
    Numbers(RecordSink& out, const RunControl& control)
        : m_out(out)
        , m_control(control) {}
    void add(const std::string& name, double value);
    /// The median, and the extremes, which rules find under name.min and name.max.
    void addMedian(const std::string& name, std::vector<double> values);
    /// For two medians that were added: `top` / `bottom`, or `top` - `bottom`.
    void addRatio(const std::string& name, const std::string& top, const std::string& bottom);
    void addDifference(const std::string& name, const std::string& top, const std::string& bottom);
    /// Between measurements: checks for cancellation and reports progress.
    void step(double share, const std::string& what) const;
    const RunControl& control() const { return m_control; }

private:
    void tell(const std::string& name, double value, const std::string& text);
    RecordSink& m_out;
    const RunControl& m_control;
    std::map<std::string, double> m_added;
};

/// How long the host was in `call`, ns.
template <typename Call>
double timed(Call&& call) {
    const Ns begin = steadyNow();
    call();
    return static_cast<double>(steadyNow() - begin);
}

/// The values of kRounds rounds, without the first.
template <typename Round>
std::vector<double> rounds(const Numbers& numbers, Round&& round) {
    std::vector<double> values;
    for (int i = 0; i < kRounds; ++i) {
        numbers.control().throwIfCancelled();
        const double value = round();
        if (i > 0)
            values.push_back(value);
    }
    return values;
}

/// Page-locked memory with one address for host and device.
template <typename T>
class Mapped {
public:
    explicit Mapped(std::size_t count = 1)
        : m_memory(Memory::pinned(count * sizeof(T), cudaHostAllocMapped | cudaHostAllocPortable)) {
        std::fill_n(get(), count, T{});
    }
    T* get() const { return m_memory.as<T>(); }
    T& operator[](std::size_t i) const { return get()[i]; }

private:
    Memory m_memory;
};

/// A kernel of `blocks` blocks that is busy for `length`, and records when.
class Spin {
public:
    explicit Spin(Ns length, std::uint32_t blocks = 1)
        : m_length(length)
        , m_blocks(blocks) {}
    void launch(cudaStream_t stream) {
        reset();
        check(kernels::launchSpin(m_stamps.get(), static_cast<std::uint64_t>(m_length), stream, m_blocks),
              "launch a kernel that is busy");
    }
    void reset() { *m_stamps.get() = {}; }
    volatile kernels::Stamps* stamps() const { return m_stamps.get(); }
    bool hasBegun() const { return begin() != 0; }
    bool hasEnded() const { return end() != 0; }
    /// Waits until the host sees it begin; at most 2 s.
    void awaitBegin() const {
        for (const Ns until = steadyNow() + 2'000 * kMs; !hasBegun() && steadyNow() < until;) {
        }
    }
    std::uint64_t begin() const { return stamps()->begin; }
    std::uint64_t end() const { return stamps()->end; }
    Ns length() const { return m_length; }

private:
    Ns m_length;
    std::uint32_t m_blocks;
    Mapped<kernels::Stamps> m_stamps;
};

/// Loads the kernels of probes: a first launch may wait for the device, which must not happen behind a closed
/// gate.
void warmUp();
/// The share of the shorter of two kernels that overlapped the other.
double overlapOf(const Spin& a, const Spin& b);
/// Time from the end of `a` to the begin of `b`, ns; negative: `b` began before.
double delayOf(const Spin& a, const Spin& b);

inline StreamHandle nonBlocking() {
    return StreamHandle(cudaStreamNonBlocking);
}
inline StreamHandle blocking() {
    return StreamHandle(cudaStreamDefault);
}
inline void idle() {
    check(cudaDeviceSynchronize(), "wait for the device");
}
inline double yes(bool is) {
    return is ? 1 : 0;
}
/// The share of `count` elements that are `value`.
double shareOf(const std::uint32_t* at, std::size_t count, std::uint32_t value);

// One per file.
void probeCalls(Numbers& numbers);
void probeCopies(Numbers& numbers);
void probeEvents(Numbers& numbers);
void probeRace(Numbers& numbers);
void probeOrder(Numbers& numbers);
void probeLiteral(Numbers& numbers);
void probeScope(Numbers& numbers);
void probePointers(Numbers& numbers);
void probeCallbacks(Numbers& numbers);
void probeQueueDepth(Numbers& numbers);
void probeHostMemory(Numbers& numbers);
void probePool(Numbers& numbers);
void probeErrors(Numbers& numbers);
void probeTwoGpus(Numbers& numbers);
void probeUpdate(Numbers& numbers);
void probeConstant(Numbers& numbers);
void probeDeviceCopy(Numbers& numbers);

} // namespace olab::cuda::probes
