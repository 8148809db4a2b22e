// Truthful pixels (DESIGN.md section 7). An activity of two columns or more is a bar, drawn as itself. Every
// other column that something shorter touches shows a fill whose height is the share of the column's time
// that is busy, split by class, and at its foot a one-pixel tick, however short the activity is. A bar gives
// way at its edge columns to what is shorter than it. Works in device pixels; knows no widget.
#pragma once

#include <olab/ui/theme.h>
#include <olab/ui/timeline_index.h>

#include <QImage>
#include <QPoint>

namespace olab {

/// Drawn over columns [x0, x1), clipped to the view.
struct Bar {
    ActivityIndex activity = 0;
    int x0 = 0, x1 = 0;
};

/// What one column shows. Heights in pixels, foot to top in the order of ActivityClass; their sum is the
/// share times the height.
struct ColumnFill {
    bool tick = false;
    int total = 0;
    std::array<int, kClassCount> height{};
};

/// All a strip shows in a view: the bars, and the fill of every column outside them. Columns may be asked for
/// in any order; from left to right is fast. One thread.
class StripView {
public:
    StripView(const Strip& strip, const Trace& trace, const Viewport& view);
    std::span<const Bar> bars() const { return m_bars; }
    /// `height`: pixels of a full column. Empty where a bar is drawn or nothing short touches the column.
    ColumnFill column(int px, int height) const;
    bool coveredByBar(int px) const;

private:
    void findBars();
    void giveWay();
    Interval columnAt(int px) const;
    /// `busy`: what the strip measures in the column.
    bool somethingShortIn(Interval column, Ns busy) const;
    void splitByClass(ColumnFill& fill, Interval column, Ns busy) const;
    bool isBar(ActivityIndex index) const { return m_trace.time(index).length() >= m_barLength; }

    const Strip& m_strip;
    const Trace& m_trace;
    const Viewport& m_view;
    Ns m_barLength;
    std::vector<std::size_t> m_classes; ///< those that occur
    std::vector<Bar> m_bars;
    IntervalSet m_barTime;
    // Where the last column was found: only speed depends on it.
    mutable CoverageCursor m_busy, m_ofBars;
    mutable std::vector<CoverageCursor> m_ofClass; ///< as m_classes
    mutable std::size_t m_barAt = 0;
    mutable int m_lastPx = -1;
    mutable Interval m_lastColumn;
};

/// Height in pixels of `part` of `whole`, right to the nearest pixel.
int shareHeight(Ns part, Ns whole, int height);
/// Writes the columns of `view` (not the bars) with the top left corner at `at`; the tick is the last of
/// `height` rows.
void paintColumns(QImage& image, QPoint at, int height, const StripView& strip, int width,
                  const Theme& theme);
/// The ribbon of how many engines were busy at once: nested shares of the time with 1, 2 and 3 or more.
void paintRibbon(QImage& image, QPoint at, int height, const std::array<IntervalSet, 3>& atOnce,
                 const Viewport& view, const Theme& theme);

} // namespace olab
