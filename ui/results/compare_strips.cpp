#include "results/compare_strips.h"

#include "base/plain_text.h"
#include "timeline/canvas/small_picture.h"

#include <olab/ui/format.h>
#include <olab/ui/verdict_text.h>
#include <olab/ui/view_style.h>
#include <olab/view/viewport.h>

#include <QPainter>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kStripHeight = 44, kGap = 4;

Ns endOf(const view::ViewData& shown) {
    return shown.trace().deviceSpan().end - shown.zero();
}

} // namespace

CompareStrips::CompareStrips(view::ViewDataPtr before, view::ViewDataPtr after, QWidget* parent)
    : QWidget(parent)
    , m_before(std::move(before))
    , m_after(std::move(after)) {
    const Ns longest = std::max({endOf(*m_before), endOf(*m_after), Ns{1}});
    const Ns air = std::max<Ns>(longest / 100, 1);
    m_range = {-air, longest + air};
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Both runs over the same time scale"));
    setTip(*this, tr("The engines of both runs over the same time scale: shorter is faster"));
}

QSize CompareStrips::sizeHint() const {
    const ViewStyle sizes = ViewStyle::of(font());
    return {sizes.gutter() + 300, 2 * sizes.scaled(kStripHeight) + kGap};
}

void CompareStrips::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintRun(painter, *m_before, tr("before"), m_beforePicture, 0);
    paintRun(painter, *m_after, tr("after"), m_afterPicture,
             ViewStyle::of(font()).scaled(kStripHeight) + kGap);
}

void CompareStrips::paintRun(QPainter& painter, const view::ViewData& shown, const QString& role,
                             QImage& picture, int top) {
    painter.save();
    const Theme& theme = Theme::of(palette());
    const ViewStyle sizes = ViewStyle::of(font());
    const int gutter = sizes.gutter(), stripHeight = sizes.scaled(kStripHeight);
    const QRect area(gutter, top, std::max(width() - gutter, 1), stripHeight);
    const double ratio = devicePixelRatioF();
    const QSize size = area.size() * ratio;
    if (picture.size() != size) {
        const Ns zero = shown.zero();
        picture = pictureOf(shown, size, theme, Interval{zero + m_range.begin, zero + m_range.end});
        picture.setDevicePixelRatio(ratio);
    }
    painter.drawImage(area.topLeft(), picture);
    view::Viewport view;
    view.setLimits(m_range);
    view.setWidth(area.width());
    view.fit();
    const int end = area.x() + static_cast<int>(view.edgeAt(endOf(shown)));
    painter.setPen(QPen(theme.accent, sizes.line, Qt::DashLine));
    painter.drawLine(end, area.top(), end, area.bottom());
    painter.fillRect(area.left(), area.bottom() + 1 - sizes.line, area.width(), sizes.line, theme.line);
    const QRect text(12, top, gutter - 16, stripHeight);
    painter.setFont(sizes.smallFont(font()));
    painter.setPen(theme.dim);
    const bool simulated = shown.trace().provenance().source == SourceKind::Simulated;
    painter.drawText(text, Qt::AlignTop | Qt::AlignLeft, simulated ? tr("%1, simulated").arg(role) : role);
    const QString title = painter.fontMetrics().elidedText(titleText(shown), Qt::ElideMiddle, text.width());
    painter.setPen(theme.text);
    painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, title);
    painter.setFont(sizes.smallFont(font(), true));
    painter.drawText(text, Qt::AlignBottom | Qt::AlignLeft,
                     durationText(shown.recording->report.bounds.measured));
    painter.restore();
}

} // namespace olab::ui
