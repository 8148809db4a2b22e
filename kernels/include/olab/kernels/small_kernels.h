// The kernels other than the workload: one that clears memory, one that does nothing, and some that nothing
// else launches.
#pragma once

#include <olab/kernels/launch.h>

#include <cstdint>

namespace olab::kernels {

/// memset.method=kernel: sets `bytes` bytes to 0.
struct FillArgs {
    unsigned char* at = nullptr;
    std::uint64_t bytes = 0;
};
/// Takes a pointer to a FillArgs. Uses as many blocks as there is work for, at most `mostBlocks`.
Launch fillLaunch(std::uint64_t bytes, std::uint64_t mostBlocks);

/// A kernel of one thread that does nothing, for the NULL stream; no parameters.
Launch nullLaunch();

inline constexpr std::uint32_t kFirstKernels = 64;
/// One of kFirstKernels different kernels of one thread that do nothing; no parameters. Only their first
/// launch loads them (if modules are loaded lazily).
Launch firstLaunch(std::uint32_t number);

} // namespace olab::kernels
