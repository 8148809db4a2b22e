#include <olab/sweep/cell_folder.h>

#include <algorithm>
#include <system_error>

namespace olab::sweep {
namespace {

namespace fs = std::filesystem;

/// The progress of a cell.
struct CellSoFar {
    std::size_t lines = 0;
    int times = 0;
    bool hasNumbers = false;
    void add(const RunLine& line) {
        ++lines;
        times += line.counts && line.failed.empty() ? 1 : 0;
        hasNumbers |= line.numbers.has_value();
    }
    bool needs(const RunLine& line, int repeats) const {
        return !line.failed.empty() || (line.counts && times < repeats) || (line.numbers && !hasNumbers);
    }
};

CellSoFar soFar(const SweepStore& store, const std::string& digest) {
    CellSoFar known;
    for (const RunLine& line : store.lines())
        if (line.cell == digest)
            known.add(line);
    return known;
}

std::string digestOf(const Grid& grid, std::size_t cell) {
    return cellDigest(experimentOf(grid, cell));
}

} // namespace

bool isComplete(const Sweep& sweep, std::size_t cell, int repeats) {
    const Cell& one = sweep.cells[cell];
    if (!one.impossible.empty() || !one.failed.empty())
        return true;
    const bool wantsReport = experiment::optionText(sweep.grid.base, "trace") != "off";
    return static_cast<int>(one.times.size()) >= repeats && (one.numbers || !wantsReport);
}

fs::path cellFolder(const fs::path& sweep, const Grid& grid, std::size_t cell) {
    return sweep / "cells" / digestOf(grid, cell);
}

void prepareCell(const SweepStore& store, const Grid& grid, int repeats, std::size_t cell) {
    const fs::path folder = cellFolder(store.folder(), grid, cell);
    const std::string digest = digestOf(grid, cell);
    SweepStore own(folder, {});
    if (own.lines().empty())
        for (const RunLine& line : store.lines())
            if (line.cell == digest)
                own.add(line);
    own.describe(grid, repeats);
}

std::string machineOfCell(const fs::path& sweep, const Grid& grid, std::size_t cell) {
    const fs::path folder = cellFolder(sweep, grid, cell);
    return SweepStore::isSweep(folder) ? SweepStore::gridOf(folder).machine : std::string();
}

void collectCell(SweepStore& store, const Grid& grid, int repeats, std::size_t cell) {
    const fs::path folder = cellFolder(store.folder(), grid, cell);
    if (!SweepStore::isSweep(folder))
        return;
    CellSoFar known = soFar(store, digestOf(grid, cell));
    std::vector<RunLine> there = SweepStore::linesOf(folder);
    for (std::size_t i = std::min(known.lines, there.size()); i < there.size(); ++i) {
        RunLine& line = there[i];
        if (!known.needs(line, repeats))
            continue;
        std::error_code failed;
        if (!line.file.empty() && line.file.find('/') == std::string::npos)
            fs::rename(folder / line.file, store.folder() / line.file, failed);
        known.add(line);
        store.add(std::move(line));
    }
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    fs::remove(folder.parent_path(), ignored); // if empty
}

} // namespace olab::sweep
