// One number of one program on one machine over time: a point for each recording, the median, outliers
// marked. Where no recording has a date they stand in the order of their names. The pointer and the arrow
// keys choose a point, Enter and a double click open its recording. GUI thread.
#pragma once

#include "recordings/recordings_model.h"

#include <olab/ui/theme.h>

#include <QWidget>

namespace olab::ui {

class HistoryChart final : public QWidget {
    Q_OBJECT
public:
    explicit HistoryChart(const RecordingsModel& model, QWidget* parent = nullptr);
    void refresh();                         ///< the model has another standing
    void setEmptyText(const QString& text); ///< said where there is no point; empty: what is usual
    /// The row that is marked; no such point: none is.
    void mark(std::optional<std::size_t> number);
    std::size_t points() const { return m_points.size(); }
    bool isByDate() const { return m_isByDate; }
    /// Where a point is drawn.
    std::optional<QPointF> placeOf(std::size_t number) const;
    QSize minimumSizeHint() const override;

signals:
    void chosen(std::size_t number); ///< of a row
    void opened(std::size_t number);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Point {
        std::size_t number; ///< of the row
        double at;          ///< ms since 1970, else the place in the order of names
        double value;
        const survey::Outlier* outlier; ///< null: none
    };
    void addPoints(const std::vector<std::size_t>& rows, bool byDate);
    QRectF room() const;
    QPointF spot(const Point& point) const;
    const Point* nearest(QPointF place) const;
    QString tipOf(const Point& point) const;
    QString emptyText() const;
    const survey::Column& column() const;
    void paintGrid(QPainter& painter, const Theme& theme) const;
    void paintDates(QPainter& painter, const Theme& theme) const;
    void paintPoints(QPainter& painter, const Theme& theme) const;
    void paintPoint(QPainter& painter, const Point& point, const Theme& theme) const;
    const RecordingsModel& m_model;
    std::vector<Point> m_points; ///< by time
    std::optional<std::size_t> m_marked;
    QString m_emptyText;
    bool m_isByDate = true;
    double m_low = 0, m_high = 1, m_from = 0, m_to = 1, m_median = 0;
};

} // namespace olab::ui
