// One cause of the account: what it cost, why, and its places, one after the other. A click, Enter or Space
// shows a place, left and right the one before and after.
#pragma once

#include "base/ledger_pieces.h"

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

} // namespace olab::ui
