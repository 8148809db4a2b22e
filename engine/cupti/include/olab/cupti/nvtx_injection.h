// NVTX passes a program's ranges to the library that NVTX_INJECTION64_PATH names, and CUPTI is such a
// library. A program may bring its own CUPTI, whose place nobody knows before it runs: so the variable can
// name a library of ours, which hands NVTX on to the CUPTI that is used, and only while that is wanted. Until
// then a range costs what it costs without any tool.
#pragma once

namespace olab::cupti {

/// NVTX of one module of the program is there; `exports`: what it gave. Any thread.
void noteNvtx(void* exports) noexcept;
/// From now on CUPTI is told of ranges, or no longer: then it is not called by any that begins later.
void tellCuptiOfRanges(bool tell) noexcept;
/// A range of this thread, of the program's own: NVTX tells whom it tells.
void pushRange(const char* name) noexcept;
void popRange() noexcept;

} // namespace olab::cupti
