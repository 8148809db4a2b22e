// Paints what strips show in a view (strip_view.h) into an image. Works in device pixels; knows no widget.
#pragma once

#include <olab/ui/theme.h>
#include <olab/view/colouring.h>
#include <olab/view/strip_view.h>

#include <QImage>

#include <span>
#include <vector>

namespace olab::ui {

// How bars are filled: their class gives the hatch, and the fill too unless they are coloured by something
// else (view/colouring.h). The colours of names are the same in light and dark; they lie at least 12
// CIEDE2000 apart, the grey of the others too, and text on them has a contrast of 4.5:1 or more
// (tests/ui/theme_test.cpp). Colours of names are no classes: kinds of colour blindness see some of them
// alike, so names stay written on bars.

const QColor& colourOf(view::ColourNumber number, const Theme& theme);

/// Its class's where `colouring` is null.
const QColor& barColour(const view::Looks& looks, ActivityIndex activity, const view::Colouring* colouring,
                        const Theme& theme);

/// Of a layer of a strip.
const QColor& layerColour(const view::StripView& strip, std::size_t layer, const view::Colouring* colouring,
                          const Theme& theme);
/// What a strip is coloured by: null where `colouring` is, or where it does not know the strip (yet).
const view::Colouring* colouringOf(const view::Strip& strip, const view::Colouring* colouring);
view::StripView stripViewOf(const view::Strip& strip, const view::ViewColumns& columns, int height,
                            const view::Colouring* colouring);

/// What a legend says of an entry: names that are long are cut.
QString entryText(const view::Colouring& colouring, const view::Colouring::Entry& entry);
/// "name", for menus; with its help.
QString colourByText(view::ColourBy by);
QString colourByHelp(view::ColourBy by);

/// Paints strips and ribbons of one view into an image, each pixel once.
class StripPainter {
public:
    /// `left`: where column 0 is in the image. `base`: what shows through, a pixel for each column.
    /// `line`: how wide the edges of bars are.
    StripPainter(QImage& image, int left, std::vector<QRgb> base, const Theme& theme, int line = 1);
    /// Rows [top, top + height) as the base alone.
    void paintBase(int top, int height);
    /// The tick is what is left of `height` rows below those that the strip was looked at with.
    /// `colouring`: what the layers of `strip` are made of; null: looks.
    void paint(int top, int height, const view::StripView& strip, const view::Looks& looks,
               const view::Colouring* colouring = nullptr);
    /// How many engines were busy at once: nested shares of the time with 1, 2 and 3 or more.
    void paintRibbon(int top, int height, const std::array<view::StripTable, 3>& atOnce,
                     const view::ViewColumns& columns);

    /// A value over time: as high as `tops` says in each column, with an edge.
    void paintValue(int top, int height, std::span<const int> tops, const QColor& fill);

    struct Layer {       ///< fills each column from the foot
        const int* tops; ///< by column: pixels up to its top
        int highest;
        QRgb colour;
    };

private:
    QRgb* row(int y) { return m_bits + y * m_stride + m_left; }
    void paintRow(int y, int fromFoot, const QRgb* base, std::span<const Layer> layers);
    int drawBars(const view::StripView& strip, const view::Looks& looks, const view::Colouring* colouring);

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

} // namespace olab::ui
