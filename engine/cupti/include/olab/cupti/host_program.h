// Whose program a capture runs in.
#pragma once

#include <cstdint>

namespace olab {

enum class HostProgram : std::uint8_t {
    Ours,   ///< nothing else may watch CUDA in it: what it measures is shown as its own
    Foreign ///< it may have brought a CUPTI along, which is used then; only a tool that holds CUPTI is
            ///< refused
};

} // namespace olab
