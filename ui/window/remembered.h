// What the window remembers from one start to the next (QSettings): where it stands, how its parts share it,
// what a person chose of rows and ghosts, the experiment in the form.
#pragma once

class QMainWindow;

namespace olab {

class ExperimentForm;
class TimelineCanvas;
class WindowLayout;

struct Remembered {
    QMainWindow& window;
    WindowLayout& layout;
    TimelineCanvas& canvas;
    ExperimentForm& form;
    void restore() const;
    void store() const;
};

} // namespace olab
