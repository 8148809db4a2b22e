// The upper right of the window: what is selected in the timeline, and the button that fills the form with
// the settings of what is shown. GUI thread.
#pragma once

#include <QWidget>

class QPushButton;

namespace olab::ui {

class ExperimentForm;
class Inspector;
class Jobs;
class Runs;
class TimelineCanvas;

class InspectorSide final : public QWidget {
    Q_OBJECT
public:
    struct Uses {
        const Runs& runs;
        Jobs& jobs;
        const ExperimentForm& form;
        TimelineCanvas& canvas;
    };
    explicit InspectorSide(const Uses& uses);
    void showCurrent();   ///< another recording: nothing of it is selected
    void showSelection(); ///< or what it is called

private:
    void refreshButton();
    Uses m_uses;
    Inspector* m_inspector;
    QPushButton* m_useSettings;
};

} // namespace olab::ui
