// What the painters of pictures share: words, boxes, lanes and entries of a legend, one below the other from
// m_y on. Without a painter nothing is drawn and only the height is found. A wide picture is laid out for
// kWideWidth and scaled to the width that is asked for.
#pragma once

#include "pictures/lane_figure.h"

#include <functional>

class QPainter;

namespace olab::ui {

class PictureFlow {
public:
    /// What a logical pixel of a picture is of one of the request's.
    static double scaleOf(const PictureRequest& request);

protected:
    static constexpr int kMargin = 16, kGap = 6, kWideHeight = kWideWidth * 9 / 16;
    using Swatch = std::function<void(QPainter&, const QRect&)>;

    /// @throws Error kind Usage when the width is out of bounds
    explicit PictureFlow(const PictureRequest& request);
    void paintFlow(QPainter& painter, QSize size); ///< flow(), once more, with a painter
    virtual void flow() = 0;
    bool isWide() const { return m_request.shape == PictureShape::Wide; }
    int room() const { return m_width - 2 * kMargin; }
    QFont sized(int px, bool bold = false) const;
    int heightOf(const QString& text, const QFont& font, int width, int mostLines) const;
    void paragraph(const QString& text, const QFont& font, const QColor& colour, int x, int width,
                   int mostLines);
    void warning(const QString& text, int mostLines); ///< nobody may overlook it
    void badge(const QRect& area, const QString& text, const QFont& font);
    void framed(const LaneFigure& lanes);
    void entry(int& x, const QString& label, const Swatch& swatch);
    void classEntries(int& x, const std::vector<ActivityClass>& classes);
    void colourEntries(int& x, const view::Colouring& colouring);
    void waitEntries(int& x, const std::vector<analysis::LossCause>& causes);
    void endLegend() { m_y += m_style.scaled(18) + kGap; }
    void maker(); ///< which program

    PictureRequest m_request;
    int m_width; ///< logical pixels
    const Theme& m_theme;
    ViewStyle m_style;
    QPainter* m_painter = nullptr;
    int m_y = 0;

    ~PictureFlow() = default;
};

/// The font of all pictures, whatever the window uses: the same request gives the same bytes.
QFont pictureFont();

} // namespace olab::ui
