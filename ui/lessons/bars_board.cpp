#include "lessons/bars_board.h"

#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace olab::ui {

namespace {

constexpr int kAir = 6;

} // namespace

LengthBars::LengthBars(std::vector<LessonLength> lengths, Ns whole, QWidget* parent)
    : QWidget(parent)
    , m_lengths(std::move(lengths))
    , m_whole(whole) {
    for (const LessonLength& one : m_lengths)
        m_whole = std::max({m_whole, whole > 0 ? Ns{1} : one.length, Ns{1}});
    setObjectName(QStringLiteral("lessonLengths"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    QStringList said;
    for (const LessonLength& one : m_lengths)
        said << (one.name.isEmpty() ? one.value : QStringLiteral("%1: %2").arg(one.name, one.value));
    setAccessibleName(tr("Bars on one axis"));
    setAccessibleDescription(said.join(QStringLiteral(", ")));
}

int LengthBars::rowHeight() const {
    return fontMetrics().height() + kAir;
}

/// As wide as any of these texts may be: the row of this step is bold.
int LengthBars::widest(QString LessonLength::*text) const {
    QFont bold = font();
    bold.setBold(true);
    int wide = 0;
    for (const LessonLength& one : m_lengths)
        wide = std::max(wide, QFontMetrics(bold).horizontalAdvance(one.*text));
    return wide + kAir;
}

QSize LengthBars::sizeHint() const {
    return {nameWidth() + 120, rowHeight() * static_cast<int>(m_lengths.size())};
}

QRect LengthBars::barRect(std::size_t number) const {
    const int room = std::max(width() - nameWidth() - widest(&LessonLength::value), 10);
    const double share = static_cast<double>(m_lengths[number].length) / static_cast<double>(m_whole);
    return {nameWidth(), static_cast<int>(number) * rowHeight() + 2,
            std::max(static_cast<int>(room * share), 2), rowHeight() - 4};
}

void LengthBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    for (std::size_t i = 0; i < m_lengths.size(); ++i) {
        const QRect bar = barRect(i);
        QFont font = this->font();
        font.setBold(m_lengths[i].now);
        painter.setFont(font);
        painter.setPen(theme.text);
        painter.drawText(QRect(0, bar.y(), nameWidth(), bar.height()), Qt::AlignVCenter | Qt::AlignLeft,
                         m_lengths[i].name);
        painter.fillRect(bar, m_lengths[i].now ? theme.accent : theme.dim);
        painter.drawText(QRect(bar.right() + kAir, bar.y(), width(), bar.height()),
                         Qt::AlignVCenter | Qt::AlignLeft, m_lengths[i].value);
    }
}

namespace {

constexpr double kStep = 0.25; // units that a key moves a bar, and to which the mouse snaps
constexpr int kRow = 26, kWide = 240, kSlit = 4;

} // namespace

std::vector<double> BarsBoard::startOf(const lesson::LessonBars& bars) {
    return std::vector<double>(bars.bars.size(), 0.0);
}

std::vector<lesson::BarSpan> BarsBoard::spansOf(const lesson::LessonBars& bars,
                                                const std::vector<double>& begins) {
    std::vector<lesson::BarSpan> spans;
    for (std::size_t i = 0; i < bars.bars.size() && i < begins.size(); ++i)
        spans.push_back({begins[i], begins[i] + bars.bars[i].length});
    return spans;
}

BarsBoard::BarsBoard(const lesson::LessonBars& bars, std::vector<double> begins,
                     std::function<void(const std::vector<double>&)> placed, QWidget* parent)
    : QWidget(parent)
    , m_bars(bars)
    , m_placed(std::move(placed)) {
    setObjectName(QStringLiteral("bars"));
    if (begins.size() != bars.bars.size())
        begins = startOf(bars);
    m_spans = spansOf(bars, begins);
    m_all = 0;
    for (const lesson::LessonBar& bar : bars.bars)
        m_all += bar.length;
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(
        tr("Bars of %1 operations: up and down choose one, left and right move it").arg(bars.bars.size()));
    setTip(*this,
           tr("Drag a bar, or choose it with up and down and move it with left and right (Shift: further). "
              "Enter: they stay as they are."));
    speak();
}

BarsBoard::BarsBoard(const lesson::LessonBars& bars, const std::vector<Interval>& ran, QWidget* parent)
    : QWidget(parent)
    , m_bars(bars) {
    setObjectName(QStringLiteral("barsRan"));
    Ns first = ran.front().begin, last = ran.front().end;
    for (const Interval& time : ran) {
        first = std::min(first, time.begin);
        last = std::max(last, time.end);
    }
    QStringList words;
    for (std::size_t i = 0; i < ran.size(); ++i) {
        m_spans.push_back(
            {static_cast<double>(ran[i].begin - first), static_cast<double>(ran[i].end - first)});
        words << tr("%1 from %2 to %3")
                     .arg(fromText(bars.bars[i].label), durationText(ran[i].begin - first),
                          durationText(ran[i].end - first));
    }
    m_all = std::max(static_cast<double>(last - first), 1.0);
    setAccessibleName(tr("Where they ran: %1").arg(words.join(QStringLiteral("; "))));
}

int BarsBoard::rowHeight() const {
    return ViewStyle::of(font()).scaled(kRow);
}

QSize BarsBoard::sizeHint() const {
    return {ViewStyle::of(font()).scaled(kWide), rowHeight() * static_cast<int>(m_spans.size()) + 2};
}

QRect BarsBoard::barRect(std::size_t bar) const {
    const int left = 1 + static_cast<int>(std::lround(m_spans[bar].begin * unit()));
    const int right = 1 + static_cast<int>(std::lround(m_spans[bar].end * unit()));
    const int top = 1 + static_cast<int>(bar) * rowHeight();
    return {left, top + kSlit / 2, std::max(right - left, 3), rowHeight() - kSlit};
}

void BarsBoard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    for (std::size_t i = 0; i < m_spans.size(); ++i)
        painter.fillRect(QRect(0, 1 + static_cast<int>(i) * rowHeight(), width(), rowHeight() - 1),
                         i % 2 == 0 ? theme.lane : theme.base);
    for (std::size_t i = 0; i < m_spans.size(); ++i)
        paintBar(painter, i);
}

