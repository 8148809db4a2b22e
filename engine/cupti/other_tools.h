// Profilers and debuggers that sit in this process and would spoil a capture: CUDA lets one tool in at a
// time, and some that come first are not noticed by CUPTI. Private to cupti.
#pragma once

#include <olab/cupti/host_program.h>

#include <filesystem>
#include <string>

namespace olab::cupti {

/// Names of other tools found, "Nsight Systems, cuda-gdb (process 12)"; empty: none. `own` is the libcupti
/// this process uses; `proc` is where maps and status are. A CUPTI that somebody else's program brought along
/// is no tool (machine learning frameworks link one), nor is the library that CUDA was told to load if that
/// is the one this code is in.
std::string otherTools(const std::string& own, HostProgram host, const std::filesystem::path& proc = "/proc");

} // namespace olab::cupti
