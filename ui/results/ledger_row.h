// One cause of the account: what it cost, why, and its places, one after the other. A click, Enter or Space
// shows a place, left and right the one before and after.
#pragma once

#include "base/ledger_pieces.h"

#include <olab/analysis/costly_waits.h>
#include <olab/view/view_data.h>

#include <QAbstractButton>

class QLabel;
class QToolButton;

namespace olab::ui {

/// What a row says.
struct LedgerRowText {
    QString title, amount, sentence, facts;
    QBrush fill;                       ///< of its swatch
    std::vector<ActivityIndex> places; ///< worst first; empty: there is nothing to show
    std::uint64_t allPlaces = 0;       ///< with those that are not kept; 0: there are no others
};

class LedgerRow final : public QAbstractButton {
    Q_OBJECT
public:
    explicit LedgerRow(LedgerRowText text, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    /// Shows the next place (+1), the one before (-1) or, when none was shown yet, the worst.
    void step(int direction);

signals:
    void placeChosen(quint32 activity);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* buildSteps();
    void tellPlace();
    LedgerRowText m_text;
    std::optional<std::size_t> m_at; ///< the place that was shown last
    QLabel* m_where = nullptr;
};

// What the rows of the account say: causes, findings, what is left, and the longest waits. Pure.

/// A cause of the account; `finding`: what the rules say of it too, null: nothing.
LedgerRowText rowOf(const analysis::LedgerEntry& entry, const analysis::Ledger& ledger,
                    const analysis::Finding* finding, const Theme& theme);
/// One that is no cause of the account.
LedgerRowText rowOf(const analysis::Finding& finding, const QString& status, const Theme& theme);
LedgerRowText rowOf(const analysis::CostlyWait& costly, const view::ViewData& shown, const Theme& theme);
LedgerRowText rowOf(const LedgerPiece& piece, const analysis::Ledger& ledger, const Theme& theme);
/// Beside the account: only the author of the program knows whether it holds.
LedgerRowText rowOf(const analysis::IfIndependent& told, const analysis::Ledger& ledger, const Theme& theme);

} // namespace olab::ui
