// Communication: kernels of NCCL and RCCL, and peer copies, as a class beside those of the counting contract.
// What of it is hidden behind computation of its device, and what is exposed. Plain data and pure functions;
// times are ns of the trace. Any thread.
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
    Other, ///< a kernel of the library whose name tells no more
    Count_
};
inline constexpr auto kCommunicationKinds = static_cast<std::size_t>(CommunicationKind::Count_);
/// "all-reduce", ..., "send/recv", "peer copy", "other"
std::string_view communicationKindName(CommunicationKind kind);

/// A kernel of NCCL or RCCL, by its name: a collective, a send or a receive.
bool isCommunicationKernel(std::string_view kernelName);
/// Of such a kernel.
CommunicationKind communicationKindOf(std::string_view kernelName);

struct CommunicationTimes {
    std::uint64_t count = 0;
    Ns total = 0;  ///< per device what is at once counts once; the sum over the devices
    Ns hidden = 0; ///< of it: a kernel that is no communication ran on the device at that time
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

/// Kinds that ran at once on a device each count in full: their sum may exceed `all`.
struct Communication {
    CommunicationTimes all; ///< of all devices
    CommunicationTable kinds;
    std::vector<CommunicationDevice> devices; ///< by number; those that communicated
    std::string text;                         ///< one sentence
};

/// "rank 3"; where a rank has several devices, and without ranks, "GPU 1" too.
std::string participantName(const Trace& trace, std::uint8_t device);

/// Null where nothing communicates. O(n log n). @throws Error only when cancelled
std::shared_ptr<const Communication> communicationOf(const Trace& trace, const RunControl& control = {});

} // namespace olab::analysis
