#include "window/runs/summary.h"

#include "base/page_parts.h"
#include "results/summary_lines.h"
#include "results/verdict_strip.h"
#include "window/messages/messages.h"
#include "window/runs/runs.h"
#include "window/runs/verdict_band.h"

#include <olab/experiment/held_experiment.h>
#include <olab/ui/format.h>
#include <olab/ui/session.h>

#include <algorithm>

namespace olab::ui {

bool isSameRun(const recording::Recording& a, const recording::Recording& b) {
    return a.tracedRun == b.tracedRun && a.trace.size() == b.trace.size();
}

bool judgementDiffers(const recording::Recording& a, const recording::Recording& b) {
    const auto sameKind = [](const analysis::Verdict& x, const analysis::Verdict& y) {
        return x.kind == y.kind;
    };
    const auto sameStatus = [](const analysis::Finding& x, const analysis::Finding& y) {
        return x.status == y.status;
    };
    return !std::ranges::equal(a.report.verdicts, b.report.verdicts, sameKind) ||
           !std::ranges::equal(a.report.findings, b.report.findings, sameStatus) ||
           a.report.defects != b.report.defects || a.raceText() != b.raceText();
}

QString effectText(const analysis::ToolEffect& effect) {
    const double more = (effect.ratio() - 1) * 100;
    const QString how = effect.measuredWith.empty()
                            ? QObject::tr("%n pairs of runs, traced and untraced", nullptr, effect.runs)
                            : QObject::tr("measured with %1").arg(fromText(effect.measuredWith));
    const QString change =
        more >= 50
            ? QObject::tr("with tracing the run is %1").arg(fromText(comparison::ratioText(effect.ratio())))
        : more > 0.5  ? QObject::tr("tracing made the run %1 % longer").arg(more, 0, 'f', 0)
        : more < -0.5 ? QObject::tr("no longer with tracing than without")
                      : QObject::tr("tracing changed its length by less than 1 %");
    return QObject::tr("Tool effect %1: %2 (%3).").arg(effect.ratio(), 0, 'f', 2).arg(change, how);
}

QString waitingText(const recording::Recording& recording) {
    const int repeat = recording.experiment ? experiment::optionNumber(*recording.experiment, "repeat") : 1;
    if (repeat > 1 && recording.otherRuns.empty())
        return QObject::tr("The first of %1 runs: the median of all of them will take its place.")
            .arg(repeat);
    return QObject::tr("Tool effect: being measured. Above %1 the verdicts will become inconclusive.")
        .arg(analysis::kMaxToolEffect, 0, 'f', 2);
}

QString stoppedText(const recording::Recording& recording, const QString& why) {
    const bool other = recording.experiment &&
                       experiment::optionNumber(*recording.experiment, "repeat") > 1 &&
                       recording.otherRuns.empty();
    return other ? QObject::tr("Only the first of its runs: %1.").arg(why)
                 : QObject::tr("Tool effect: not measured (%1).").arg(why);
}

Summary::Summary(Session& session, Runs& runs, Messages& messages, QObject& owner)
    : QObject(&owner)
    , m_session(session)
    , m_runs(runs)
    , m_messages(messages)
    , m_race(new RaceLine)
    , m_band(new VerdictBand)
    , m_idle(new IdleLine)
    , m_verdicts(new VerdictStrip)
    , m_trust(new TrustLine) {
    connect(m_verdicts, &VerdictStrip::placeChosen, this, &Summary::placeWanted);
    connect(m_idle, &IdleLine::gapChosen, this, &Summary::idleWanted);
    connect(m_band, &VerdictBand::idleWanted, this, &Summary::idleWanted);
    connect(&runs, &Runs::refined, this, &Summary::refined);
    connect(&runs, &Runs::accounted, this, [this] {
        m_band->setShown(m_runs.current());
        m_idle->setShown(m_runs.current());
        m_verdicts->setShown(m_runs.current());
    });
    connectSession();
}

QWidget* Summary::makeBox() {
    auto* trust = new TrustRow(*m_trust);
    connect(trust, &TrustRow::contentsRequested, this, &Summary::contentsWanted);
    m_box = new QWidget;
    auto* column = columnIn(m_box, {}, 0);
    for (QWidget* line : std::initializer_list<QWidget*>{m_race, m_band, m_idle, m_verdicts, trust})
        column->addWidget(line);
    return m_box;
}

void Summary::setShown(const view::ViewDataPtr& shown) {
    m_race->setShown(shown);
    m_band->setShown(shown);
    m_idle->setShown(shown);
    m_verdicts->setShown(shown);
    m_trust->setShown(shown);
    if (shown)
        showNote();
}

void Summary::refine(const view::ViewDataPtr& before, const view::ViewDataPtr& after, bool judged) {
    m_band->setShown(after);
    m_idle->setShown(after);
    m_trust->setShown(after);
    showNote();
    if (before->recording->raceText() != after->recording->raceText())
        m_race->setShown(after); // speaks up
    if (judged)
        m_verdicts->setShown(after);
}

void Summary::setMakesRoom(bool trust, bool verdicts) {
    m_trustMakesRoom = trust;
    m_verdictsMakeRoom = verdicts;
    share();
}

void Summary::setAlone(bool alone) {
    m_isAlone = alone;
    share();
}

void Summary::setTellsAnswer(bool tells) {
    m_tellsAnswer = tells;
    m_idle->setMaximumHeight(tells ? QWIDGETSIZE_MAX : 0);
    share();
}

void Summary::share() {
    m_trust->setMakesRoom(m_trustMakesRoom || m_isAlone);
    m_band->setVisible(m_tellsAnswer && !m_isAlone);
    emit bandStands(!m_band->isHidden());
    m_idle->setMakesRoom(m_verdictsMakeRoom || m_isAlone);
    m_verdicts->setVisible(m_tellsAnswer && !m_verdictsMakeRoom && !m_isAlone);
}

// --- runs that are shown while their tool effect, or their repeats, are still measured

void Summary::connectSession() {
    connect(&m_session, &Session::refines, this, [this](const view::ViewDataPtr& shown) {
        note(shown, m_session.proving() ? QString() : waitingText(*shown->recording));
    });
    connect(&m_session, &Session::notRefined, this,
            [this](const view::ViewDataPtr& shown, const QString& why) {
                const QString text = stoppedText(*shown->recording, why);
                note(shown, text);
                m_messages.log(tr("%1: %2").arg(titleText(*shown), text));
            });
}

void Summary::note(const view::ViewDataPtr& shown, const QString& text) {
    std::erase_if(m_notes, [](const auto& note) { return note.first.expired(); });
    if (text.isEmpty())
        m_notes.erase(shown->run);
    else
        m_notes[shown->run] = text;
    if (m_runs.isCurrent(shown))
        showNote();
}

void Summary::refined(const view::ViewDataPtr& before, const view::ViewDataPtr& after) {
    m_notes.erase(before->run);
    if (m_session.refining() == after && !after->recording->report.toolEffect && !m_session.proving())
        m_notes[after->run] = waitingText(*after->recording); // more is to come
    if (const auto& effect = after->recording->report.toolEffect)
        m_messages.log(tr("%1: %2").arg(titleText(*after), effectText(*effect)));
    if (const std::string race = after->recording->raceText(); race != before->recording->raceText())
        m_messages.log(tr("%1: %2").arg(titleText(*after), sentence(race)));
}

/// Of a file only its number is told, where the versions are.
void Summary::showNote() {
    const view::ViewDataPtr& shown = m_runs.current();
    const auto noted = m_notes.find(shown->run);
    const recording::Recording& recording = *shown->recording;
    if (noted != m_notes.end())
        m_trust->setNote(noted->second);
    else
        m_trust->setNote(recording.live && recording.report.toolEffect
                             ? effectText(*recording.report.toolEffect)
                             : QString());
}

} // namespace olab::ui
