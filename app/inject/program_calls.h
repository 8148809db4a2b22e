// What a program and this library know of each other. Private to inject.
#pragma once

#include <olab/trace/records.h>

#include <string>
#include <vector>

namespace olab::inject {

// What a program that knows of this library may call: C functions, for the Python package.

/// Recording goes on, or begins: into `file`, unless somebody named another before. @returns the file.
/// @throws Error
std::string beginByProgram(const std::string& file);
/// It stops; all of it is in the file a moment later.
void endByProgram();
/// The file is closed and nothing more is recorded in this process. @throws Error
void finishByProgram();
/// Whether others say when to record: olab trace without --attach-ready.
bool isRecordedWhole();
/// Another client of CUPTI records, and we do not; empty: no longer.
void noteYield(const std::string& name) noexcept;
/// From now on NVTX may be told of us, and other clients of CUPTI are seen.
void expectProgram();

// What a recording says of the program that it is of.

/// Its name, words, folder, process, the driver, and the variables that change how CUDA programs run.
std::vector<EnvironmentRecord> programFacts();
/// As in /proc/self/comm.
std::string programName();

} // namespace olab::inject
