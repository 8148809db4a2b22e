// The whole picture: title and badge, origin, verdicts, settings, lanes, legend, from top to bottom.
#pragma once

#include "pictures/lane_figure.h"
#include "pictures/picture_text.h"

#include <functional>

class QPainter;

namespace olab {

class PicturePainter {
public:
    /// @throws Error kind Usage when the width is out of bounds, or there is more than fits on one picture
    PicturePainter(const Shown& shown, const PictureRequest& request);
    QSize size() const { return m_size; } ///< logical pixels
    const PictureText& text() const { return m_text; }
    void paint(QPainter& painter);

private:
    void flow(); ///< without a painter: finds the height
    void title();
    void badge(const QRect& area, const QFont& font);
    void race();
    void verdicts();
    int outcomeWidth() const;
    void lanes();
    void marks();
    void legend();
    void entry(int& x, const QString& label, const std::function<void(const QRect&)>& swatch);
    void paragraph(const QString& text, const QFont& font, const QColor& colour, int x, int width,
                   int mostLines);
    QFont sized(int px, bool bold = false) const;
    int room() const;

    PictureRequest m_request;
    const Theme& m_theme;
    PictureText m_text;
    ViewStyle m_style;
    QFont m_font;
    LaneFigure m_lanes;
    QSize m_size;
    QPainter* m_painter = nullptr;
    int m_y = 0;
};

/// The font of all pictures, whatever the window uses: the same request gives the same bytes.
QFont pictureFont();

} // namespace olab
