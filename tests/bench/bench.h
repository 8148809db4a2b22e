// Times something several times and prints one line: the median and the range of the wall time, the median of
// the processor time (what counts when others use the machine too), and the rate.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace olab::bench {

/// Processor, cores, memory, kernel and compiler.
void printMachine();
void printHeading();

/// Calls `prepare` (not timed) and `work` (timed) `rounds` times.
void measure(const std::string& what, std::size_t count, int rounds, const std::function<void()>& work,
             const std::function<void()>& prepare = {});

/// Memory of this machine that is free for use, in bytes.
std::size_t availableMemory();

} // namespace olab::bench
