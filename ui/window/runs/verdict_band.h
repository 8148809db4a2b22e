// How bad, why, what to do, in one look: the headline with where the run comes from and two buttons, the
// account as one bar, and the numbers of the run in one line. GUI thread.
#pragma once

#include <olab/experiment/planned_change.h>
#include <olab/recording/idle_times.h>
#include <olab/view/view_data.h>

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace olab::ui {

class ElidedLabel;
class HeadlineLine;
class LedgerBar;

/// "118 ms · ideal 33.6 ms", "GPU idle 31 %", "kernels run 40 % · copies hidden 0 %", each from the report;
/// of wrong data nothing.
struct BandNumbers {
    QString run, idle, more; ///< `idle`: empty where nothing was; `run` says so
};
BandNumbers numbersOf(const analysis::Report& report);

class VerdictBand final : public QWidget {
    Q_OBJECT
public:
    explicit VerdictBand(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);
    /// The causes that the timeline shows alone; empty: it shows everything.
    void setChosen(const std::vector<analysis::LossCause>& causes);
    void setLow(bool low); ///< the window is: the numbers make room, before a projector the account too

signals:
    void accountWanted();
    void causeChosen(std::size_t entry); ///< of the account
    void causeLeft();
    void tryWanted(const olab::experiment::OptionChanges& changes);
    void fixWanted();
    void idleWanted(const olab::recording::IdleTime& longest);

private:
    void showBadge();
    void showButtons();
    void showBar();
    void showNumbers();
    view::ViewDataPtr m_shown;
    HeadlineLine* m_headline;
    QLabel* m_badge;
    QPushButton *m_try, *m_fix;
    LedgerBar* m_bar = nullptr; ///< null: no account
    QWidget* m_line;            ///< of numbers
    QLabel* m_numbers;
    QPushButton* m_idle;
    ElidedLabel* m_more;
    QVBoxLayout* m_column;
    std::vector<analysis::LossCause> m_chosen;
    bool m_isLow = false;
};

} // namespace olab::ui
