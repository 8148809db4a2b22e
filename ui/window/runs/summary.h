// The lines above the timeline: a race, how far from the best possible the run is, the verdicts, how far to
// trust them; and what is said of a run of which more is still being measured. GUI thread.
#pragma once

#include <olab/recording/idle_times.h>
#include <olab/recording/recording.h>
#include <olab/view/place.h>
#include <olab/view/view_data.h>

#include <QObject>
#include <QString>
#include <QWidget>

#include <map>

class QWidget;

namespace olab::ui {

class IdleLine;
class Messages;
class RaceLine;
class Runs;
class Session;
class TrustLine;
class VerdictBand;
class VerdictStrip;

// What a run and the recording that stands in for it, of which more is known, have in common. Pure.

/// Its trace is that of the same run, so nothing in the timeline is another.
bool isSameRun(const recording::Recording& a, const recording::Recording& b);
/// More than the tool effect: a race that another run brought to light, records that it lost.
bool judgementDiffers(const recording::Recording& a, const recording::Recording& b);

/// "Tool effect 1.02: tracing made the run 2 % longer (5 pairs of runs)."
QString effectText(const analysis::ToolEffect& effect);
/// Of a run that has just been shown, before all of it is known.
QString waitingText(const recording::Recording& recording);
/// Of one of which no more will be known.
QString stoppedText(const recording::Recording& recording, const QString& why);

class Summary final : public QObject {
    Q_OBJECT
public:
    Summary(Session& session, Runs& runs, Messages& messages, QObject& owner);
    /// All of them, from the top.
    QWidget* makeBox();
    VerdictBand& band() { return *m_band; }

    void setShown(const view::ViewDataPtr& shown);
    /// `judged`: verdicts or findings are others now.
    void refine(const view::ViewDataPtr& before, const view::ViewDataPtr& after, bool judged);
    /// Where the view is low; what they say is said elsewhere, too.
    void setMakesRoom(bool trust, bool verdicts);
    /// The timeline is shown alone: only a race is told above it.
    void setAlone(bool alone);
    /// They are of the run shown: not beside anything else.
    void setStands(bool stands) { m_box->setVisible(stands); }
    /// A class that is asked does not see what the run shows.
    void setTellsAnswer(bool tells);

signals:
    void bandStands(bool stands); ///< with what says where the run comes from
    void contentsWanted();
    void idleWanted(const olab::recording::IdleTime& idle); ///< to look at
    void placeWanted(const olab::view::Place& place);       ///< the worst of a pair

private:
    void connectSession();
    void note(const view::ViewDataPtr& shown, const QString& text);
    void refined(const view::ViewDataPtr& before, const view::ViewDataPtr& after);
    void showNote();
    void share();
    Session& m_session;
    Runs& m_runs;
    Messages& m_messages;
    QWidget* m_box = nullptr;
    RaceLine* m_race;
    VerdictBand* m_band;
    IdleLine* m_idle;
    VerdictStrip* m_verdicts;
    TrustLine* m_trust;
    bool m_trustMakesRoom = false, m_verdictsMakeRoom = false, m_isAlone = false, m_tellsAnswer = true;
    /// What is said of runs of which something is missing: its tool effect, its repeats.
    std::map<std::weak_ptr<const view::Run>, QString, std::owner_less<>> m_notes;
};

} // namespace olab::ui
