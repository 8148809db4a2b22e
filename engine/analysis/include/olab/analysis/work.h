// What activities take alone, by kind of work. Activities are of one kind where nothing in their records
// tells them apart: class, name, bytes, size of the grid, kinds of memory, and the solo run that stands for
// them. A recording has few kinds however long it is, so what depends on the kind is looked up once, not per
// activity.
#pragma once

#include <olab/trace/trace.h>

namespace olab::analysis {

using WorkId = StrongId<struct WorkTag>;

/// A copy of so many bytes of pageable memory to the device waits for no stream, as older Programming Guides
/// say of 64 KiB. Today nothing is promised; on an H200 copies of up to 1 MiB did not wait (experiment E03).
inline constexpr std::int64_t kSentWithCommand = 64 << 10;
/// A copy that stands behind one of so many times its length is blocked, not in turn.
inline constexpr Ns kLongerCopy = 8;

struct Work {
    ActivityClass cls{};
    MemoryKind source = MemoryKind::Unknown, target = MemoryKind::Unknown;
    StringId name{};
    std::int64_t bytes = 0;
    /// Threads of a block; 0 when the record does not say.
    std::uint64_t threads = 0;
    /// Blocks of the grid; 0 when neither a record nor the solo run says.
    std::uint64_t blocks = 0;
    std::uint64_t residentBlocks = 0;  ///< that the device holds at once; 0: nobody knows
    std::uint32_t soloRun = kNoNumber; ///< into Trace::solos(); kNoNumber: the shortest of the kind stands in
    Ns solo = 0;                       ///< how long it takes alone
    bool soloIsSeen = false;           ///< that of kernels which ran alone stands in
    std::uint64_t count = 0;           ///< activities of this kind

    /// Whether `solo` says how long the work takes alone. The shortest of its kind does for copies and
    /// memsets, whose work is their bytes, but not for kernels, whose work may depend on data no record
    /// knows.
    bool soloIsTrusted() const { return soloRun != kNoNumber || cls != ActivityClass::Kernel; }
    /// Whether it tells how much longer an activity ran beside others. What a kernel that was seen alone
    /// loses to those, no order of the work could win back: no account counts it.
    bool tellsStretch() const { return soloIsTrusted() || soloIsSeen; }
    bool isPageable() const { return source == MemoryKind::Pageable || target == MemoryKind::Pageable; }
    /// The host copies it piece by piece, in the call that issues it: to the device that returns once the
    /// last piece is on its way, to the host once it has come.
    bool isStaged() const {
        return isPageable() && (cls != ActivityClass::MemcpyH2D || bytes > kSentWithCommand);
    }
    bool isHostCopy() const { return cls == ActivityClass::MemcpyH2D || cls == ActivityClass::MemcpyD2H; }
    /// The share of the device that its grid takes, 1 at most; nothing when nobody knows.
    std::optional<double> shareOfDevice() const {
        if (residentBlocks == 0 || blocks == 0)
            return std::nullopt;
        return std::min(1.0, static_cast<double>(blocks) / static_cast<double>(residentBlocks));
    }
};

/// By the name of an API call.
inline bool launchesGraph(std::string_view call) {
    return call.find("GraphLaunch") != call.npos;
}

/// Pages of managed memory that moved: in no stream, whatever number its record has.
inline bool isMigration(const Trace& trace, ActivityIndex row) {
    return (trace.flags(row) & kFlagUnified) != 0;
}

} // namespace olab::analysis
