#include "window/runs/summary.h"

#include "results/idle_line.h"
#include "results/race_line.h"
#include "results/trust_line.h"
#include "results/trust_row.h"
#include "results/verdict_strip.h"
#include "window/messages/messages.h"
#include "window/runs/refinement.h"
#include "window/runs/runs.h"
#include "window/runs/verdict_band.h"

#include <olab/ui/format.h>
#include <olab/ui/session.h>
#include <olab/ui/verdict_text.h>

#include <QVBoxLayout>

namespace olab::ui {

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
    connect(m_idle, &IdleLine::gapChosen, this, &Summary::rangeWanted);
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
    auto* column = new QVBoxLayout(m_box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
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
