// Paints two recordings one above the other, from top to bottom: the difference in words, what each pair of
// classes came to in both, the two timelines, the legend. As high as all that takes.
#pragma once

#include "pictures/lane_figure.h"
#include "pictures/picture_text.h"

#include <olab/analysis/comparison.h>

#include <functional>
#include <memory>

class QPainter;

namespace olab {

class ComparePainter {
public:
    /// @throws Error kind Usage when the width is out of bounds
    ComparePainter(const ViewData& before, const ViewData& after, const PictureRequest& request);
    QSize size() const { return {m_request.width, m_height}; } ///< logical pixels
    QString title() const;
    void paint(QPainter& painter);

private:
    /// One of the two; what it draws refers to its request, so it stays where it is.
    struct Side {
        Side(const ViewData& run, QString name, const PictureRequest& wanted, int width);
        const ViewData& shown;
        QString role;
        PictureRequest request;
        LaneFigure lanes;
        PictureText text;
    };
    void flow();
    void words();
    void warning(const QString& text);
    void verdicts();
    int cell(const Verdict* verdict, int x, int width);
    void side(Side& side);
    void heading(const Side& side);
    void legend();
    void entry(int& x, const QString& label, const std::function<void(const QRect&)>& swatch);
    void paragraph(const QString& text, int type, bool bold, const QColor& colour, int x, int width);
    QFont sized(int px, bool bold = false) const;
    int room() const;

    PictureRequest m_request;
    const Theme& m_theme;
    ViewStyle m_style;
    std::unique_ptr<Side> m_before, m_after;
    Comparison m_comparison;
    int m_height = 0, m_y = 0;
    QPainter* m_painter = nullptr; ///< null: only the height is looked for
};

} // namespace olab
