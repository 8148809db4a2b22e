// Where the time of a run went: how it adds up, and each cause with what it costs, the one that pays most
// first. Of a long recording it is made on demand.
#pragma once

#include <olab/view/view_data.h>

#include <QPointer>
#include <QProgressBar>
#include <QScrollArea>

class QVBoxLayout;

namespace olab::ui {

class LedgerRow;
class SteadySection;

class LedgerPage final : public QScrollArea {
    Q_OBJECT
public:
    explicit LedgerPage(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);
    /// The account of what is shown is being made; else it can be asked for, unless something else runs.
    void setWorking(bool working, bool busy);
    /// The same of its repeating iteration.
    void setFindsIteration(bool finds);
    /// The next place of a cause, by its place in the account, as if its row were pressed.
    void choose(std::size_t entry);
    /// How far the one that is being made is, 0 to 1; below 0: not known.
    void setProgress(double share);

signals:
    void placeChosen(quint32 activity, olab::analysis::LossCause cause);
    void accountRequested();
    void cancelRequested();
    void iterationRequested();
    void iterationChosen(olab::Interval time);

private:
    void rebuild();
    void addLedger(const analysis::Ledger& ledger, QVBoxLayout& column);
    void addRow(struct LedgerRowText text, QVBoxLayout& column);
    void addOffer(QVBoxLayout& column);
    void addSteadyState(QVBoxLayout& column);
    void addWaits(QVBoxLayout& column);
    std::vector<LedgerRow*> m_causes; ///< in the order of the account; owned by the page
    view::ViewDataPtr m_shown;
    QPointer<QProgressBar> m_progress; ///< while the account is being made
    QPointer<SteadySection> m_steady;
    bool m_working = false, m_busy = false, m_findsIteration = false;
};

} // namespace olab::ui
