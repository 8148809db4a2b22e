// Paints two recordings one above the other, from top to bottom: the difference in words, what each pair of
// classes came to in both, the two timelines, the legend. As high as all that takes; on a wide one the two
// timelines share the height that the words leave.
#pragma once

#include "pictures/picture_flow.h"
#include "pictures/picture_text.h"

#include <olab/comparison/comparison.h>

#include <memory>

namespace olab::ui {

class ComparePainter final : PictureFlow {
public:
    /// @throws Error kind Usage when the width is out of bounds
    ComparePainter(const ComparedPicture& compared, const PictureRequest& request);
    QSize size() const { return {m_width, m_height}; } ///< logical pixels
    using PictureFlow::scaleOf;
    QString title() const;
    void paint(QPainter& painter) { paintFlow(painter, size()); }

private:
    /// One of the two; what it draws refers to its request, so it stays where it is.
    struct Side {
        Side(const view::ViewData& run, QString name, const PictureRequest& wanted, int width);
        const view::ViewData& shown;
        QString role;
        PictureRequest request;
        LaneFigure lanes;
        PictureText text;
    };
    void fit();
    int leftForLanes() const;
    void shareLanes(int height);
    void flow() override;
    QString scaleText() const;
    void words();
    void verdicts();
    int cell(const analysis::Verdict* verdict, int x, int width);
    void side(Side& side);
    void heading(const Side& side);
    void legend();
    void say(const QString& text, int type, const QColor& colour, bool bold = false);

    std::unique_ptr<Side> m_before, m_after;
    comparison::Comparison m_comparison;
    QString m_changes;  ///< which settings differ
    bool m_isPart;      ///< of the two runs
    std::size_t m_rows; ///< of verdicts: a slide has no room for all
    int m_height = 0;
};

} // namespace olab::ui
