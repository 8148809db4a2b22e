// The rows of the view from top to bottom, in logical pixels, without scrolling: group headings, the ribbon,
// one row per lane.
#pragma once

#include <olab/ui/timeline_index.h>
#include <olab/ui/view_style.h>

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
    bool pinned = false; ///< stays where it is while the others scroll
    int bottom() const { return top + height; }
};

/// What a person chose to see.
struct RowChoices {
    std::set<int> collapsed; ///< groups
    std::set<LaneId> hidden, pinned;
};

struct RowLayout {
    std::vector<Row> rows;
    int height = 0;
    int pinnedHeight = 0; ///< at the top, of the rows that do not scroll

    /// Lanes grow, within reason, to fill `height` logical pixels.
    static RowLayout of(const TimelineIndex& index, const std::set<int>& collapsed, int height) {
        return chosen(index, {collapsed, {}, {}}, height);
    }
    static RowLayout chosen(const TimelineIndex& index, const RowChoices& choices, int height,
                            const ViewStyle& style = {});
    /// Null below the last row.
    const Row* at(int y) const;
    /// Where a row is on a screen that is scrolled, and which row is there.
    int screenTop(const Row& row, int scroll) const { return row.pinned ? row.top : row.top - scroll; }
    const Row* onScreen(int y, int scroll) const { return at(y < pinnedHeight ? y : y + scroll); }
    /// Those of which anything is to be seen; the pinned ones last, which cover the others.
    std::vector<const Row*> inView(int scroll, int screenHeight) const;
    const Row* of(LaneId lane) const;
};

} // namespace olab
