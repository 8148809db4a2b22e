// Communication: kernels of NCCL and RCCL, and peer copies, as a class besides those of the counting
// contract; how much of it is hidden behind computation of its device, and how much is exposed. Plain data
// and pure functions; times are ns of the trace. Any thread.
#pragma once

#include <olab/trace/run_control.h>
#include <olab/trace/trace.h>

#include <array>
#include <memory>
#include <span>

namespace olab::analysis {

enum class CommunicationKind : std::uint8_t {
    AllReduce,
    AllGather,
    ReduceScatter,
    Reduce,
    Broadcast,
    AllToAll,
    SendRecv,
    PeerCopy,
    Other, ///< a kernel of the library with an unspecific name
    Count_
};
inline constexpr auto kCommunicationKinds = static_cast<std::size_t>(CommunicationKind::Count_);
/// "all-reduce", ..., "send/recv", "peer copy", "other"
std::string_view communicationKindName(CommunicationKind kind);

/// A kernel of NCCL or RCCL, by its name: a collective, a send or a receive.
bool isCommunicationKernel(std::string_view kernelName);
/// `kernelName` must be that of a communication kernel.
CommunicationKind communicationKindOf(std::string_view kernelName);

struct CommunicationTimes {
    std::uint64_t count = 0;
    Ns total = 0;  ///< concurrent time of a device counts once; summed over the devices
    Ns hidden = 0; ///< the part during which a kernel that is not communication ran on the device
    Ns exposed() const { return total - hidden; }
    double hiddenShare() const {
        return total > 0 ? static_cast<double>(hidden) / static_cast<double>(total) : 0;
    }
    friend bool operator==(const CommunicationTimes&, const CommunicationTimes&) = default;
};
using CommunicationTable = std::array<CommunicationTimes, kCommunicationKinds>;

struct CommunicationDevice {
    std::uint8_t device = 0; ///< into Trace::devices()
    std::string name;        ///< participantName()
    CommunicationTimes all;
    CommunicationTable kinds;
};

/// Concurrent kinds on a device each count in full, so their sum may exceed `all`.
struct Communication {
    CommunicationTimes all; ///< of all devices
    CommunicationTable kinds;
    std::vector<CommunicationDevice> devices; ///< only devices that communicated, by number
    std::string text;                         ///< one sentence
};

/// "rank 3"; if a rank has several devices, or without ranks, "GPU 1" as well.
std::string participantName(const Trace& trace, std::uint8_t device);

/// Null if nothing communicates. O(n log n). @throws Error only when cancelled
std::shared_ptr<const Communication> communicationOf(const Trace& trace, const RunControl& control = {});

} // namespace olab::analysis
