// What a recorded program is written with, as far as its kernels and ranges tell. Pure functions; any thread.
#pragma once

#include <olab/trace/trace.h>

namespace olab::analysis {

enum class Framework : std::uint8_t { None, PyTorch, OtherPython };

/// By names that only these bring along. O(names).
Framework frameworkOf(const Trace& trace);

} // namespace olab::analysis
