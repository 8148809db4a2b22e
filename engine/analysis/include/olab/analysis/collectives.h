// Collectives: kernels by which several devices exchange data (NCCL, RCCL). None of them ends before the last
// device has arrived, so a late device makes the others wait inside their kernels, which looks like work.
// Plain data and pure functions; times are ns of the trace. Any thread.
#pragma once

#include <olab/trace/run_control.h>
#include <olab/trace/trace.h>

#include <memory>
#include <optional>

namespace olab::analysis {

/// By its name; sends and receives do not count, since they involve two devices only.
bool isCollective(std::string_view kernelName);
/// The name of a collective kernel without template and function arguments, the same on all devices.
std::string_view collectiveName(std::string_view kernelName);

/// A participating device and its numbers.
struct CollectiveDevice {
    std::uint8_t device = 0; ///< into Trace::devices()
    std::string name;        ///< "rank 3"; where a rank has several, and without ranks, "GPU 1" too
    std::uint64_t count = 0; ///< its collectives that were matched with other devices
    std::uint64_t alone = 0; ///< its unmatched collectives: other devices are not recorded, or it missed some
    std::uint64_t last = 0;  ///< how often it arrived last, by more than the clock error
    Ns waited = 0;           ///< inside collectives, for others; concurrent time counts once
    Ns waitedFor = 0;        ///< mean time that the others waited for it
};

/// An expensive collective.
struct CollectiveWait {
    ActivityIndex latest = kNoActivity; ///< the kernel that arrived last
    std::uint8_t device = 0;            ///< the device of that kernel
    std::vector<ActivityIndex> waiting; ///< the others' kernels
    Ns waited = 0;                      ///< by the device that arrived first
};

struct Collectives {
    std::vector<CollectiveDevice> devices; ///< by number
    std::uint64_t shared = 0;              ///< collectives matched on two or more devices
    std::uint64_t together = 0;        ///< those of them without a clear last device, within the clock error
    std::uint64_t alone = 0;           ///< kernels of collectives that were not matched with another device
    Ns spread = 0;                     ///< median distance between the first and the last end of a collective
    Ns waited = 0;                     ///< inside collectives: mean over the devices
    Ns span = 0;                       ///< from the first device work to the end of the last
    Ns error = 0;                      ///< possible error between times of different devices
    std::vector<CollectiveWait> worst; ///< at most kMaxWorstCollectives
    /// Index into `devices`: the device responsible for most of the waiting. Empty: little waiting, or no
    /// device stands out.
    std::optional<std::size_t> straggler;
    std::string text; ///< who waits for whom, in a sentence or two

    double lastShare(std::size_t device) const {
        const auto count = static_cast<double>(devices[device].count);
        return count > 0 ? static_cast<double>(devices[device].last) / count : 0;
    }
};

inline constexpr std::size_t kMaxWorstCollectives = 64;

/// Null if fewer than two devices have collectives. Ignores devices of recordings that could not be aligned
/// with the others. O(n log n) in the collective kernels. @throws Error only when cancelled
std::shared_ptr<const Collectives> collectivesOf(const Trace& trace, const RunControl& control = {});

} // namespace olab::analysis
