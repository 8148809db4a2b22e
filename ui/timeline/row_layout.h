// The rows of the view from top to bottom, in logical pixels, without scrolling: group headings, the ribbon,
// one row per lane.
#pragma once

#include <olab/ui/timeline_index.h>

#include <QString>

#include <set>
#include <vector>

namespace olab {

struct Row {
    enum class Kind : std::uint8_t { Group, Ribbon, Lane } kind{};
    int top = 0, height = 0;
    int group = 0;
    std::uint8_t device = 0;
    const Lane* lane = nullptr;
    int stripHeight = 0; ///< lanes: of one sub-lane
    QString label, help;
    int bottom() const { return top + height; }
};

struct RowLayout {
    std::vector<Row> rows;
    int height = 0;

    /// Lanes grow, within reason, to fill `height` logical pixels.
    static RowLayout of(const TimelineIndex& index, const std::set<int>& collapsed, int height);
    /// Null below the last row.
    const Row* at(int y) const;
    const Row* of(LaneId lane) const;
};

} // namespace olab
