// The classes of activities, as one table: a class is a number here and a row of kClassRows. All code that
// names, draws, searches or places activities by class uses this row; only the colours are elsewhere (Theme).
// A new class needs a number, a row, two colours, and a producer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace olab {

/// The class of an activity for the overlap numbers. Files hold these numbers: append, never reorder. The
/// first kDeviceClassCount are GPU work and, in this order, the classes of the counting contract
/// (reference_overlap.py CLASSES); the rest is host side and never in the contract's numbers.
enum class ActivityClass : std::uint8_t {
    Kernel,
    MemcpyH2D,
    MemcpyD2H,
    MemcpyD2D,
    MemcpyP2P,
    Memset,
    MemcpyOther,
    HostFn,
    Api,
    Sync,
    Overhead,
    Nvtx, ///< a range named by the program, or a marker of zero length
    Count_
};
inline constexpr std::size_t kDeviceClassCount = 7;
inline constexpr auto kClassCount = static_cast<std::size_t>(ActivityClass::Count_);

/// A hardware unit that executes. MEMSET and SM copies run on Compute (facts: channelType decides, then
/// copyKind).
enum class EngineKind : std::uint8_t { None, Compute, CopyH2D, CopyD2H, CopyD2D, CopyP2P };
inline constexpr std::size_t kEngineCount = 6;

/// Classes also differ by their pattern.
enum class ClassPattern : std::uint8_t { Plain, Rising, Falling, Crossed, Upright, Level, Dotted };

struct ClassRow {
    ActivityClass cls;
    std::string_view name;  ///< as in the counting contract; files, reports
    std::string_view brief; ///< short form for user input
    std::string_view label; ///< for people
    std::string_view many;  ///< plural, for search results
    std::string_view words; ///< search words, separated by spaces; empty: not searched for by itself
    EngineKind engine;      ///< that runs it, unless a compute channel does
    EngineKind copyEngine;  ///< on a copy channel
    ClassPattern pattern;
    std::string_view meaning; ///< description, shown if there is no wait to explain
};

inline constexpr std::array<ClassRow, kClassCount> kClassRows = [] {
    using enum ActivityClass;
    using enum ClassPattern;
    using E = EngineKind;
    return std::array<ClassRow, kClassCount>{{
        {Kernel, "kernel", "kernel", "kernel", "kernels", "kernel", E::Compute, E::Compute, Plain, ""},
        {MemcpyH2D, "memcpy_h2d", "h2d", "H2D", "H2D copies", "h2d", E::CopyH2D, E::CopyH2D, Plain, ""},
        {MemcpyD2H, "memcpy_d2h", "d2h", "D2H", "D2H copies", "d2h", E::CopyD2H, E::CopyD2H, Dotted, ""},
        {MemcpyD2D, "memcpy_d2d", "d2d", "D2D", "D2D copies", "d2d", E::CopyD2D, E::CopyD2D, Upright, ""},
        {MemcpyP2P, "memcpy_p2p", "p2p", "P2P", "P2P copies", "p2p", E::CopyP2P, E::CopyP2P, Level, ""},
        {Memset, "memset", "memset", "memset", "memsets", "memset", E::Compute, E::CopyD2D, Rising, ""},
        {MemcpyOther, "memcpy_other", "other", "other copy", "other copies", "", E::None, E::CopyD2D, Plain,
         ""},
        {HostFn, "host_fn", "callback", "host callback", "host callbacks", "callback", E::None, E::None,
         Plain, "A host function: the stream waited for it, the GPU's engines did not work for it."},
        {Api, "api", "api", "API call", "API calls", "call api", E::None, E::None, Plain,
         "A CUDA call: the time the host spent inside it."},
        {Sync, "sync", "sync", "synchronization", "synchronizations", "sync", E::None, E::None, Falling,
         "The host waited here for the GPU."},
        {Overhead, "overhead", "overhead", "tool overhead", "tool overhead", "overhead", E::None, E::None,
         Crossed, "Work of the tracing tool itself."},
        {Nvtx, "nvtx", "nvtx", "NVTX range", "NVTX ranges", "nvtx", E::None, E::None, Plain,
         "A range that the program named with NVTX: the time it spent there."},
    }};
}();

constexpr bool isDeviceClass(ActivityClass c) {
    return static_cast<std::size_t>(c) < kDeviceClassCount;
}
constexpr bool isCopyClass(ActivityClass c) {
    return isDeviceClass(c) && c != ActivityClass::Kernel && c != ActivityClass::Memset;
}

using ClassMask = std::uint32_t; ///< bit i = ActivityClass i
inline constexpr ClassMask kAllClasses = (ClassMask{1} << kClassCount) - 1;
inline constexpr ClassMask kDeviceClasses = (ClassMask{1} << kDeviceClassCount) - 1;
constexpr ClassMask maskOf(ActivityClass c) {
    return ClassMask{1} << static_cast<unsigned>(c);
}
inline constexpr ClassMask kCopyClasses = [] {
    ClassMask copies = 0;
    for (const ClassRow& row : kClassRows)
        copies |= isCopyClass(row.cls) ? maskOf(row.cls) : 0;
    return copies;
}();

static_assert(kClassCount < 32, "a ClassMask has a bit for each class, and shifts past the last one");
static_assert(
    [] {
        for (std::size_t c = 0; c < kClassCount; ++c) {
            const ClassRow& row = kClassRows[c];
            const bool isWork = isDeviceClass(row.cls);
            if (static_cast<std::size_t>(row.cls) != c || row.name.empty() || row.label.empty() ||
                row.brief.empty() || row.many.empty() ||
                (isWork ? !row.meaning.empty() : row.meaning.empty()))
                return false;
        }
        return true;
    }(),
    "each class has a row with its words, in the order of the numbers");

} // namespace olab
