// What a program that knows of this library may call: C functions, for the Python package. Private to inject.
#pragma once

#include <string>

namespace olab::inject {

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

} // namespace olab::inject
