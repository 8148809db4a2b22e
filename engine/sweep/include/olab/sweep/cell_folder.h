// A cell that a process of its own measures, perhaps on another machine of a cluster: its runs are kept in a
// folder below that of the sweep, and taken into the sweep when it has ended. So no two processes write one
// file, and a task that is started again goes on where the one before stopped. One thread at a time.
#pragma once

#include <olab/sweep/sweep_store.h>

#include <cstddef>
#include <filesystem>
#include <string>

namespace olab::sweep {

/// Nothing is left to measure of it: it cannot run, it failed, or all repeats and its report are there.
bool isComplete(const Sweep& sweep, std::size_t cell, int repeats);

std::filesystem::path cellFolder(const std::filesystem::path& sweep, const Grid& grid, std::size_t cell);
/// Makes that folder, with what the sweep has of the cell: it is not measured again. One that is there stays.
/// @throws Error "cannot-write"
void prepareCell(const SweepStore& store, const Grid& grid, int repeats, std::size_t cell);
/// On which machine the cell was measured; empty: it was not.
std::string machineOfCell(const std::filesystem::path& sweep, const Grid& grid, std::size_t cell);
/// Takes over what the sweep does not have yet, each run once, however often this is called, and removes the
/// folder.
/// @throws Error "cannot-write"
void collectCell(SweepStore& store, const Grid& grid, int repeats, std::size_t cell);

} // namespace olab::sweep
