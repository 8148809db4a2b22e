// What the window remembers from one start to the next (QSettings): where it stands, how its parts share it,
// what a person chose of rows and ghosts, the experiment in the form.
#pragma once

#include <QObject>
#include <QTimer>

#include <functional>

class QAction;
class QMainWindow;
class QString;

namespace olab::ui {

struct WindowParts;
class ExperimentPanel;
class TimelineView;
class WindowLayout;

// Whose a file is: what another tool wrote is never written over.

/// A file of another tool, or a recording that one has packed. False where nothing is there or it cannot be
/// read.
bool isOfAnotherTool(const QString& path);

/// Bookmarks and notes of another tool's file, kept beside it when a person asks for that: an entry of the
/// menu File. The file itself stays as it is. Owned by the window. GUI thread.
class SideNotesStore final : public QObject {
public:
    /// `parts` must outlive it.
    explicit SideNotesStore(const WindowParts& parts);
    /// Those of the recording that is shown.
    void keep();

private:
    void refresh();
    const WindowParts& m_parts;
    QAction* m_action = nullptr;
};

/// Writes what the window remembers soon after it changed, not only at a clean end: a timer that runs once
/// puts many changes together. Nothing changes, nothing runs. GUI thread.
class SettingsStore final : public QObject {
    Q_OBJECT
public:
    static constexpr int kDelayMs = 300;
    /// Moving and resizing `window` are changes too. `store` is called on the GUI thread.
    SettingsStore(QObject& window, std::function<void()> store);
    void changed();
    void keepNow();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::function<void()> m_store;
    QTimer m_timer;
};

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
