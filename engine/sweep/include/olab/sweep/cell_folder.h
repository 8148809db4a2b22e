// A cell that is measured by a process of its own, perhaps on another machine of a cluster: its runs are kept
// in a subfolder of the sweep and merged into the sweep when it has ended. So no two processes write one
// file, and a restarted task continues where it stopped. One thread at a time.
#pragma once

#include <olab/sweep/sweep_store.h>

#include <cstddef>
#include <filesystem>
#include <string>

namespace olab::sweep {

/// Nothing remains to be measured: it cannot run, it failed, or all repeats and its report exist.
bool isComplete(const Sweep& sweep, std::size_t cell, int repeats);

std::filesystem::path cellFolder(const std::filesystem::path& sweep, const Grid& grid, std::size_t cell);
/// Creates the folder with the sweep's runs of the cell, which are not measured again. An existing folder is
/// kept.
/// @throws Error "cannot-write"
void prepareCell(const SweepStore& store, const Grid& grid, int repeats, std::size_t cell);
/// The machine that measured the cell; empty: not measured.
std::string machineOfCell(const std::filesystem::path& sweep, const Grid& grid, std::size_t cell);
/// Moves new runs into the sweep, each once, however often this is called, and removes the folder.
/// @throws Error "cannot-write"
void collectCell(SweepStore& store, const Grid& grid, int repeats, std::size_t cell);

} // namespace olab::sweep
