// Facts about a run without an account of lost time: how long each GPU was idle, the largest gaps, and the
// host's call or range meanwhile. Pure functions; any thread.
#pragma once

#include <olab/recording/recording.h>

#include <optional>
#include <string>
#include <vector>

namespace olab::recording {

/// A call or range of the host, with the idle time in which it was the innermost one.
struct HostShare {
    std::string name;
    Ns time = 0;
};
struct IdleGap {
    Interval time;
    HostShare host; ///< the longest one; without name: none, or not recorded
};
/// A time in which nothing ran on a device.
struct IdleTime {
    std::uint8_t device = 0; ///< index into Trace::devices()
    Interval time;
};
struct DeviceIdle {
    std::uint8_t device = 0;      ///< index into Trace::devices()
    std::string label;            ///< "GPU 0"
    Ns span = 0, idle = 0;        ///< from its first to its last work; the idle time of the report
    std::size_t gaps = 0;         ///< number of idle stretches
    std::vector<IdleGap> largest; ///< at most kLargestGaps, the longest first
    std::vector<HostShare> host;  ///< at most kHostShares, the longest first, of the thread that issued most
};
inline constexpr std::size_t kLargestGaps = 3, kHostShares = 2;

/// True if there is no usable account: `ledger` has none, has no calls, or leaves a fifth of the run
/// unexplained. Then idle times are shown instead. Null: the account was not requested yet.
bool wantsIdleTimes(const Recording& recording, const analysis::Ledger* ledger);
/// One for each device that has gaps, the one that was idle longest first. O(n log n) in the rows of one host
/// thread. @throws Error when cancelled
std::vector<DeviceIdle> idleTimes(const Recording& recording, const RunControl& control = {});
/// The longest of all devices; nothing where none was idle between two works of its own.
std::optional<IdleTime> longestIdle(const Recording& recording);
/// "GPU 0 was idle for 12.3 ms of 40.0 ms (31 %), in 25 gaps. Meanwhile the host was in cudaMalloc for 8.0
/// ms."
std::string idleText(const DeviceIdle& device);
/// "4.20 ms in cudaMalloc"; without a call: "4.20 ms".
std::string gapText(const IdleGap& gap);

} // namespace olab::recording
