// Profilers and debuggers that sit in this process and would spoil a capture: CUDA lets one tool in at a
// time, and some that come first are not noticed by CUPTI. Private to cupti.
#pragma once

#include <filesystem>
#include <string>

namespace olab::cupti {

/// Names of other tools found, "Nsight Systems, cuda-gdb (process 12)"; empty: none. `own` is the libcupti
/// this process uses; `proc` is where maps and status are.
std::string otherTools(const std::string& own, const std::filesystem::path& proc = "/proc");

} // namespace olab::cupti
