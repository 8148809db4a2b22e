// Truthful pixels (DESIGN.md section 7). An activity of two columns or more is a bar, drawn as itself. Every
// other column that something shorter touches shows a fill whose height is the share of the column's time
// that is busy, split by class, right to one pixel of height, and at its foot a one-pixel tick, however short
// the activity is. A bar gives way at its edge columns to what is shorter than it. What a strip shows is
// found for all columns in one walk over its index (strip_table.h), so it costs columns, not activities.
// Works in device pixels; knows no widget.
#pragma once

#include <olab/ui/theme.h>
#include <olab/ui/timeline_index.h>
#include <olab/ui/viewport.h>

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

/// A view with the borders of its columns, which all strips share: column px is [borders[px], borders[px +
/// 1]).
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

/// Whether the bits of the table are right to less than half a pixel of height.
bool canGlide(const StripTable& table, const ViewColumns& columns, int height);

/// All a strip shows in a view: the bars, and the fill of every column outside them.
class StripView {
public:
    /// `height`: pixels of a full column.
    StripView(const Strip& strip, const ViewColumns& columns, int height);
    std::span<const Bar> bars() const { return m_bars; }
    bool coveredByBar(int px) const { return m_shows[at(px)] == Shows::Bar; }
    /// Empty where a bar is drawn or nothing short touches the column.
    ColumnFill column(int px) const;
    int height() const { return m_height; }

private:
    friend class StripPainter;
    enum class Shows : std::uint8_t { Open, Nothing, Bar, Short };
    struct Place { ///< of a bar
        std::size_t position;
        int before, after; ///< columns beside it that it only touches; -1: none
    };
    static std::size_t at(int px) { return static_cast<std::size_t>(px); }
    void findBars();
    void addBar(std::size_t position);
    bool shortBefore(std::size_t position, Interval column) const;
    bool shortAfter(std::size_t position, Interval column) const;
    void giveWay();
    void markBars();
    void walk();
    void glide();
    void sum();
    void fillBetween(std::span<const Ns> before, Ns sure);
    bool touched(Interval column) const;
    void findHighest();
    bool isShort(std::size_t position) const { return m_strip.times[position].length() < m_barLength; }

    const Strip& m_strip;
    const ViewColumns& m_columns;
    int m_height;
    Ns m_barLength;
    std::vector<Bar> m_bars;
    std::vector<Place> m_places; ///< of m_bars
    std::vector<Shows> m_shows;  ///< by column
    std::vector<int> m_tops;     ///< by layer and column: pixels up to the top of the layer
    std::vector<int> m_highest;  ///< by layer
};

/// Height in pixels of `part` of `whole`, right to the nearest pixel.
inline int shareHeight(Ns part, Ns whole, int height) {
    if (part <= 0 || whole <= 0)
        return 0;
    // Doubles are exact enough for a share of pixels; the lengths themselves never were doubles.
    return static_cast<int>(static_cast<double>(part) / static_cast<double>(whole) * height + 0.5);
}

/// Of a table with one layer: the height of its share of each column.
void paintTops(const StripTable& table, const ViewColumns& columns, int height, std::span<int> tops);

/// Paints strips and ribbons of one view into an image, each pixel once.
class StripPainter {
public:
    /// `left`: where column 0 is in the image. `base`: what shows through, a pixel for each column.
    /// `line`: how wide the edges of bars are.
    StripPainter(QImage& image, int left, std::vector<QRgb> base, const Theme& theme, int line = 1);
    /// Rows [top, top + height) as the base alone.
    void paintBase(int top, int height);
    /// The tick is what is left of `height` rows below those that the strip was looked at with.
    void paint(int top, int height, const StripView& strip, const Trace& trace);
    /// How many engines were busy at once: nested shares of the time with 1, 2 and 3 or more.
    void paintRibbon(int top, int height, const std::array<StripTable, 3>& atOnce,
                     const ViewColumns& columns);

    struct Layer {       ///< fills each column from the foot
        const int* tops; ///< by column: pixels up to its top
        int highest;
        QRgb colour;
    };

private:
    QRgb* row(int y) { return m_bits + y * m_stride + m_left; }
    void paintRow(int y, int fromFoot, const QRgb* base, std::span<const Layer> layers);
    int drawBars(const StripView& strip, const Trace& trace);

    QRgb* m_bits;
    qsizetype m_stride;
    int m_left, m_rows;
    std::size_t m_width;
    std::vector<QRgb> m_base;
    std::vector<QRgb> m_spare, m_under; ///< for rows of more layers than go over a row at once
    std::vector<QRgb>
        m_barRows; ///< the base with the bars of the strip being painted, for each row of the hatch
    const Theme& m_theme;
    int m_line;
};

} // namespace olab
