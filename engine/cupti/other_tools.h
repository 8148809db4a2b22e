// Profilers and debuggers in this process that would interfere with a capture: CUDA allows one tool at a
// time, and CUPTI does not notice some that came first. Private to cupti.
#pragma once

#include <olab/cupti/host_program.h>

#include <filesystem>
#include <string>

namespace olab::cupti {

/// Names of other tools found, "Nsight Systems, cuda-gdb (process 12)"; empty: none. `own` is the libcupti
/// this process uses; `proc` is where maps and status are. A CUPTI loaded by the host program does not count
/// as a tool (machine learning frameworks link one), nor does the library that CUDA was told to load if it
/// contains this code.
std::string otherTools(const std::string& own, HostProgram host, const std::filesystem::path& proc = "/proc");

} // namespace olab::cupti
