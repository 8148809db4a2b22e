#include "sweep/sweep_chart.h"

#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <map>

namespace olab::ui {

namespace {

/// Per pass, so that cells with other numbers of passes stand side by side.
double perPassOf(const sweep::Cell& cell, Ns time) {
    return static_cast<double>(time) / static_cast<double>(std::max<std::int64_t>(1, cell.passes));
}

} // namespace

SweepChart::SweepChart(QWidget* parent)
    : QWidget(parent) {
    setObjectName(QStringLiteral("sweepChart"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize SweepChart::minimumSizeHint() const {
    const ViewStyle style = ViewStyle::of(font());
    return {style.scaled(220), style.scaled(200)};
}

void SweepChart::setLine(const sweep::Sweep* sweep, std::size_t axis, std::size_t cell,
                         sweep::Figure figure) {
    m_sweep = sweep;
    m_axis = axis;
    m_cell = cell;
    m_figure = figure == sweep::Figure::Off ? sweep::Figure::PerPass : figure;
    m_line = sweep ? sweep::lineThrough(*sweep, axis, cell) : sweep::Line();
    setAccessibleName(
        sweep ? tr("Along %1. %2").arg(fromText(sweep->grid.axes[axis].name()), sentence(m_line.text))
              : tr("Along an axis of the sweep"));
    setTip(*this, accessibleName());
    update();
}

std::vector<SweepChart::Point> SweepChart::points() const {
    std::vector<Point> points;
    const bool isRate = m_figure == sweep::Figure::Rate;
    for (const std::size_t number : m_line.cells) {
        const sweep::Cell& cell = m_sweep->cells[number];
        Point point{sweep::figureOf(*m_sweep, number, m_figure), {}, 0, 0, !cell.times.empty()};
        sweep::Sweep predicted; // the same figure of the prediction alone
        predicted.grid = m_sweep->grid;
        if (cell.predicted) {
            predicted.cells.resize(m_sweep->cells.size());
            predicted.cells[number].predicted = cell.predicted;
            predicted.cells[number].passes = cell.passes;
            point.predicted = sweep::figureOf(predicted, number, m_figure);
        }
        const auto spread = cell.spread();
        point.low = point.high = point.shown.value_or(0);
        if (spread && spread->lowest > 0 && m_figure != sweep::Figure::Efficiency) {
            const auto scaled = [&](Ns time) {
                const double by = static_cast<double>(time) / static_cast<double>(spread->median);
                return isRate ? point.high / by : point.high * by;
            };
            const double a = scaled(spread->lowest), b = scaled(spread->highest);
            point.low = std::min(a, b), point.high = std::max(a, b);
        }
        points.push_back(point);
    }
    return points;
}

void SweepChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    painter.fillRect(rect(), theme.base);
    if (!m_sweep || m_line.cells.empty())
        return;
    const ViewStyle style = ViewStyle::of(font());
    painter.setFont(style.smallFont(font()));
    const int line = style.scaled(18), left = style.scaled(64);
    const QRectF room = QRectF(rect()).adjusted(left, line + 4, -style.scaled(10), -2 * line);
    if (room.width() < 40 || room.height() < 60)
        return;
    painter.setPen(theme.dim);
    painter.drawText(
        QRectF(style.scaled(8), 0, width() - style.scaled(16), line), Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(headText(), Qt::ElideRight, width() - style.scaled(16)));
    QRectF above = room, below = room;
    above.setHeight(room.height() * 0.52);
    below.setTop(above.bottom() + line);
    paintFigures(painter, above, theme);
    paintAccounts(painter, below, theme);
    paintValues(painter, {room.left(), room.bottom(), room.width(), static_cast<double>(line)}, theme);
    paintLegend(painter, {0, room.bottom() + line, static_cast<double>(width()), static_cast<double>(line)},
                theme);
}

/// "Run time along streams at h2d.bytes=16MiB (○ predicted, ● measured)".
QString SweepChart::headText() const {
    const sweep::Grid& grid = m_sweep->grid;
    QString text = tr("%1 along %2").arg(figureLabel(m_figure), fromText(grid.axes[m_axis].name()));
    if (grid.axes.size() > 1)
        text =
            tr("%1 at %2").arg(text, fromText(grid.axes[1 - m_axis].assignment(grid.at(m_cell)[1 - m_axis])));
    return m_sweep->simulated ? tr("%1 (○ predicted, ● simulated runs)").arg(text)
                              : tr("%1 (○ predicted, ● measured)").arg(text);
}

QRectF SweepChart::slot(const QRectF& room, std::size_t index) const {
    const double wide = room.width() / static_cast<double>(m_line.cells.size());
    return {room.left() + wide * static_cast<double>(index), room.top(), wide, room.height()};
}

void SweepChart::paintFigures(QPainter& painter, const QRectF& room, const Theme& theme) const {
    double most = 0;
    for (const Point& point : points())
        most = std::max({most, point.high, point.predicted.value_or(0)});
    if (most <= 0)
        return;
    most *= 1.08;
    painter.setPen(theme.grid);
    painter.drawLine(room.topLeft(), room.bottomLeft());
    painter.drawLine(room.bottomLeft(), room.bottomRight());
    const double half = painter.fontMetrics().height() / 2.0;
    for (const double share : {0.0, 0.5, 1.0}) {
        const double y = room.bottom() - share * room.height() / 1.08;
        painter.setPen(theme.grid);
        painter.drawLine(QPointF(room.left() - 3, y), QPointF(room.right(), y));
        painter.setPen(theme.text);
        painter.drawText(QRectF(0, y - half, room.left() - 6, 2 * half), Qt::AlignRight | Qt::AlignVCenter,
                         figureValue(m_figure, share * most / 1.08));
    }
    paintKnee(painter, room, theme);
    paintPoints(painter, room, most, theme);
}

void SweepChart::paintPoints(QPainter& painter, const QRectF& room, double most, const Theme& theme) const {
    const std::vector<Point> all = points();
    const auto place = [&](std::size_t i, double value) {
        return QPointF(slot(room, i).center().x(), room.bottom() - value / most * room.height());
    };
    painter.setRenderHint(QPainter::Antialiasing);
    const auto path = [&](bool predicted) {
        QPainterPath made;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (const auto value = predicted         ? all[i].predicted
                                   : all[i].measured ? all[i].shown
                                                     : std::nullopt)
                made.elementCount() == 0 ? made.moveTo(place(i, *value)) : made.lineTo(place(i, *value));
        return made;
    };
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.dim, 1.5, Qt::DashLine));
    painter.drawPath(path(true));
    painter.setPen(QPen(theme.accent, 2));
    painter.drawPath(path(false));
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].predicted) {
            painter.setPen(QPen(theme.dim, 1.5));
            painter.setBrush(theme.base);
            painter.drawEllipse(place(i, *all[i].predicted), 4, 4);
        }
        if (!all[i].measured || !all[i].shown)
            continue;
        painter.setPen(QPen(theme.text, 1.5));
        painter.drawLine(place(i, all[i].low), place(i, all[i].high));
        for (const double end : {all[i].low, all[i].high})
            painter.drawLine(place(i, end) - QPointF(4, 0), place(i, end) + QPointF(4, 0));
        painter.setBrush(theme.accent);
        painter.drawEllipse(place(i, *all[i].shown), 3.5, 3.5);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void SweepChart::paintKnee(QPainter& painter, const QRectF& room, const Theme& theme) const {
    if (m_line.shape != sweep::LineShape::Knee)
        return;
    const double x = slot(room, m_line.knee).center().x();
    painter.setPen(QPen(theme.text, 1, Qt::DotLine));
    painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()));
    painter.setPen(theme.text);
    painter.drawText(QRectF(x + 4, room.top(), room.right() - x, painter.fontMetrics().height()),
                     Qt::AlignLeft | Qt::AlignTop, tr("knee"));
}

