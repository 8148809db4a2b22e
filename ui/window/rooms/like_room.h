// A recording made an experiment in the window: what is measured between the rulers, or all of what is shown,
// is put into the form as recorded work and run; how well that does it, and what a changed option brings
// then, is said above the timeline and in the log. Owned by the window. GUI thread.
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/recorded_work/record_work.h>
#include <olab/view/view_data.h>

#include <QObject>

class QAction;

namespace olab::ui {

struct WindowParts;

class LikeRoom final : public QObject {
    Q_OBJECT
public:
    /// `parts` must outlive it.
    explicit LikeRoom(const WindowParts& parts);
    /// Of the range between the rulers, or of all; what cannot be is shown as an error.
    void make();

signals:
    void judged(const QString& text); ///< and shown

private:
    void take(const view::ViewDataPtr& shown);
    void say(const QString& text);

    const WindowParts& m_parts;
    QAction* m_action = nullptr;
    experiment::HeldExperiment m_asRecorded; ///< without work: none was made yet
    recorded_work::Reproduction m_recorded;
    recording::RecordingPtr m_base; ///< the run of it as it was recorded; null: not yet
};

} // namespace olab::ui
