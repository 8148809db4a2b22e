// The lines above the timeline: a race, how far from the best possible the run is, the verdicts, how far to
// trust them; and what is said of a run of which more is still being measured. GUI thread.
#pragma once

#include <olab/view/place.h>
#include <olab/view/view_data.h>

#include <QObject>

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
    void rangeWanted(olab::Interval range);           ///< an idle time to look at
    void placeWanted(const olab::view::Place& place); ///< the worst of a pair

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
