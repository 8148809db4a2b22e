// What the page of findings is made of beside the account: a card for each finding, and the iteration that
// repeats. GUI thread.
#pragma once

#include "results/ledger_row.h"

#include <olab/analysis/report.h>
#include <olab/view/view_data.h>

#include <QFrame>
#include <QProgressBar>
#include <QWidget>

class QBoxLayout;
class QLayout;
class QPushButton;
class QVBoxLayout;

namespace olab::ui {

/// The repeating iteration of a recording in words, with the ways to its typical and its worst one. In a long
/// recording nobody has looked for it: then a person asks for it here, with progress and Cancel.
class SteadySection final : public QWidget {
    Q_OBJECT
public:
    enum class State : std::uint8_t {
        Ready,  ///< it can be asked for
        Busy,   ///< something else runs
        Working ///< it is being found
    };
    SteadySection(const view::ViewData& shown, State state, QWidget* parent = nullptr);
    /// Whether there is anything to say or to offer.
    static bool hasWords(const view::ViewData& shown);
    /// 0 to 1; below 0: not known.
    void setProgress(double share);

signals:
    void requested();
    void cancelRequested();
    void iterationChosen(olab::Interval time);

private:
    void addFound(const analysis::SteadyState& found, QVBoxLayout& column);
    void addOffer(const view::ViewData& shown, State state, QVBoxLayout& column);
    QProgressBar* m_progress = nullptr;
};

/// One finding: what it is, what it cost and where; below that what to do, and what can be asked for.
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
