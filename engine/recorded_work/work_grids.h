// The kernels of a window, with similar ones merged: shape and solo duration. Private to the module.
#pragma once

#include "work_steps.h"

namespace olab::recorded_work::detail {

class GridTable {
public:
    GridTable(const Trace& trace, const analysis::TraceFacts& facts, std::span<const ActivityIndex> rows,
              WorkGaps& gaps);
    const std::vector<experiment::PlannedGrid>& grids() const { return m_grids; }
    /// `number`: the grid of the given row; 0 unless it is a kernel.
    std::uint32_t gridOf(std::uint32_t number) const { return m_gridOf[number]; }

private:
    experiment::PlannedGrid shapeOf(const Trace& trace, ActivityIndex row, WorkGaps& gaps) const;
    bool group(double ratio, int coarse);
    std::vector<std::pair<std::uint32_t, experiment::PlannedGrid>> m_kernels; ///< by number
    std::vector<experiment::PlannedGrid> m_grids;
    std::vector<std::uint32_t> m_gridOf;
};

} // namespace olab::recorded_work::detail
