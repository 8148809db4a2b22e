#include "tracing/recorded_strip.h"

#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/timeline_canvas.h>

#include <QPainter>

#include <algorithm>
#include <utility>

namespace olab::ui {

RecordedStrip::RecordedStrip(const TimelineCanvas& canvas, QWidget* parent)
    : QWidget(parent)
    , m_canvas(canvas) {
    nameWidget(*this, "recordedStrip", tr("When recording was on"));
    setTip(
        *this,
        tr("Where recording was switched on and off. While it is off the program runs on, and nothing of it "
           "is seen here."));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&canvas, &TimelineCanvas::viewportChanged, this, qOverload<>(&QWidget::update));
    hide();
}

QSize RecordedStrip::sizeHint() const {
    return {0, QFontMetrics(ViewStyle::of(font()).smallFont(font(), true)).height() + 6};
}

void RecordedStrip::setOn(std::vector<Interval> on) {
    m_on = std::move(on);
    setVisible(!m_on.empty());
    setAccessibleDescription(marks().join(QStringLiteral(", ")));
    update();
}

bool RecordedStrip::isOnAt(Ns time) const {
    return std::ranges::any_of(m_on, [time](const Interval& span) { return span.contains(time); });
}

std::vector<RecordedStrip::Switch> RecordedStrip::switchesInView() const {
    const Interval seen = m_canvas.viewport().visible();
    std::vector<Switch> all;
    for (const Interval& span : m_on) {
        if (seen.contains(span.begin))
            all.push_back({span.begin, true});
        if (seen.contains(span.end))
            all.push_back({span.end, false});
    }
    return all;
}

QStringList RecordedStrip::marks() const {
    QStringList words;
    for (const Switch& mark : switchesInView())
        words << (mark.on ? tr("on") : tr("off"));
    return words;
}

int RecordedStrip::xOf(Ns time) const {
    const double x = static_cast<double>(m_canvas.viewport().edgeAt(time)) / devicePixelRatioF();
    return std::clamp(m_canvas.gutter() + static_cast<int>(std::clamp(x, -1e6, 1e6)), m_canvas.gutter(),
                      width());
}

void RecordedStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    const ViewStyle sizes = ViewStyle::of(font());
    painter.fillRect(rect(), theme.raised);
    painter.fillRect(0, height() - sizes.line, width(), sizes.line, theme.line);
    painter.setFont(sizes.smallFont(font()));
    painter.setPen(theme.dim);
    painter.drawText(QRect(10, 0, m_canvas.gutter() - 14, height()), Qt::AlignVCenter, tr("recording"));
    const Interval seen = m_canvas.viewport().visible();
    const int bar = sizes.scaled(4), top = height() - sizes.line - bar;
    painter.fillRect(m_canvas.gutter(), top, width() - m_canvas.gutter(), bar,
                     QBrush(theme.dim, Qt::BDiagPattern));
    for (const Interval& span : m_on)
        if (const int from = xOf(span.begin), to = xOf(span.end); to > from)
            painter.fillRect(from, top, to - from, bar, theme.accent);
    const auto write = [&](int x, int until, const QString& words) {
        painter.setPen(theme.text);
        const QRect room(x + sizes.scaled(5), 0, until - x - sizes.scaled(8), top);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         painter.fontMetrics().elidedText(words, Qt::ElideRight, room.width()));
    };
    const std::vector<Switch> marks = switchesInView();
    write(m_canvas.gutter(), marks.empty() ? width() : xOf(marks.front().at),
          isOnAt(seen.begin) ? tr("on") : tr("off"));
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const bool isLast = i + 1 == marks.size();
        const int x = xOf(marks[i].at);
        painter.fillRect(x, 0, sizes.strong, height(), theme.selection);
        const QString off =
            isLast ? tr("off")
                   : tr("off for %1").arg(durationText(marks[isLast ? i : i + 1].at - marks[i].at));
        write(x, isLast ? width() : xOf(marks[i + 1].at), marks[i].on ? tr("on") : off);
    }
}

} // namespace olab::ui
