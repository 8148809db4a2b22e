// A sweep along one axis: the figure of each cell with the spread of its repeats and what was predicted, the
// knee, and below it where the time of each cell went. GUI thread.
#pragma once

#include "base/ledger_pieces.h"
#include "sweep/sweep_look.h"

#include <olab/sweep/knee.h>

#include <QWidget>

namespace olab::ui {

class SweepChart final : public QWidget {
public:
    explicit SweepChart(QWidget* parent = nullptr);
    /// The line of `axis` through `cell`. `sweep` must stay; null: there is none.
    void setLine(const sweep::Sweep* sweep, std::size_t axis, std::size_t cell, sweep::Figure figure);
    const sweep::Line& line() const { return m_line; }
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Point {
        std::optional<double> shown, predicted; ///< the figure
        double low = 0, high = 0;               ///< of the repeats
        bool measured = false;
    };
    std::vector<Point> points() const;
    QString headText() const;
    void paintFigures(QPainter& painter, const QRectF& room, const Theme& theme) const;
    void paintPoints(QPainter& painter, const QRectF& room, double most, const Theme& theme) const;
    void paintKnee(QPainter& painter, const QRectF& room, const Theme& theme) const;
    void paintAccounts(QPainter& painter, const QRectF& room, const Theme& theme) const;
    void paintAccount(QPainter& painter, const QRectF& bar, std::size_t cell, double perPixel,
                      const Theme& theme) const;
    void paintValues(QPainter& painter, const QRectF& room, const Theme& theme) const;
    void paintLegend(QPainter& painter, const QRectF& room, const Theme& theme) const;
    QRectF slot(const QRectF& room, std::size_t index) const;
    std::vector<LedgerPiece> piecesOf(std::size_t cell) const;
    const sweep::Sweep* m_sweep = nullptr;
    std::size_t m_axis = 0, m_cell = 0;
    sweep::Figure m_figure = sweep::Figure::Time;
    sweep::Line m_line;
};

} // namespace olab::ui
