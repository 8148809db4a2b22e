// What the window remembers from one start to the next (QSettings): where it stands, how its parts share it,
// what a person chose of rows and ghosts, the experiment in the form.
#pragma once

class QMainWindow;

namespace olab::ui {

class ExperimentPanel;
class SettingsStore;
class TimelineView;
class WindowLayout;

struct Remembered {
    QMainWindow& window;
    WindowLayout& layout;
    TimelineView& timeline;
    ExperimentPanel& panel;
    void restore() const;
    void store() const;
    /// Stores it soon after any of it has changed, from now on. Owned by the window.
    SettingsStore* keep() const;
};

} // namespace olab::ui
