// From a file to the first picture of it, as the window does it: read the file, make the trace, its lanes,
// facts and report, the index of the timeline, and paint. Each round is a process of its own, so that its
// peak of memory is that of one open.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace olab::bench {

/// In the process of one round: opens `path` once and prints how long each step took.
int openOnce(const std::filesystem::path& path);
void printOpenHeading();
/// Starts `program --open path` for each round and prints the best of them, step by step: what else the
/// machine does makes a round longer, never shorter.
void benchOpen(const std::string& what, std::size_t count, const std::filesystem::path& program,
               const std::filesystem::path& path, int rounds);

} // namespace olab::bench
