// One bar that adds up: the measured time of a run in its pieces, each as long as what it says.
#pragma once

#include "base/ledger_pieces.h"

#include <QChartView>

class QHorizontalStackedBarSeries;

namespace olab::ui {

class LedgerBar final : public QChartView {
    Q_OBJECT
public:
    /// `font`: of the words on the pieces.
    LedgerBar(const analysis::Ledger& ledger, const Theme& theme, const QFont& font,
              QWidget* parent = nullptr);
    const std::vector<LedgerPiece>& pieces() const { return m_pieces; } ///< those that are drawn
    /// Where a piece is, in pixels of the viewport.
    QRect rectOf(std::size_t piece) const;

signals:
    void pieceChosen(std::size_t entry); ///< of a cause: its place in the ledger

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void wheelEvent(QWheelEvent* event) override { event->ignore(); } // the page scrolls

private:
    void addSet(const LedgerPiece& piece, const Theme& theme);
    std::vector<LedgerPiece> m_pieces;
    QFont m_font;
    const Theme& m_theme;
    QHorizontalStackedBarSeries* m_series;
};

} // namespace olab::ui
