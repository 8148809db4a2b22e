// Collectives: kernels by which several devices exchange data (NCCL, RCCL). None of them ends before the last
// device has come to it, so who comes late makes the others wait inside their kernels, where it looks like
// work. Plain data and pure functions; times are ns of the trace. Any thread.
#pragma once

#include <olab/trace/run_control.h>
#include <olab/trace/trace.h>

#include <memory>
#include <optional>

namespace olab::analysis {

/// By its name; not a send or a receive, which are of two devices only.
bool isCollective(std::string_view kernelName);
/// Of a kernel of a collective: its name without template and function arguments, the same on all devices.
std::string_view collectiveName(std::string_view kernelName);

/// A device that took part, and what it did.
struct CollectiveDevice {
    std::uint8_t device = 0; ///< into Trace::devices()
    std::string name;        ///< "rank 3"; where a rank has several, and without ranks, "GPU 1" too
    std::uint64_t count = 0; ///< its collectives that others were seen to share
    std::uint64_t alone = 0; ///< and those that nobody was: other devices are not recorded, or it missed some
    std::uint64_t last = 0;  ///< times it came last, by more than the times may be wrong
    Ns waited = 0;           ///< in them, for others: what is at once counts once
    Ns waitedFor = 0;        ///< what the others waited for it: their mean
};

/// One that cost much.
struct CollectiveWait {
    ActivityIndex latest = kNoActivity; ///< the kernel of who came last
    std::uint8_t device = 0;            ///< whose it is
    std::vector<ActivityIndex> waiting; ///< the others' kernels
    Ns waited = 0;                      ///< by who came first
};

struct Collectives {
    std::vector<CollectiveDevice> devices; ///< by number
    std::uint64_t shared = 0;              ///< collectives that two or more devices were seen in
    std::uint64_t together = 0; ///< of them those to which none came last: the times are not that exact
    std::uint64_t alone = 0;    ///< kernels of collectives that no other device was seen in
    Ns spread = 0;              ///< median distance of the first and the last end of one
    Ns waited = 0;              ///< in collectives: mean over the devices
    Ns span = 0;                ///< from the first device work to the end of the last
    Ns error = 0;               ///< how far the times of different devices may be apart without reason
    std::vector<CollectiveWait> worst; ///< at most kMaxWorstCollectives
    /// Into `devices`: the one that is to blame for most of the waiting. Empty: there is little, or none
    /// stands out.
    std::optional<std::size_t> straggler;
    std::string text; ///< who waits for whom, in a sentence or two

    double lastShare(std::size_t device) const {
        const auto count = static_cast<double>(devices[device].count);
        return count > 0 ? static_cast<double>(devices[device].last) / count : 0;
    }
};

inline constexpr std::size_t kMaxWorstCollectives = 64;

/// Null where fewer than two devices have collectives. Devices of recordings that could not be aligned with
/// the others are left out. O(n log n) of the kernels that are collectives. @throws Error only when cancelled
std::shared_ptr<const Collectives> collectivesOf(const Trace& trace, const RunControl& control = {});

} // namespace olab::analysis
