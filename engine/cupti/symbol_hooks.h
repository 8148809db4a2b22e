// Redirects calls into a shared library to us. Changes the library's exports in memory, for callers that look
// them up from now on, and the addresses that callers have looked up already. Private to cupti.
#pragma once

#include <span>

namespace olab::cupti {

struct SymbolHook {
    const char* name; ///< exported by the library
    void* real;       ///< where it is
    void* ours;       ///< what everybody except us calls instead
};

/// All symbols of one library. @returns false: not allowed by the system or the library; then nothing is
/// changed
bool hookSymbols(std::span<const SymbolHook> hooks) noexcept;

} // namespace olab::cupti
