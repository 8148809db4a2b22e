// NVTX passes a program's ranges to the library that NVTX_INJECTION64_PATH names, and CUPTI is such a
// library. A program may bring its own CUPTI, whose place nobody knows before it runs: so the variable can
// name a library of ours, which hands NVTX on to the CUPTI that is used.
#pragma once

namespace olab::cupti {

/// CUPTI's InitializeInjectionNvtx2, of the CUPTI that a capture in this program uses. `exports`: what NVTX
/// gave. @returns what that returned; 0: there is no CUPTI, and the ranges go nowhere
int passNvtxToCupti(void* exports) noexcept;
/// Whether it was: then CUPTI is called by NVTX for good.
bool nvtxIsPassed() noexcept;
/// A range of this thread, of the program's own: NVTX tells whom it tells.
void pushRange(const char* name) noexcept;
void popRange() noexcept;

} // namespace olab::cupti
