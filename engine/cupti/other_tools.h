// What else is in this process: mapped files, and profilers and debuggers that would interfere with a
// capture. Private to cupti.
#pragma once

#include <olab/cupti/host_process.h>

#include <filesystem>
#include <set>
#include <string>

namespace olab::cupti {

// The files mapped into this process, as reported by the system.

/// Each file once. `proc` is where maps are.
std::set<std::string> mappedFiles(const std::filesystem::path& proc = "/proc");

/// The file that contains this code: one of our programs, or a library in another program. Empty if the
/// system does not provide it.
std::filesystem::path ownFile(const std::filesystem::path& proc = "/proc");

// Profilers and debuggers in this process that would interfere with a capture: CUDA allows one tool at a
// time, and CUPTI does not notice some that came first.

/// Names of other tools found, "Nsight Systems, cuda-gdb (process 12)"; empty: none. `own` is the libcupti
/// this process uses; `proc` is where maps and status are. A CUPTI loaded by the host program does not count
/// as a tool (machine learning frameworks link one), nor does the library that CUDA was told to load if it
/// contains this code.
std::string otherTools(const std::string& own, HostProgram host, const std::filesystem::path& proc = "/proc");

} // namespace olab::cupti
