#include "recordings/history_chart.h"

#include "base/plain_text.h"

#include <olab/survey/standing.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QDateTime>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace olab::ui {

namespace {

constexpr double kNear = 14; // logical pixels
constexpr double kDot = 3, kFarDot = 4.5;

double medianOfPoints(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Nothing: it is no time.
std::optional<double> millisecondsOf(const std::string& iso) {
    const QDateTime time = QDateTime::fromString(exactText(iso), Qt::ISODate);
    return time.isValid() ? std::optional(static_cast<double>(time.toMSecsSinceEpoch())) : std::nullopt;
}

} // namespace

HistoryChart::HistoryChart(const RecordingsModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model) {
    setObjectName(QStringLiteral("recordingsHistory"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    refresh();
}

QSize HistoryChart::minimumSizeHint() const {
    const ViewStyle style = ViewStyle::of(font());
    return {style.scaled(260), style.scaled(110)};
}

const survey::Column& HistoryChart::column() const {
    return m_model.all()->columns[m_model.standing().column];
}

void HistoryChart::addPoints(const std::vector<std::size_t>& rows, bool byDate) {
    m_points.clear();
    const std::size_t of = m_model.standing().column;
    for (const std::size_t number : rows) {
        const survey::Row& row = m_model.all()->rows[number];
        const auto value = row.number(of);
        const auto time = byDate ? millisecondsOf(row.recordedAt) : std::optional(0.0);
        if (value && time)
            m_points.push_back({number, byDate ? *time : static_cast<double>(m_points.size()),
                                static_cast<double>(*value), m_model.standing().outlierOf(number, of)});
    }
}

void HistoryChart::refresh() {
    const RecordingsStanding& standing = m_model.standing();
    m_points.clear();
    if (standing.group < standing.groups.size() && standing.column < m_model.all()->columns.size()) {
        std::vector<std::size_t> rows = standing.groups[standing.group].rows;
        addPoints(rows, true);
        m_isByDate = m_points.size() > 1 || (m_points.size() == 1 && rows.size() == 1);
        if (!m_isByDate) {
            std::ranges::sort(rows, {}, [this](std::size_t row) { return m_model.all()->places[row]; });
            addPoints(rows, false);
        }
    }
    if (!m_points.empty()) {
        std::vector<double> values;
        for (const Point& point : m_points)
            values.push_back(point.value);
        m_median = medianOfPoints(values);
        const auto [low, high] = std::ranges::minmax(values);
        const double beside = high > low ? (high - low) * 0.08 : std::max(std::abs(high) * 0.05, 1e-9);
        m_low = low - beside, m_high = high + beside;
        m_from = m_points.front().at, m_to = m_points.back().at;
    }
    setAccessibleName(tr("History over time"));
    setAccessibleDescription(m_points.empty()
                                 ? emptyText()
                                 : tr("%1: %2, median %3")
                                       .arg(recordingsHead(column()),
                                            counted("%n recordings", "%n recording", m_points.size()),
                                            surveyNumber(column(), static_cast<long double>(m_median))));
    update();
}

void HistoryChart::setEmptyText(const QString& text) {
    if (std::exchange(m_emptyText, text) != text)
        update();
}

QString HistoryChart::emptyText() const {
    if (!m_emptyText.isEmpty())
        return m_emptyText;
    return m_model.standing().groups.empty()
               ? tr("The history stands here once recordings are judged.")
               : tr("No recording of this program and machine has that number.");
}

void HistoryChart::mark(std::optional<std::size_t> number) {
    m_marked = number;
    update();
}

QRectF HistoryChart::room() const {
    const ViewStyle style = ViewStyle::of(font());
    return QRectF(rect()).adjusted(style.scaled(78), style.scaled(10), -style.scaled(16), -style.scaled(22));
}

QPointF HistoryChart::spot(const Point& point) const {
    const QRectF in = room();
    const double x = m_to > m_from ? (point.at - m_from) / (m_to - m_from) : 0.5;
    return {in.left() + x * in.width(), in.bottom() - (point.value - m_low) / (m_high - m_low) * in.height()};
}

std::optional<QPointF> HistoryChart::placeOf(std::size_t number) const {
    const auto at = std::ranges::find(m_points, number, &Point::number);
    return at == m_points.end() ? std::nullopt : std::optional(spot(*at));
}

const HistoryChart::Point* HistoryChart::nearest(QPointF place) const {
    const Point* best = nullptr;
    double least = kNear * kNear;
    for (const Point& point : m_points) {
        const QPointF away = spot(point) - place;
        if (const double far = QPointF::dotProduct(away, away); far <= least) {
            least = far;
            best = &point;
        }
    }
    return best;
}

QString HistoryChart::tipOf(const Point& point) const {
    const survey::Row& row = m_model.all()->rows[point.number];
    QString text = m_model.nameOfRow(point.number) + QLatin1Char('\n') + recordingsHead(column()) +
                   QLatin1Char(' ') + surveyNumber(column(), *row.number(m_model.standing().column));
    if (!row.recordedAt.empty())
        text += QLatin1Char('\n') + timeText(row.recordedAt);
    if (point.outlier)
        text += QLatin1Char('\n') +
                tr("Outlier: %1").arg(sentence(survey::outlierText(*point.outlier, column())));
    return text;
}

void HistoryChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    painter.fillRect(rect(), theme.base);
    painter.setFont(ViewStyle::of(font()).smallFont(font()));
    if (m_points.empty()) {
        painter.setPen(theme.dim);
        painter.drawText(rect().adjusted(12, 8, -12, -8), Qt::AlignCenter | Qt::TextWordWrap, emptyText());
        return;
    }
    paintGrid(painter, theme);
    paintDates(painter, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    paintPoints(painter, theme);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void HistoryChart::paintGrid(QPainter& painter, const Theme& theme) const {
    const QRectF in = room();
    const int line = painter.fontMetrics().height();
    const auto height = [&](double value) {
        return in.bottom() - (value - m_low) / (m_high - m_low) * in.height();
    };
    const auto label = [&](double value, const QColor& ink) {
        painter.setPen(ink);
        painter.drawText(QRectF(0, height(value) - line / 2.0, in.left() - 6, line),
                         Qt::AlignRight | Qt::AlignVCenter,
                         surveyNumber(column(), static_cast<long double>(value)));
    };
    const auto [low, high] = std::ranges::minmax(m_points, {}, &Point::value);
    for (const double value : {low.value, high.value}) {
        painter.setPen(theme.grid);
        painter.drawLine(QPointF(in.left(), height(value)), QPointF(in.right(), height(value)));
        if (std::abs(height(value) - height(m_median)) > line)
            label(value, theme.dim);
    }
    painter.setPen(QPen(theme.dim, 1, Qt::DashLine));
    painter.drawLine(QPointF(in.left(), height(m_median)), QPointF(in.right(), height(m_median)));
    label(m_median, theme.text);
}

void HistoryChart::paintDates(QPainter& painter, const Theme& theme) const {
    const QRectF in = room();
    painter.setPen(theme.dim);
    const QRectF under(in.left(), in.bottom() + 3, in.width(), height() - in.bottom() - 3);
    if (!m_isByDate) {
        painter.drawText(under, Qt::AlignHCenter | Qt::AlignTop,
                         tr("in the order of their names: these recordings have no date"));
        return;
    }
    const auto text = [](double at) {
        return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(at), Qt::UTC)
            .toString(QStringLiteral("yyyy-MM-dd HH:mm"));
    };
    const double wide = 1.5 * painter.fontMetrics().horizontalAdvance(text(m_from));
    const int parts = m_to > m_from ? std::clamp(static_cast<int>(in.width() / wide), 1, 6) : 0;
    for (int i = 0; i <= parts; ++i) {
        const double share = parts == 0 ? 0.5 : static_cast<double>(i) / parts,
                     x = in.left() + share * in.width();
        const QRectF box(x - wide / 2, under.top(), wide, under.height());
        painter.drawLine(QPointF(x, in.bottom()), QPointF(x, in.bottom() + 3));
        i == 0 && parts > 0 ? painter.drawText(under, Qt::AlignLeft | Qt::AlignTop, text(m_from))
        : i == parts&& parts > 0
            ? painter.drawText(under, Qt::AlignRight | Qt::AlignTop, text(m_to))
            : painter.drawText(box, Qt::AlignHCenter | Qt::AlignTop, text(m_from + share * (m_to - m_from)));
    }
}

void HistoryChart::paintPoints(QPainter& painter, const Theme& theme) const {
    for (const Point& point : m_points)
        if (!point.outlier)
            paintPoint(painter, point, theme);
    for (const Point& point : m_points)
        if (point.outlier)
            paintPoint(painter, point, theme);
    if (m_marked)
        if (const auto place = placeOf(*m_marked)) {
            painter.setPen(QPen(theme.text, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(*place, 8, 8);
        }
}

/// An outlier is a triangle that points where it lies: nothing depends on colour alone.
void HistoryChart::paintPoint(QPainter& painter, const Point& point, const Theme& theme) const {
    const QPointF at = spot(point);
    painter.setPen(Qt::NoPen);
    if (!point.outlier) {
        painter.setBrush(theme.accent);
        painter.drawEllipse(at, kDot, kDot);
        return;
    }
    painter.setBrush(theme.errorText);
    const double up = point.outlier->value > point.outlier->median ? -kFarDot : kFarDot;
    const QPointF corners[]{at + QPointF(0, 1.3 * up), at + QPointF(-kFarDot, -up),
                            at + QPointF(kFarDot, -up)};
    painter.drawPolygon(corners, 3);
}

void HistoryChart::mouseMoveEvent(QMouseEvent* event) {
    const Point* const point = nearest(event->position());
    setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
    showTip(event->globalPosition().toPoint(), point ? tipOf(*point) : QString(), this);
}

void HistoryChart::mouseReleaseEvent(QMouseEvent* event) {
    if (const Point* const point = nearest(event->position()); point && event->button() == Qt::LeftButton)
        emit chosen(point->number);
}

void HistoryChart::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const Point* const point = nearest(event->position()); point && event->button() == Qt::LeftButton)
        emit opened(point->number);
}

void HistoryChart::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const auto at = m_marked ? std::ranges::find(m_points, *m_marked, &Point::number) : m_points.end();
    if (step != 0 && !m_points.empty()) {
        const auto last = static_cast<std::ptrdiff_t>(m_points.size()) - 1;
        const std::ptrdiff_t now = at == m_points.end() ? (step > 0 ? -1 : last + 1) : at - m_points.begin();
        const Point& next =
            m_points[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + step, 0, last))];
        emit chosen(next.number);
        setAccessibleDescription(tipOf(next));
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && at != m_points.end())
        return emit opened(at->number);
    QWidget::keyPressEvent(event);
}

} // namespace olab::ui
