// One bar that adds up: the measured time of a run in its pieces, each as long as what it says. A click on a
// cause chooses it; with the focus left and right go to a cause, Enter and Space choose it, Esc ends it.
#pragma once

#include "base/ledger_pieces.h"

#include <QChartView>

#include <optional>

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
    /// The cause that the timeline shows alone, by its place in the ledger; nothing: it shows everything.
    void setChosen(std::optional<std::size_t> entry);

signals:
    void pieceChosen(std::size_t entry); ///< of a cause: its place in the ledger
    void choiceEnded();                  ///< the chosen one was chosen again, or Esc

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override { event->ignore(); } // the page scrolls

private:
    void addSet(const LedgerPiece& piece, const Theme& theme);
    void choose(std::size_t entry);
    void step(int direction);
    void drawMarks(QPainter& painter) const;
    std::vector<LedgerPiece> m_pieces;
    QFont m_font;
    const Theme& m_theme;
    QHorizontalStackedBarSeries* m_series;
    std::optional<std::size_t> m_chosen; ///< a place in the ledger
    std::optional<std::size_t> m_at;     ///< of m_pieces, the cause that keys work on; nothing: there is none
};

} // namespace olab::ui