std::vector<LedgerPiece> SweepChart::piecesOf(std::size_t number) const {
    using enum LedgerPiece::Kind;
    const sweep::CellNumbers* const numbers = m_sweep->cells[number].shownNumbers();
    if (!numbers || !numbers->hasAccount || !numbers->ideal)
        return {};
    std::vector<LedgerPiece> pieces{{Ideal, analysis::LossCause::None, *numbers->ideal, 0}};
    for (const sweep::CauseCost& cost : numbers->causes)
        pieces.push_back({Cause, cost.cause, cost.cost, 0});
    if (numbers->unexplained > 0)
        pieces.push_back({Unexplained, analysis::LossCause::Unexplained, numbers->unexplained, 0});
    return pieces;
}

void SweepChart::paintAccounts(QPainter& painter, const QRectF& room, const Theme& theme) const {
    double most = 0;
    for (const std::size_t cell : m_line.cells) {
        Ns all = 0;
        for (const LedgerPiece& piece : piecesOf(cell))
            all += piece.length;
        most = std::max(most, perPassOf(m_sweep->cells[cell], all));
    }
    painter.setPen(theme.grid);
    painter.drawLine(room.bottomLeft(), room.bottomRight());
    const double half = painter.fontMetrics().height() / 2.0;
    painter.setPen(theme.dim);
    painter.drawText(QRectF(4, room.top() - 2 * half, width() - 8.0, 2 * half),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("Where the time of a pass went"));
    if (most <= 0)
        return;
    painter.setPen(theme.text);
    painter.drawText(QRectF(0, room.top(), room.left() - 6, 2 * half), Qt::AlignRight | Qt::AlignVCenter,
                     figureValue(sweep::Figure::Time, most));
    for (std::size_t i = 0; i < m_line.cells.size(); ++i) {
        const QRectF place = slot(room, i);
        const double wide = std::min(place.width() * 0.7, 90.0);
        paintAccount(painter, {place.center().x() - wide / 2, room.top(), wide, room.height()},
                     m_line.cells[i], most / room.height(), theme);
    }
}

