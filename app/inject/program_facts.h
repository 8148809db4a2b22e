// What a recording says of the program that it is of.
#pragma once

#include <olab/trace/records.h>

#include <string>
#include <vector>

namespace olab::inject {

/// Its name, words, folder, process, the driver, and the variables that change how CUDA programs run.
std::vector<EnvironmentRecord> programFacts();
/// As in /proc/self/comm.
std::string programName();

} // namespace olab::inject
