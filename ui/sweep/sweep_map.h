// The map of a sweep: a cell for each combination of values, filled by its figure. A simulated cell has a
// marked corner and its text begins with "~": nothing depends on colour alone. The pointer and the arrow keys
// choose a cell, a click and Enter open its run. GUI thread.
#pragma once

#include "sweep/sweep_look.h"

#include <QFontMetricsF>
#include <QStringList>
#include <QWidget>

#include <optional>

namespace olab::ui {

class SweepMap final : public QWidget {
    Q_OBJECT
public:
    explicit SweepMap(QWidget* parent = nullptr);
    /// It must stay; null: there is none. Again after each change of it.
    void setSweep(const sweep::Sweep* sweep, sweep::Figure figure);
    void choose(std::size_t cell);
    std::optional<std::size_t> current() const { return m_current; }
    QRectF rectOf(std::size_t cell) const;
    std::optional<std::size_t> cellAt(QPointF place) const;
    QSize minimumSizeHint() const override;

signals:
    void chosen(std::size_t cell);
    void opened(std::size_t cell);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    std::size_t across() const { return m_sweep->grid.axes.front().values.size(); }
    std::size_t down() const;
    QRectF field() const; ///< of the cells
    void paintCell(QPainter& painter, std::size_t cell, const Theme& theme) const;
    static void paintCorner(QPainter& painter, const QRectF& box, const QColor& ink);
    QStringList linesOf(std::size_t cell, const QFontMetricsF& metrics, QSizeF room) const;
    bool anyMeasured() const { return m_sweep->measured() > 0 && !m_sweep->simulated; }
    QString legend() const;
    void paintHeads(QPainter& painter, const Theme& theme) const;
    void paintScale(QPainter& painter, const Theme& theme) const;
    void tell();
    const sweep::Sweep* m_sweep = nullptr;
    sweep::Figure m_figure = sweep::Figure::Time;
    SweepScale m_scale;
    std::optional<std::size_t> m_current;
};

} // namespace olab::ui
