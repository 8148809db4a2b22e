// A run that is shown while its tool effect, or its repeats, are still measured: what is said of it
// meanwhile, and what changes when more is known. What a person looks at stays where it is.
#include <olab/experiment/held_experiment.h>
#include <olab/ui/main_window.h>

#include "results/code_page.h"
#include "results/compare_page.h"
#include "results/contents_page.h"
#include "results/findings_page.h"
#include "results/matrix_page.h"
#include "results/race_line.h"
#include "results/trust_line.h"
#include "results/verdict_strip.h"
#include "timeline/bookmarks/bookmark_desk.h"
#include "window/run_list.h"
#include "window/status_line.h"

#include <olab/ui/format.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/verdict_text.h>

#include <algorithm>

namespace olab {

namespace {

/// Its trace is that of the same run, so nothing in the timeline is another.
bool isSameRun(const Recording& a, const Recording& b) {
    return a.tracedRun == b.tracedRun && a.trace.size() == b.trace.size();
}

/// More than the tool effect: a race that another run brought to light, records that it lost.
bool judgementDiffers(const Recording& a, const Recording& b) {
    const auto sameKind = [](const Verdict& x, const Verdict& y) { return x.kind == y.kind; };
    const auto sameStatus = [](const Finding& x, const Finding& y) { return x.status == y.status; };
    return !std::ranges::equal(a.report.verdicts, b.report.verdicts, sameKind) ||
           !std::ranges::equal(a.report.findings, b.report.findings, sameStatus) ||
           a.report.defects != b.report.defects || a.raceText() != b.raceText();
}

/// "Tool effect 1.02: tracing made the run 2 % longer (5 pairs of runs)."
QString effectText(const ToolEffect& effect) {
    const double more = (effect.ratio() - 1) * 100;
    const QString how = effect.measuredWith.empty()
                            ? QObject::tr("%n pairs of runs, traced and untraced", nullptr, effect.runs)
                            : QObject::tr("measured with %1").arg(fromText(effect.measuredWith));
    const QString change =
        more >= 50    ? QObject::tr("with tracing the run is %1").arg(fromText(ratioText(effect.ratio())))
        : more > 0.5  ? QObject::tr("tracing made the run %1 % longer").arg(more, 0, 'f', 0)
        : more < -0.5 ? QObject::tr("no longer with tracing than without")
                      : QObject::tr("tracing changed its length by less than 1 %");
    return QObject::tr("Tool effect %1: %2 (%3).").arg(effect.ratio(), 0, 'f', 2).arg(change, how);
}

/// Of a run that has just been shown, before all of it is known.
QString waitingText(const Recording& recording) {
    const int repeat = recording.experiment ? optionNumber(*recording.experiment, "repeat") : 1;
    if (repeat > 1 && recording.otherRuns.empty())
        return QObject::tr("The first of %1 runs: the median of all of them will take its place.")
            .arg(repeat);
    return QObject::tr("Tool effect: being measured. Above %1 the verdicts will become inconclusive.")
        .arg(kMaxToolEffect, 0, 'f', 2);
}

} // namespace

void MainWindow::connectRefining() {
    connect(&m_session, &Session::refines, this, [this](const ViewDataPtr& shown) {
        noteEffect(shown, m_session.proving() ? QString() : waitingText(*shown->recording));
    });
    connect(&m_session, &Session::refined, this, &MainWindow::refined);
    connect(&m_session, &Session::notRefined, this, [this](const ViewDataPtr& shown, const QString& why) {
        const bool other = shown->recording->experiment &&
                           optionNumber(*shown->recording->experiment, "repeat") > 1 &&
                           shown->recording->otherRuns.empty();
        const QString text = other ? tr("Only the first of its runs: %1.").arg(why)
                                   : tr("Tool effect: not measured (%1).").arg(why);
        noteEffect(shown, text);
        log(tr("%1: %2").arg(titleText(*shown), text));
    });
}

void MainWindow::noteEffect(const ViewDataPtr& shown, const QString& text) {
    std::erase_if(m_effectNotes, [](const auto& note) { return note.first.expired(); });
    if (text.isEmpty())
        m_effectNotes.erase(shown->run);
    else
        m_effectNotes[shown->run] = text;
    if (shown == m_shown)
        showEffect();
}

/// Of a file only its number is told, where the versions are.
void MainWindow::showEffect() {
    const auto noted = m_effectNotes.find(m_shown->run);
    const Recording& recording = *m_shown->recording;
    if (noted != m_effectNotes.end())
        m_trust->setNote(noted->second);
    else
        m_trust->setNote(recording.live && recording.report.toolEffect
                             ? effectText(*recording.report.toolEffect)
                             : QString());
}

void MainWindow::refined(const ViewDataPtr& before, const ViewDataPtr& after) {
    m_effectNotes.erase(before->run);
    if (m_session.refining() == after && !after->recording->report.toolEffect && !m_session.proving())
        m_effectNotes[after->run] = waitingText(*after->recording); // more is to come
    m_timeline->desk().replace(before, after);
    m_runs->replace(after);
    const auto now = [&](const ViewDataPtr& shown) { return shown == before ? after : shown; };
    if (m_compare->before() == before || m_compare->after() == before)
        m_compare->compare(now(m_compare->before()), now(m_compare->after()));
    if (const auto& effect = after->recording->report.toolEffect)
        log(tr("%1: %2").arg(titleText(*after), effectText(*effect)));
    if (const std::string race = after->recording->raceText(); race != before->recording->raceText())
        log(tr("%1: %2").arg(titleText(*after), sentence(race)));
    if (m_shown == before)
        showRefined(after);
}

/// What did not change is left alone: selection, view, what is folded or scrolled.
void MainWindow::showRefined(const ViewDataPtr& after) {
    const ViewDataPtr before = m_shown;
    if (!isSameRun(*before->recording, *after->recording)) { // the median of several
        const Interval view = m_timeline->canvas().viewport().visible();
        const bool whole = m_timeline->canvas().viewport().isFit();
        showRecording(after);
        if (!whole)
            m_timeline->canvas().showRange(view);
        return;
    }
    m_shown = after;
    m_timeline->refine(after);
    m_code->refine(after);
    showLedger();
    m_trust->setShown(after);
    showEffect();
    m_status->setShown(after);
    m_contents->setShown(after);
    selectionChanged();
    if (!judgementDiffers(*before->recording, *after->recording))
        return;
    if (before->recording->raceText() != after->recording->raceText())
        m_race->setShown(after); // speaks up
    m_verdicts->setShown(after);
    m_findings->refine(after);
    m_matrix->setShown(after);
}

} // namespace olab
