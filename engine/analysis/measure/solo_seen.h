// Solo durations of kernels without a solo run: from kernels of the same name and grid that ran alone, if
// those that ran beside other work of their device clearly took longer. Times are ns.
#pragma once

#include <olab/analysis/work.h>

#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace olab::analysis {

/// Kernels of one name and grid.
class LikeKernels {
public:
    void add(Ns duration, bool beside) {
        if (auto& seen = beside ? m_beside : m_alone; seen.size() < kSample)
            seen.push_back(duration);
    }
    /// The median of those that ran alone. Nothing: those beside other work are not significantly longer (a
    /// rank test), or by too little to exclude an effect of their data.
    std::optional<Ns> solo() const;

private:
    static constexpr std::size_t kSample = 64; ///< of each group: the test needs no more
    std::vector<Ns> m_alone, m_beside;
};

/// Takes the work of all devices in begin order.
class SoloSeen {
public:
    explicit SoloSeen(const Trace& trace)
        : m_trace(trace)
        , m_devices(trace.devices().size()) {}
    /// `work`: the number of a kernel's work if it has no solo run; else kNoNumber.
    void add(ActivityIndex row, std::uint32_t work);
    /// Sets the solo duration of works that their kernels determine.
    void setIn(std::span<Work> works);

private:
    struct Device {
        Interval last; ///< the last work added
        Ns beside = 0; ///< the part of it that overlapped earlier work
        std::uint32_t work = kNoNumber;
        Ns end = std::numeric_limits<Ns>::min(); ///< latest end so far
    };
    void close(Device& device, Ns besideNext);
    const Trace& m_trace;
    std::vector<Device> m_devices;
    std::vector<LikeKernels> m_like; ///< by number of work
};

} // namespace olab::analysis
