// The whole picture: title and badge, why it took so long, origin, verdicts, settings, lanes, legend, from
// top to bottom. A tall one is as high as all that takes. A wide one is a slide: the verdicts are chips, what
// is known of the run stands below the lanes, and these take the height that is left.
#pragma once

#include "pictures/picture_flow.h"
#include "pictures/picture_text.h"

#include <algorithm>

namespace olab::ui {

class PicturePainter final : PictureFlow {
public:
    /// @throws Error kind Usage when the width is out of bounds, or there is more than fits on one picture
    PicturePainter(const view::ViewData& shown, const PictureRequest& request);
    QSize size() const { return m_size; } ///< logical pixels; of a wide picture always the same
    using PictureFlow::scaleOf;
    const PictureText& text() const { return m_text; }
    void paint(QPainter& painter) { paintFlow(painter, m_size); }

private:
    void fit();
    void fitLanes(int over);
    void flow() override;
    void flowTall();
    void flowWide();
    void title();
    void account();
    void accountBar(const analysis::Ledger& ledger);
    void reason();
    void verdicts();
    void chips();
    int chip(const QString& text, int x, const QColor* fill);
    int outcomeWidth() const;
    void lanes();
    void facts();
    void marks();
    void legend();
    int most(int lines) const { return std::min(lines, m_mostLines); }

    const view::ViewData& m_shown;
    int m_mostLines = 100; ///< of a paragraph: a slide with much to say is brief
    PictureText m_text;
    LaneFigure m_lanes;
    QSize m_size;
};

} // namespace olab::ui
