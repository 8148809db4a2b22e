// One finding: what it is, what it cost and where; below that what to do, and what can be asked for.
#pragma once

#include "results/ledger_row.h"

#include <olab/analysis/report.h>

#include <QFrame>

class QBoxLayout;
class QLayout;
class QPushButton;
class QVBoxLayout;

namespace olab::ui {

class FindingCard final : public QFrame {
    Q_OBJECT
public:
    static constexpr const char* kFindingId = "finding"; ///< its property
    /// `tryIt`: starts its remedy; null: nothing can be tried. Owned from now on.
    FindingCard(const analysis::Finding& finding, LedgerRowText text, QPushButton* tryIt,
                QWidget* parent = nullptr);
    LedgerRow& row() { return *m_row; }

signals:
    void showRequested(); ///< after its row was told to show its next place
    void claimsRequested(const QStringList& ids);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QPushButton* claimsButton(const analysis::Finding& finding);
    void addWhy(const analysis::Finding& finding, QLayout& buttons, QVBoxLayout& column);
    LedgerRow* m_row;
    QBoxLayout* m_below = nullptr; ///< advice and buttons
    QWidget* m_buttons = nullptr;
};

/// In the order in which fixing them pays: that of the account, then what it knows nothing of, and last what
/// the recording itself took, which is no fault of the program.
std::vector<const analysis::Finding*> ranked(const analysis::Report& report);

} // namespace olab::ui
