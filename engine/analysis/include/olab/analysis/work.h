// Solo durations, by kind of work. Activities are of one kind if their records do not distinguish them:
// class, name, bytes, grid size, kinds of memory, and the solo run that represents them. Even a long
// recording has few kinds, so what depends on the kind is computed once per kind, not per activity.
#pragma once

#include <olab/trace/trace.h>

namespace olab::analysis {

using WorkId = StrongId<struct WorkTag>;

/// A copy of at most this many bytes from pageable memory to the device does not wait for its stream; older
/// Programming Guides state this for 64 KiB. Today nothing is promised; on an H200 copies of up to 1 MiB did
/// not wait (experiment E03).
inline constexpr std::int64_t kSentWithCommand = 64 << 10;
/// A copy behind another one at least this many times its length is blocked, not in turn.
inline constexpr Ns kLongerCopy = 8;

struct Work {
    ActivityClass cls{};
    MemoryKind source = MemoryKind::Unknown, target = MemoryKind::Unknown;
    StringId name{};
    std::int64_t bytes = 0;
    /// Threads per block; 0: not recorded.
    std::uint64_t threads = 0;
    /// Blocks of the grid; 0: neither a record nor the solo run gives them.
    std::uint64_t blocks = 0;
    std::uint64_t residentBlocks = 0;  ///< blocks that the device holds at once; 0: unknown
    std::uint32_t soloRun = kNoNumber; ///< into Trace::solos(); kNoNumber: the shortest of the kind is used
    Ns solo = 0;                       ///< how long it takes alone
    bool soloIsSeen = false;           ///< `solo` comes from kernels of this kind that ran alone
    std::uint64_t count = 0;           ///< activities of this kind

    /// Whether `solo` is the real solo duration. The shortest of its kind is good enough for copies and
    /// memsets, whose work is their bytes, but not for kernels, whose work may depend on data that no record
    /// shows.
    bool soloIsTrusted() const { return soloRun != kNoNumber || cls != ActivityClass::Kernel; }
    /// Whether it shows how much longer an activity ran beside others. For a kernel that was only seen alone,
    /// no reordering could win that loss back, so no account counts it.
    bool tellsStretch() const { return soloIsTrusted() || soloIsSeen; }
    bool isPageable() const { return source == MemoryKind::Pageable || target == MemoryKind::Pageable; }
    /// The host copies it piecewise within the issuing call: to the device, the call returns once the last
    /// piece is under way; to the host, once it has arrived.
    bool isStaged() const {
        return isPageable() && (cls != ActivityClass::MemcpyH2D || bytes > kSentWithCommand);
    }
    bool isHostCopy() const { return cls == ActivityClass::MemcpyH2D || cls == ActivityClass::MemcpyD2H; }
    /// The share of the device that its grid takes, at most 1; nothing if unknown.
    std::optional<double> shareOfDevice() const {
        if (residentBlocks == 0 || blocks == 0)
            return std::nullopt;
        return std::min(1.0, static_cast<double>(blocks) / static_cast<double>(residentBlocks));
    }
};

/// `call`: the name of an API call.
inline bool launchesGraph(std::string_view call) {
    return call.find("GraphLaunch") != call.npos;
}

/// Pages of managed memory that moved; they are in no stream, whatever their record says.
inline bool isMigration(const Trace& trace, ActivityIndex row) {
    return (trace.flags(row) & kFlagUnified) != 0;
}

} // namespace olab::analysis
