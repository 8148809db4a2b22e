#include "sweep/sweep_map.h"

#include "base/ledger_pieces.h"
#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kScaleHeight = 34, kHeadLines = 2;

int lineHeight(const QWidget& widget) {
    return ViewStyle::of(widget.font()).scaled(18);
}

} // namespace

SweepMap::SweepMap(QWidget* parent)
    : QWidget(parent) {
    nameWidget(*this, "sweepMap", tr("Map of the sweep"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize SweepMap::minimumSizeHint() const {
    const ViewStyle style = ViewStyle::of(font());
    return {style.scaled(260), style.scaled(160)};
}

void SweepMap::setSweep(const sweep::Sweep* sweep, sweep::Figure figure) {
    m_sweep = sweep;
    m_figure = figure;
    m_scale = sweep ? SweepScale::of(*sweep, figure) : SweepScale();
    if (m_current && (!sweep || *m_current >= sweep->cells.size()))
        m_current.reset();
    tell();
    update();
}

void SweepMap::choose(std::size_t cell) {
    if (!m_sweep || cell >= m_sweep->cells.size() || m_current == cell)
        return;
    m_current = cell;
    tell();
    update();
    emit chosen(cell);
}

/// A screen reader says the cell that is chosen.
void SweepMap::tell() {
    const QString text = m_sweep && m_current ? cellSentence(*m_sweep, *m_current) : QString();
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

std::size_t SweepMap::down() const {
    return m_sweep->grid.axes.size() > 1 ? m_sweep->grid.axes.back().values.size() : 1;
}

QRectF SweepMap::field() const {
    const ViewStyle style = ViewStyle::of(font());
    int names = style.scaled(10);
    if (m_sweep->grid.axes.size() > 1) {
        const QFontMetrics metrics(style.smallFont(font()));
        names = metrics.horizontalAdvance(fromText(m_sweep->grid.axes.back().name()));
        for (const std::string& value : m_sweep->grid.axes.back().values)
            names = std::max(names, metrics.horizontalAdvance(fromText(value)));
        names = std::min(names + style.scaled(22), width() / 3);
    }
    return QRectF(rect()).adjusted(names, kHeadLines * lineHeight(*this) + style.scaled(4), -style.scaled(10),
                                   -style.scaled(kScaleHeight));
}

QRectF SweepMap::rectOf(std::size_t cell) const {
    const QRectF room = field();
    const double wide = room.width() / static_cast<double>(across()),
                 high = room.height() / static_cast<double>(down());
    const auto x = static_cast<double>(cell % across()), y = static_cast<double>(cell / across());
    return {room.left() + x * wide, room.top() + y * high, wide, high};
}

std::optional<std::size_t> SweepMap::cellAt(QPointF place) const {
    if (!m_sweep || !field().contains(place))
        return std::nullopt;
    const QRectF room = field(), one = rectOf(0);
    const auto x = std::min(across() - 1, static_cast<std::size_t>((place.x() - room.left()) / one.width()));
    const auto y = std::min(down() - 1, static_cast<std::size_t>((place.y() - room.top()) / one.height()));
    return m_sweep->grid.cellAt(x, y);
}

void SweepMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    painter.fillRect(rect(), theme.base);
    if (!m_sweep) {
        painter.setPen(theme.dim);
        painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("Choose an option above and the values to try, then press Start: every cell is "
                            "a run of the form with these values. Open shows a sweep that was kept."));
        return;
    }
    if (field().width() < 10 || field().height() < 10)
        return;
    painter.setFont(ViewStyle::of(font()).smallFont(font()));
    paintHeads(painter, theme);
    for (std::size_t cell = 0; cell < m_sweep->cells.size(); ++cell)
        paintCell(painter, cell, theme);
    paintScale(painter, theme);
    if (m_current) {
        painter.setPen(QPen(theme.text, ViewStyle::of(font()).strong));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rectOf(*m_current).adjusted(1, 1, -1, -1));
    }
}

void SweepMap::paintCell(QPainter& painter, std::size_t cell, const Theme& theme) const {
    const QRectF box = rectOf(cell).adjusted(0.5, 0.5, -0.5, -0.5);
    const auto value = sweep::figureOf(*m_sweep, cell, m_figure);
    const QColor fill = value ? m_scale.colour(*value, theme) : theme.lane;
    painter.fillRect(box, fill);
    painter.setPen(QPen(theme.grid, 1));
    painter.drawRect(box);
    const QStringList lines = linesOf(cell, QFontMetricsF(painter.font()), box.size());
    const bool isPrediction = m_sweep->state(cell) == sweep::CellState::Simulated;
    if (isPrediction && (!lines.empty() || anyMeasured()))
        paintCorner(painter, box, inkInCell(fill));
    painter.setPen(inkInCell(fill));
    painter.drawText(box, Qt::AlignCenter, lines.join(QLatin1Char('\n')));
}

/// What fits: the figure, else without its unit, which the scale has; below it how far it is from the
/// prediction.
QStringList SweepMap::linesOf(std::size_t cell, const QFontMetricsF& metrics, QSizeF room) const {
    constexpr double kAir = 6, kTwoLines = 2.2;
    const auto fits = [&](const QString& text) {
        return metrics.horizontalAdvance(text) + kAir <= room.width() && metrics.height() <= room.height();
    };
    QString text = cellLabel(*m_sweep, cell, m_figure);
    if (!fits(text) && sweep::figureOf(*m_sweep, cell, m_figure))
        text = text.section(QLatin1Char(' '), 0, -2);
    if (text.isEmpty() || !fits(text))
        return {};
    const auto off = m_sweep->cells[cell].off();
    const bool saysOff = off && m_figure != sweep::Figure::Off && !m_sweep->simulated;
    const QString below = saysOff ? figureValue(sweep::Figure::Off, *off) : QString();
    if (below.isEmpty() || !fits(below) || kTwoLines * metrics.height() > room.height())
        return {text};
    return {text, below};
}

/// Seen without colours, and behind no letters.
void SweepMap::paintCorner(QPainter& painter, const QRectF& box, const QColor& ink) {
    constexpr double kSize = 9, kMostOfBox = 3;
    const double size = std::min({kSize, box.width() / kMostOfBox, box.height() / kMostOfBox});
    QPainterPath corner;
    corner.moveTo(box.topRight());
    corner.lineTo(box.right() - size, box.top());
    corner.lineTo(box.right(), box.top() + size);
    corner.closeSubpath();
    painter.fillPath(corner, ink);
}

/// What the signs in the cells mean.
QString SweepMap::legend() const {
    QString text;
    bool anySimulated = false;
    for (std::size_t cell = 0; cell < m_sweep->cells.size(); ++cell)
        anySimulated = anySimulated || m_sweep->state(cell) == sweep::CellState::Simulated;
    if (anySimulated)
        text += QStringLiteral("   ") + tr("◥ ~ simulated");
    if (anyMeasured() && m_figure != sweep::Figure::Off)
        text += QStringLiteral("   ") + tr("below: time against prediction");
    return text;
}

void SweepMap::paintHeads(QPainter& painter, const Theme& theme) const {
    const ViewStyle style = ViewStyle::of(font());
    const QRectF room = field();
    const int line = lineHeight(*this);
    const QFontMetricsF metrics(painter.font());
    const auto written = [&](const QRectF& place, int align, const std::string& text, const QColor& ink) {
        painter.setPen(ink);
        painter.drawText(place, align | Qt::AlignVCenter,
                         metrics.elidedText(fromText(text), Qt::ElideRight, place.width()));
    };
    const sweep::Grid& grid = m_sweep->grid;
    written({room.left(), 0, room.width(), static_cast<double>(line)}, Qt::AlignHCenter,
            grid.axes.front().name(), theme.dim);
    for (std::size_t x = 0; x < across(); ++x) {
        const QRectF box = rectOf(x);
        written({box.left() + 1, static_cast<double>(line), box.width() - 2, static_cast<double>(line)},
                Qt::AlignHCenter, grid.axes.front().values[x], theme.text);
    }
    if (grid.axes.size() < 2)
        return;
    const double left = style.scaled(8), wide = room.left() - left - style.scaled(6);
    written({left, static_cast<double>(line), wide, static_cast<double>(line)}, Qt::AlignRight,
            grid.axes.back().name(), theme.dim);
    for (std::size_t y = 0; y < down(); ++y) {
        const QRectF box = rectOf(grid.cellAt(0, y));
        written({left, box.top(), wide, box.height()}, Qt::AlignRight, grid.axes.back().values[y],
                theme.text);
    }
}

void SweepMap::paintScale(QPainter& painter, const Theme& theme) const {
    if (m_scale.empty())
        return;
    const ViewStyle style = ViewStyle::of(font());
    const QRectF room = field();
    const QFontMetricsF metrics(painter.font());
    const QString low = figureValue(m_figure, m_scale.low),
                  high = figureValue(m_figure, m_scale.high) + legend();
    const double top = room.bottom() + style.scaled(10), height = style.scaled(12);
    const double left = room.left() + metrics.horizontalAdvance(low) + 6,
                 right =
                     std::min(left + style.scaled(160), room.right() - metrics.horizontalAdvance(high) - 6);
    constexpr int kSteps = 32;
    if (right < left + kSteps)
        return;
    const double step = (right - left) / kSteps;
    for (int i = 0; i < kSteps; ++i)
        painter.fillRect(
            QRectF(left + i * step, top, step + 0.5, height),
            m_scale.colour(m_scale.low + (m_scale.high - m_scale.low) * (i + 0.5) / kSteps, theme));
    painter.setPen(theme.grid);
    painter.drawRect(QRectF(left, top, right - left, height));
    painter.setPen(theme.text);
    const double middle = top + height / 2, half = metrics.height() / 2;
    painter.drawText(QRectF(room.left(), middle - half, left - room.left() - 6, 2 * half),
                     Qt::AlignRight | Qt::AlignVCenter, low);
    painter.drawText(QRectF(right + 6, middle - half, width() - right - 6, 2 * half),
                     Qt::AlignLeft | Qt::AlignVCenter, high);
}

void SweepMap::mouseMoveEvent(QMouseEvent* event) {
    const auto cell = cellAt(event->position());
    setCursor(cell ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (cell)
        choose(*cell);
}

void SweepMap::mouseReleaseEvent(QMouseEvent* event) {
    if (const auto cell = cellAt(event->position()); cell && event->button() == Qt::LeftButton) {
        choose(*cell);
        emit opened(*cell);
    }
}

void SweepMap::keyPressEvent(QKeyEvent* event) {
    if (!m_sweep)
        return QWidget::keyPressEvent(event);
    const std::size_t cell = m_current.value_or(0), x = cell % across(), y = cell / across();
    switch (event->key()) {
    case Qt::Key_Left:
        return choose(m_sweep->grid.cellAt(x - (x > 0 ? 1 : 0), y));
    case Qt::Key_Right:
        return choose(m_sweep->grid.cellAt(std::min(x + 1, across() - 1), y));
    case Qt::Key_Up:
        return choose(m_sweep->grid.cellAt(x, y - (y > 0 ? 1 : 0)));
    case Qt::Key_Down:
        return choose(m_sweep->grid.cellAt(x, std::min(y + 1, down() - 1)));
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return m_current ? emit opened(*m_current) : void();
    default:
        return QWidget::keyPressEvent(event);
    }
}

bool SweepMap::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && m_sweep) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        if (const auto cell = cellAt(help->pos()))
            showTip(help->globalPos(), tr("%1 A click opens its run.").arg(cellSentence(*m_sweep, *cell)),
                    this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace olab::ui
