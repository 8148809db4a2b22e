// The whole picture: title and badge, why it took so long, origin, verdicts, settings, lanes, legend, from
// top to bottom. A tall one is as high as all that takes. A wide one is a slide: the verdicts are chips, what
// is known of the run stands below the lanes, and these take the height that is left.
#pragma once

#include "pictures/lane_figure.h"
#include "pictures/picture_text.h"

#include <algorithm>
#include <functional>

class QPainter;

namespace olab {

class PicturePainter {
public:
    /// @throws Error kind Usage when the width is out of bounds, or there is more than fits on one picture
    PicturePainter(const ViewData& shown, const PictureRequest& request);
    QSize size() const { return m_size; } ///< logical pixels; of a wide picture always the same
    /// What a logical pixel of size() is of one of the request's.
    static double scaleOf(const PictureRequest& request);
    const PictureText& text() const { return m_text; }
    void paint(QPainter& painter);

private:
    bool isWide() const { return m_request.shape == PictureShape::Wide; }
    void fit();
    void fitLanes(int over);
    void flow(); ///< without a painter: finds the height
    void flowTall();
    void flowWide();
    void title();
    void badge(const QRect& area, const QFont& font);
    void race();
    void account();
    void accountBar(const Ledger& ledger);
    void reason();
    void verdicts();
    void chips();
    int chip(const QString& text, int x, const QColor* fill);
    int outcomeWidth() const;
    void lanes();
    void facts();
    void marks();
    void legend();
    void entry(int& x, const QString& label, const std::function<void(const QRect&)>& swatch);
    void paragraph(const QString& text, const QFont& font, const QColor& colour, int x, int width,
                   int mostLines);
    int heightOf(const QString& text, const QFont& font, int width, int mostLines) const;
    int most(int lines) const { return std::min(lines, m_mostLines); }
    QFont sized(int px, bool bold = false) const;
    int room() const;

    const ViewData& m_shown;
    PictureRequest m_request;
    int m_width;           ///< logical pixels
    int m_mostLines = 100; ///< of a paragraph: a slide with much to say is brief
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
