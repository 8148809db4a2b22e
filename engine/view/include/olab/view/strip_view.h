// What a strip shows in a view: truthful pixels (resources/doc/design/ui.md). An activity of two columns or
// more is drawn as a bar. Every other column touched by a shorter activity shows a fill whose height is the
// busy share of the column's time, split by class and exact to one pixel of height, and at its bottom a
// one-pixel tick, however short the activity is. At its edge columns a bar yields to shorter activities. One
// pass over the index (strip_table.h) handles all columns, so the cost depends on columns, not on activities.
// Device pixels.
#pragma once

#include <olab/view/timeline_index.h>
#include <olab/view/viewport.h>

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace olab::view {

/// Drawn over columns [x0, x1), clipped to the view.
struct Bar {
    ActivityIndex activity = 0;
    int x0 = 0, x1 = 0;
};

/// What one column shows. Heights in pixels, bottom to top in the order of the looks; their sum is the
/// share times the height.
struct ColumnFill {
    bool tick = false;
    int total = 0;
    std::array<int, kLooks> height{};
};

/// A view with the borders of its columns, shared by all strips: column px is [borders[px], borders[px + 1]).
struct ViewColumns {
    explicit ViewColumns(const Viewport& shown)
        : view(shown)
        , borders(shown.borders()) {}
    Interval operator[](int px) const {
        return {borders[static_cast<std::size_t>(px)], borders[static_cast<std::size_t>(px) + 1]};
    }
    int count() const { return view.width(); }
    Viewport view;
    std::vector<Ns> borders;
};

/// The coarsest table of the same items whose bits are exact to less than half a pixel of height; null: none
/// is. of none are.
const StripTable* levelFor(const StripTable& table, const ViewColumns& columns, int height);

/// Everything a strip shows in a view: the bars, and the fill of every column outside them.
class StripView {
public:
    /// `height`: pixels of a full column. `coloured`: a table of the same activities with other layers than
    /// their classes (colouring.h).
    StripView(const Strip& strip, const ViewColumns& columns, int height,
              const StripTable* coloured = nullptr);
    const Strip& strip() const { return m_strip; }
    std::span<const Bar> bars() const { return m_bars; }
    bool coveredByBar(int px) const { return m_shows[at(px)] == Shows::Bar; }
    /// By look. Empty if a bar is drawn or nothing short touches the column.
    ColumnFill column(int px) const;
    int height() const { return m_height; }
    /// Whether something too short for a bar is there: its tick.
    bool hasTick(int px) const { return m_shows[at(px)] == Shows::Short; }
    /// Bottom to top, as the classes of the strip, or as its colours; for each column the pixels up to the
    /// top of the layer.
    std::size_t layers() const { return m_layers; }
    std::span<const int> tops(std::size_t layer) const {
        return std::span(m_tops).subspan(layer * m_shows.size(), m_shows.size());
    }
    int highest(std::size_t layer) const { return m_highest[layer]; }
    ActivityClass layerLook(std::size_t layer) const { return m_strip.looks[layer]; }

private:
    enum class Shows : std::uint8_t { Open, Nothing, Bar, Short };
    struct Place { ///< of a bar
        std::size_t position;
        int before, after; ///< adjacent columns that it only touches; -1: none
    };
    static std::size_t at(int px) { return static_cast<std::size_t>(px); }
    void findBars();
    void addBar(std::size_t position);
    bool shortBefore(std::size_t position, Interval column) const;
    bool shortAfter(std::size_t position, Interval column) const;
    void giveWay();
    void markBars();
    void fillColumns();
    void findHighest();
    bool isShort(std::size_t position) const { return m_strip.times[position].length() < m_barLength; }

    const Strip& m_strip;
    const StripTable& m_table;
    std::size_t m_layers;
    const ViewColumns& m_columns;
    int m_height;
    Ns m_barLength;
    std::vector<Bar> m_bars;
    std::vector<Place> m_places; ///< of m_bars
    std::vector<Shows> m_shows;  ///< by column
    std::vector<int> m_tops;     ///< by layer and column: pixels up to the top of the layer
    std::vector<int> m_highest;  ///< by layer
};

/// Height in pixels of `part` of `whole`, rounded to the nearest pixel.
inline int shareHeight(Ns part, Ns whole, int height) {
    if (part <= 0 || whole <= 0)
        return 0;
    // Doubles are exact enough for a share of pixels; the lengths themselves never were doubles.
    return static_cast<int>(static_cast<double>(part) / static_cast<double>(whole) * height + 0.5);
}

/// For a table with one layer: the height of its share of each column.
void paintTops(const StripTable& table, const ViewColumns& columns, int height, std::span<int> tops);

// Which activity of a strip is drawn at a column of a view, and where one is drawn: the same answer as
// StripView's (strip_view.h), by binary search, so that it is fast with millions of activities. Device
// pixels.

/// What is drawn in column `px`; else the nearest activity, up to `reach` columns away.
std::optional<ActivityIndex> hitIn(const Strip& strip, const Viewport& view, int px, int reach);

/// Columns [x0, x1), not clipped to the view.
struct DrawnColumns {
    std::int64_t x0 = 0, x1 = 0;
};
/// Nothing if the activity is not in the strip.
std::optional<DrawnColumns> drawnColumns(const Strip& strip, const Viewport& view, ActivityIndex index);

} // namespace olab::view
