#include "sqlite_work.h"

#include "cuda_kinds.h"
#include "file_numbers.h"

namespace olab::io::imports {

std::uint32_t number(const RowCells& cells, int column) {
    return numberOr(cells.roughlyOr(column, -1));
}

std::int64_t id(const RowCells& cells, int column) {
    return cells.roughlyOr(column, FileNumbers::kNone);
}

bool readTimes(const RowCells& cells, ScannedRow& row) {
    const auto start = cells.integer(0), end = cells.integer(1);
    if (!start || !end) {
        row.refuse(kNoTime);
        return false;
    }
    row.begin = *start, row.end = *end;
    return true;
}

bool readWork(const RowCells& cells, ScannedRow& row) {
    if (!readTimes(cells, row))
        return false;
    row.shape.device = number(cells, 2);
    row.shape.context = id(cells, 3);
    row.shape.stream = id(cells, 4);
    row.correlation = numberOr(cells.roughly(5), 0);
    return true;
}

KernelGeometry geometryFrom(const RowCells& cells, int first) {
    KernelGeometry g;
    g.registersPerThread = numberOr(cells.roughly(first), 0);
    g.staticShared = numberOr(cells.roughly(first + 1), 0);
    g.dynamicShared = numberOr(cells.roughly(first + 2), 0);
    for (int i = 0; i < 3; ++i) {
        g.grid[static_cast<std::size_t>(i)] = numberOr(cells.roughly(first + 3 + i), 1);
        g.block[static_cast<std::size_t>(i)] = numberOr(cells.roughly(first + 6 + i), 1);
    }
    return g;
}

} // namespace olab::io::imports
