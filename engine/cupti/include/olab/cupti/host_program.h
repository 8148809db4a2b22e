// The kind of program that a capture runs in.
#pragma once

#include <cstdint>

namespace olab::cupti {

enum class HostProgram : std::uint8_t {
    Ours,   ///< no other tool may observe CUDA in it: what it measures is shown as its own
    Foreign ///< it may have loaded its own CUPTI, which is then used; only a tool that holds CUPTI is
            ///< refused
};

} // namespace olab::cupti
