// What held the run up, in the order in which fixing it pays: a card for each finding, the rest of the
// account in rows, the longest waits and the repeating iteration; then what the verdicts say and what is
// wrong with the data. Of a long recording the account is made on demand. GUI thread.
#pragma once

#include <olab/experiment/planned_change.h>
#include <olab/view/view_data.h>

#include <QPointer>
#include <QProgressBar>
#include <QScrollArea>

#include <functional>
#include <map>
#include <string_view>

class QPushButton;
class QVBoxLayout;

namespace olab::ui {

class LedgerRow;
class SteadySection;
struct LedgerRowText;

class FindingsPage final : public QScrollArea {
    Q_OBJECT
public:
    explicit FindingsPage(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);
    /// More is known of what is shown, or it looks otherwise: the card that is read stays in sight.
    void refine(const view::ViewDataPtr& shown);
    /// Whether a run would be simulated; the buttons say so where the shown one was not.
    void setSimulates(bool simulates);
    /// Where a run would be simulated: whether a recording of these changes of the run comes with the
    /// program, which is then shown instead.
    using HasRecording = std::function<bool(const view::ViewData&, const experiment::OptionChanges&)>;
    void setHasRecording(HasRecording has) { m_hasRecording = std::move(has); }
    /// Scrolls to the card of this finding, by its id, if there is one. It stays in sight until somebody
    /// scrolls or another run is shown.
    void bringIntoView(std::string_view finding);
    /// The account of what is shown is being made; else it can be asked for, unless something else runs.
    void setWorking(bool working, bool busy);
    /// The same of its repeating iteration.
    void setFindsIteration(bool finds);
    /// The next place of a cause, by its place in the account, as if its row were pressed.
    void choose(std::size_t entry);
    /// How far the account that is being made is, 0 to 1; below 0: not known.
    void setProgress(double share);

signals:
    void tryRequested(const olab::experiment::OptionChanges& changes);
    void placeChosen(quint32 activity, olab::analysis::LossCause cause); ///< None: by no cause of the account
    void timelineWanted();                                               ///< a button has shown a place
    /// Claims that this finding decides, by their ids.
    void claimsRequested(const QStringList& ids);
    void accountRequested();
    void cancelRequested();
    void iterationRequested();
    void iterationChosen(olab::Interval time);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    void addCards(const analysis::Report& report, const analysis::Ledger* ledger);
    void addRest(const analysis::Ledger& ledger);
    LedgerRow* addRow(LedgerRowText text, analysis::LossCause cause);
    void follow(LedgerRow& row, analysis::LossCause cause);
    QPushButton* tryButton(const analysis::Finding& finding);
    void addOffer();
    void addWaits();
    void addSteadyState();
    void addVerdicts(const analysis::Report& report);
    /// Folded: for who looks for it.
    void addOftenBlamed(const analysis::Report& report);
    void addDataQuality(const analysis::Report& report);
    QString topCard() const;
    void scrollToKept();
    QVBoxLayout* m_column = nullptr; ///< of what is built
    std::map<analysis::LossCause, LedgerRow*> m_causes;
    view::ViewDataPtr m_shown;
    QString m_kept; ///< the id of the finding whose card stays in sight; may be empty
    HasRecording m_hasRecording;
    QPointer<QProgressBar> m_progress; ///< while the account is being made
    QPointer<SteadySection> m_steady;
    bool m_simulates = false, m_working = false, m_busy = false, m_findsIteration = false;
};

} // namespace olab::ui
