// One claim: what it says and where, what is expected, what was measured and the numbers that decided it,
// each rule in words with the value found; its experiment with the timelines there are; the code of the
// source text. It shows a state and tells what a person wants. GUI thread.
#pragma once

#include "claims/claim_state.h"

#include <QScrollArea>

class QVBoxLayout;

namespace olab::ui {

class ClaimView final : public QScrollArea {
    Q_OBJECT
public:
    struct Where {
        bool onGpu = false, busy = false;
        QString problem{}; ///< why the last attempt came to nothing
    };
    explicit ClaimView(QWidget* parent = nullptr);
    void showClaim(const claims::ClaimRow& claim, const ClaimsShown& shown, const Where& where);
    const claims::ClaimRow* claim() const { return m_claim; }

signals:
    void againRequested(const olab::claims::ClaimRow& claim);
    void showRequested(const olab::view::ViewDataPtr& run); ///< in the timeline
    void runRequested(const olab::claims::LabRun& run);     ///< one run, with the window's own Run

private:
    void build();
    void addHead(QVBoxLayout& column);
    void addActions(QVBoxLayout& column);
    void addSource(QVBoxLayout& column);
    void addEvidence(QVBoxLayout& column, const claims::ClaimResult& result, const claims::ClaimsResults& in);
    void addCase(QVBoxLayout& column, const claims::ClaimCase& tested, const claims::CaseResult& result);
    void addExperiment(QVBoxLayout& column, const claims::LabExperiment& experiment);
    void addRun(QVBoxLayout& column, const claims::LabExperiment& experiment, const claims::LabRun& run);
    void addControls(QVBoxLayout& column, const claims::LabExperiment& experiment);
    void addNumbers(QVBoxLayout& column, const claims::LabExperiment& experiment);
    void addCode(QVBoxLayout& column);
    const claims::ClaimRow* m_claim = nullptr;
    ClaimsShown m_shown;
    Where m_where;
    QString m_pressed; ///< the button that had the focus when it was put out of use; gets it back
};

} // namespace olab::ui
