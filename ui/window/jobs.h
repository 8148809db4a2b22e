// What the session is asked to do with the settings of the form: a run, a change tried, the search for the
// fix; and how the form gets its settings. Tells the panel on the left how a job goes. GUI thread.
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/planned_change.h>
#include <olab/ui/news.h>
#include <olab/view/view_data_ptr.h>

#include <QObject>

namespace olab::recording {
struct Recording;
} // namespace olab::recording

namespace olab::ui {

class ExperimentForm;
class ExperimentPanel;
class Messages;
class Runs;
class Session;
struct PresetMachine;
struct WindowParts;

class Jobs final : public QObject {
    Q_OBJECT
public:
    explicit Jobs(const WindowParts& parts);

    void run() { start(nullptr); } ///< what the form says
    /// The same with these changes of what is shown, to be compared with it.
    void tryChanges(const olab::experiment::OptionChanges& changes);
    /// Of this run. @returns false: it did not begin. @throws Error where the changes cannot be
    bool tryChange(const view::ViewDataPtr& shown, const olab::experiment::OptionChanges& changes);
    /// The recording that tryChanges() shows in place of a simulated run; empty: it runs.
    QString recordingOfTry(const view::ViewData& shown, const olab::experiment::OptionChanges& changes) const;
    /// Of the run that is shown; where there is none, of the form.
    void findFix();
    void cancel(); ///< also what is read again
    bool canRun() const;
    bool canCancel() const;
    /// canRun(), and says why not. `next`: what a person asked for, "run live".
    bool mayStart(const QString& next);
    /// The form has the settings of the run that is shown.
    bool formIsOfShown() const;

    /// The form is changed, nothing is run; the former settings are a Ctrl+Z away.
    void choosePreset(const experiment::Experiment& experiment);
    void useShownSettings();
    /// Of what is shown now, unless a person has changed the form.
    void takeSettingsOf(const recording::Recording& shown);
    /// What the form has now nobody has changed.
    void settle();
    /// What there is to run on, as known now.
    void tellMachine();

signals:
    void changed(); ///< canRun() or canCancel() may have another answer
    void machineChanged(const olab::ui::PresetMachine& machine);
    void formWanted(); ///< it got settings that a person asked for
    /// `of`: the run that it is the fix of; null: of the form, while nothing was shown.
    void fixFound(const olab::ui::FixPtr& fix, const olab::view::RunPtr& of);

private:
    ExperimentForm& form() const;
    void connectPanel();
    void connectSession();
    void start(const view::ViewDataPtr& before);
    QString recordingInstead(const view::ViewData& before, const experiment::Experiment& experiment) const;
    void tellBackend();
    void tellWhose();
    void startFix(const experiment::Experiment& experiment, const QString& title, const view::RunPtr& of);
    void runAgain();
    const WindowParts& m_parts;
    Session& m_session;
    ExperimentPanel& m_panel;
    Runs& m_runs;
    Messages& m_messages;
    struct Started {
        experiment::HeldExperiment experiment;
        view::RunPtr before; ///< what it is compared with; null: nothing
    } m_last;                ///< the one started last, to run again what failed
    experiment::HeldExperiment
        m_untouched; ///< of the form when the person last ran it, or the program filled it
};

} // namespace olab::ui
