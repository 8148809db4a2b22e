#include "sqlite_work.h"

#include "cuda_kinds.h"
#include "file_numbers.h"

namespace olab::io::imports {

std::uint32_t number(const RowCells& cells, int column, std::uint32_t otherwise) {
    const std::int64_t number = cells.number(column, FileNumbers::kNone);
    if (number < FileNumbers::kNone || number > std::int64_t{kNoNumber})
        cells.setOdd();
    return numberOr(number, otherwise);
}

std::int64_t id(const RowCells& cells, int column) {
    return cells.number(column, FileNumbers::kNone);
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
    cells.needs(2, 4);
    row.shape.device = number(cells, 2);
    row.shape.context = id(cells, 3);
    row.shape.stream = id(cells, 4);
    row.correlation = number(cells, 5, 0);
    return true;
}

KernelGeometry geometryFrom(const RowCells& cells, int first) {
    KernelGeometry g;
    g.registersPerThread = number(cells, first, 0);
    g.staticShared = number(cells, first + 1, 0);
    g.dynamicShared = number(cells, first + 2, 0);
    for (int i = 0; i < 3; ++i) {
        g.grid[static_cast<std::size_t>(i)] = number(cells, first + 3 + i, 0);
        g.block[static_cast<std::size_t>(i)] = number(cells, first + 6 + i, 0);
    }
    return g;
}

} // namespace olab::io::imports
