// NVTX passes a program's ranges to the library named by NVTX_INJECTION64_PATH, and CUPTI is such a library.
// A program may bring its own CUPTI, at a path unknown before it runs, so the variable can name a library of
// ours, which passes NVTX on to the CUPTI in use, and only while that is wanted. Until then a range costs the
// same as without any tool.
#pragma once

namespace olab::cupti {

/// Call when NVTX of a module of the program is initialized; `exports`: its export table function. Any
/// thread.
void noteNvtx(void* exports) noexcept;
/// Starts or stops passing ranges to CUPTI; when stopped, no later range calls it.
void tellCuptiOfRanges(bool tell) noexcept;
/// Begins a range of the calling thread, as a program does.
void pushRange(const char* name) noexcept;
void popRange() noexcept;

} // namespace olab::cupti
