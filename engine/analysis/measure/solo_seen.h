// How long kernels take alone where no solo run says it: told by those of one name and grid that ran alone,
// if those that ran beside other work of their device clearly took longer. Times are ns.
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
    /// The median of those that ran alone. Nothing: those beside others are no longer than chance makes them
    /// (a rank test), or by too little to be told from what their data does.
    std::optional<Ns> solo() const;

private:
    static constexpr std::size_t kSample = 64; ///< of each sort: the test needs no more
    std::vector<Ns> m_alone, m_beside;
};

/// Sees the work of all devices in begin order.
class SoloSeen {
public:
    explicit SoloSeen(const Trace& trace)
        : m_trace(trace)
        , m_devices(trace.devices().size()) {}
    /// `work`: its number, of a kernel without a solo run; else kNoNumber.
    void add(ActivityIndex row, std::uint32_t work);
    /// Into the works whose kernels tell it.
    void setIn(std::span<Work> works);

private:
    struct Device {
        Interval last; ///< the work seen last
        Ns beside = 0; ///< of it: what earlier work ran beside it
        std::uint32_t work = kNoNumber;
        Ns end = std::numeric_limits<Ns>::min(); ///< of all so far
    };
    void close(Device& device, Ns besideNext);
    const Trace& m_trace;
    std::vector<Device> m_devices;
    std::vector<LikeKernels> m_like; ///< by number of work
};

} // namespace olab::analysis
