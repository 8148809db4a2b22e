// Calls into a shared library from elsewhere in the process can be led through us. What the library exports
// is changed in memory, for callers that look it up from now on; and what callers of it have looked up
// already. Private to cupti.
#pragma once

#include <span>

namespace olab::cupti {

struct SymbolHook {
    const char* name; ///< exported by the library
    void* real;       ///< where it is
    void* ours;       ///< what is called instead, by all but us
};

/// All of one library. @returns false: the system or the library does not allow it; then nothing is changed
bool hookSymbols(std::span<const SymbolHook> hooks) noexcept;

} // namespace olab::cupti
