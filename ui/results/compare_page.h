// Two runs one above the other over the same time scale: what was changed, how long both took, and the
// verdict words of both. Says so when one of them was simulated and the other was not.
#pragma once

#include <olab/comparison/proof.h>
#include <olab/view/view_data_ptr.h>

#include <QScrollArea>

class QLabel;

namespace olab::comparison {
struct Comparison;
} // namespace olab::comparison

namespace olab::ui {

class CompareStrips;
class ProofPanel;

class ComparePage final : public QScrollArea {
    Q_OBJECT
public:
    explicit ComparePage(QWidget* parent = nullptr);
    /// Nothing happens when one is null.
    void compare(const view::ViewDataPtr& before, const view::ViewDataPtr& after);
    /// Of these two runs: how their alternation goes, or what came of it. Nothing happens while others are
    /// shown.
    struct ShownProof {
        comparison::Proof proof;
        int pairs = 0; ///< how many there will be
        bool done = false;
        QString stopped{}; ///< why it ended before
    };
    void setProof(const view::RunPtr& before, const view::RunPtr& after, const ShownProof& proof);
    bool empty() const { return !m_before; }
    bool isOf(const view::RunPtr& run) const; ///< one of the two
    const view::ViewDataPtr& before() const { return m_before; }
    const view::ViewDataPtr& after() const { return m_after; }
    /// all of it without scrolling
    int wantedHeight(int wide) const { return widget() ? widget()->heightForWidth(wide) + 2 : 0; }
    comparison::Comparison comparison() const; ///< of nothing while it is empty
    QString headline() const;                  ///< Comparison::headline

signals:
    void fullSizeRequested(); ///< of both
    /// The alternating runs are to stop.
    void stopRequested();

private:
    void rebuild();
    void refreshProof();
    QString recordedText() const;
    QString optionsText(const comparison::Comparison& comparison) const;
    QWidget* verdictTable(const comparison::Comparison& comparison) const;
    view::ViewDataPtr m_before, m_after;
    ProofPanel* m_panel = nullptr; ///< of the page that is shown
    QLabel* m_spread = nullptr;    ///< the same; null: nothing is said of it
    /// Of pairs of runs; kept as long as both are there.
    struct KeptProof {
        std::weak_ptr<const view::Run> before, after;
        ShownProof shown;
    };
    std::vector<KeptProof> m_proofs;
};

/// Both under the names their runs have in the window.
comparison::Comparison compareShown(const view::ViewData& before, const view::ViewData& after);

} // namespace olab::ui