void SweepChart::paintAccount(QPainter& painter, const QRectF& bar, std::size_t cell, double perPixel,
                              const Theme& theme) const {
    double y = bar.bottom();
    for (const LedgerPiece& piece : piecesOf(cell)) {
        const double high = perPassOf(m_sweep->cells[cell], piece.length) / perPixel;
        const QRectF box(bar.left(), y - high, bar.width(), high);
        const QColor fill = colourOf(piece, theme);
        painter.fillRect(box, hatchedBrush(fill, hatchOf(piece)));
        y -= high;
        const QString text =
            durationText(static_cast<Ns>(std::llround(perPassOf(m_sweep->cells[cell], piece.length))));
        const QFontMetricsF metrics(painter.font());
        if (high < metrics.height() || metrics.horizontalAdvance(text) + 6 > box.width())
            continue;
        QRectF words(0, 0, metrics.horizontalAdvance(text) + 6, metrics.height());
        words.moveCenter(box.center());
        painter.fillRect(words, fill); // no hatch behind letters
        painter.setPen(inkOn(fill));
        painter.drawText(words, Qt::AlignCenter, text);
    }
}

void SweepChart::paintValues(QPainter& painter, const QRectF& room, const Theme& theme) const {
    const QFontMetricsF metrics(painter.font());
    painter.setPen(theme.text);
    for (std::size_t i = 0; i < m_line.cells.size(); ++i) {
        const QRectF place = slot(room, i);
        const std::size_t value = m_sweep->grid.at(m_line.cells[i])[m_axis];
        painter.drawText(place, Qt::AlignCenter,
                         metrics.elidedText(fromText(m_sweep->grid.axes[m_axis].values[value]),
                                            Qt::ElideRight, place.width() - 2));
    }
}

/// What costs most along the line comes first; what has no room is left out.
void SweepChart::paintLegend(QPainter& painter, const QRectF& room, const Theme& theme) const {
    std::map<analysis::LossCause, LedgerPiece> all;
    for (const std::size_t cell : m_line.cells)
        for (const LedgerPiece& piece : piecesOf(cell)) {
            auto [found, isNew] = all.emplace(piece.cause, piece);
            if (!isNew)
                found->second.length += piece.length;
        }
    std::vector<LedgerPiece> pieces;
    for (const auto& [cause, piece] : all)
        pieces.push_back(piece);
    std::ranges::sort(pieces, std::ranges::greater(), &LedgerPiece::length);
    const QFontMetricsF metrics(painter.font());
    double x = room.left() + 8;
    constexpr double kBox = 11;
    for (const LedgerPiece& piece : pieces) {
        const QString text = titleOf(piece);
        const double wide = kBox + 5 + metrics.horizontalAdvance(text) + 12;
        if (x + wide > room.right())
            return;
        painter.fillRect(QRectF(x, room.center().y() - kBox / 2, kBox, kBox),
                         hatchedBrush(colourOf(piece, theme), hatchOf(piece)));
        painter.setPen(theme.text);
        painter.drawText(QRectF(x + kBox + 5, room.top(), wide, room.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        x += wide;
    }
}

} // namespace olab::ui