/// Its label stands in it, else beside it where there is more room.
void BarsBoard::paintBar(QPainter& painter, std::size_t bar) {
    const Theme& theme = Theme::of(palette());
    const QRect area = barRect(bar);
    const QColor fill = theme.colour(m_bars.bars[bar].op.cls);
    painter.setFont(ViewStyle::of(font()).smallFont(font()));
    painter.fillRect(area, fill);
    painter.fillRect(area, QBrush(inkOn(fill), hatchOf(m_bars.bars[bar].op.cls) == Qt::SolidPattern
                                                   ? Qt::NoBrush
                                                   : hatchOf(m_bars.bars[bar].op.cls)));
    const QString label = fromText(m_bars.bars[bar].label);
    const int wide = painter.fontMetrics().horizontalAdvance(label) + 8;
    if (wide <= area.width()) {
        painter.fillRect(QRect(area.left() + 2, area.top() + 3, wide - 2, area.height() - 6), fill);
        painter.setPen(inkOn(fill));
        painter.drawText(area.adjusted(4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, label);
    } else {
        const bool atRight = width() - area.right() >= area.left();
        painter.setPen(theme.text);
        const QRect room =
            atRight ? QRect(area.right() + 4, area.top(), width() - area.right() - 6, area.height())
                    : QRect(0, area.top(), area.left() - 4, area.height());
        painter.drawText(room, (atRight ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(label, Qt::ElideRight, room.width()));
    }
    if (m_placed && hasFocus() && bar == m_bar) {
        painter.setPen(QPen(theme.text, ViewStyle::of(font()).strong));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area.adjusted(1, 1, -1, -1));
    }
}

void BarsBoard::move(std::size_t bar, double begin) {
    const double length = m_bars.bars[bar].length;
    const double snapped = std::clamp(std::round(begin / kStep) * kStep, 0.0, std::max(m_all - length, 0.0));
    if (snapped == m_spans[bar].begin)
        return;
    m_spans[bar] = {snapped, snapped + length};
    m_moved = true;
    speak();
    update();
}

void BarsBoard::tell() {
    std::vector<double> begins;
    for (const lesson::BarSpan& span : m_spans)
        begins.push_back(span.begin);
    m_placed(begins);
}

/// "H2D 2: second 0.25; together with kernel 1".
QString BarsBoard::spoken(std::size_t bar) const {
    QStringList beside;
    for (std::size_t i = 0; i < m_spans.size(); ++i)
        if (i != bar && lesson::areTogether(m_spans[i], m_spans[bar]))
            beside << fromText(m_bars.bars[i].label);
    const QString label = fromText(m_bars.bars[bar].label);
    return beside.isEmpty() ? tr("%1: alone").arg(label)
                            : tr("%1: together with %2").arg(label, beside.join(QStringLiteral(", ")));
}

void BarsBoard::speak() {
    setAccessibleDescription(spoken(m_bar));
}

void BarsBoard::mousePressEvent(QMouseEvent* event) {
    if (!m_placed || !isEnabled() || event->button() != Qt::LeftButton)
        return;
    for (std::size_t i = 0; i < m_spans.size(); ++i)
        if (barRect(i).adjusted(-3, -kSlit, 3, kSlit).contains(event->position().toPoint())) {
            m_bar = i;
            m_drags = true;
            m_moved = false;
            m_grip = (event->position().x() - 1) / unit() - m_spans[i].begin;
            speak();
            update();
            return;
        }
}

void BarsBoard::mouseMoveEvent(QMouseEvent* event) {
    if (m_drags)
        move(m_bar, (event->position().x() - 1) / unit() - m_grip);
}

void BarsBoard::mouseReleaseEvent(QMouseEvent*) {
    if (std::exchange(m_drags, false) && m_moved)
        tell();
}

void BarsBoard::keyPressEvent(QKeyEvent* event) {
    const bool further = event->modifiers() & Qt::ShiftModifier;
    const double by = further ? 1 : kStep;
    switch (m_placed && isEnabled() ? event->key() : 0) {
    case Qt::Key_Up:
    case Qt::Key_Down:
        m_bar = (m_bar + (event->key() == Qt::Key_Down ? 1 : m_spans.size() - 1)) % m_spans.size();
        speak();
        return update();
    case Qt::Key_Left:
    case Qt::Key_Right:
        move(m_bar, m_spans[m_bar].begin + (event->key() == Qt::Key_Right ? by : -by));
        return tell();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return tell();
    default:
        QWidget::keyPressEvent(event);
    }
}

void BarsBoard::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void BarsBoard::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

} // namespace olab::ui
