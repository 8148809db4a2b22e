// The parts of the window, for each other and for its rooms: nobody gets the window itself but as what
// dialogs stand above. All of them live as long as the window.
#pragma once

#include <QStackedWidget>

#include <array>
#include <cstdint>

class QMainWindow;
class QWidget;

namespace olab::ui {

class ClaimsRoom;
class CompareRoom;
class ExperimentPanel;
class Files;
class GalleryRoom;
class InspectorSide;
class Jobs;
class LessonRoom;
class LiveRoom;
class Menus;
class Messages;
class Pages;
class PictureExport;
class RecordingsRoom;
class Runs;
class SceneWatch;
class Session;
class Summary;
class SweepRoom;
class TimelineView;
class TraceRoom;
class WayBack;
class WindowLayout;
struct WindowOptions;

/// The middle of the window: one room at a time. GUI thread.
enum class Room : std::uint8_t { Gallery, Work, Lessons, Claims, Live, Sweep, Watch, Recordings, Compare };

class Centre final : public QStackedWidget {
public:
    void add(Room room, QWidget& page) {
        at(room) = &page;
        addWidget(&page);
    }
    /// One that has been added.
    void enter(Room room) { setCurrentWidget(at(room)); }
    bool isIn(Room room) const { return currentWidget() && currentWidget() == m_pages[number(room)]; }

private:
    static std::size_t number(Room room) { return static_cast<std::size_t>(room); }
    QWidget*& at(Room room) { return m_pages[number(room)]; }
    std::array<QWidget*, 9> m_pages{}; ///< null: not made yet
};

struct WindowParts {
    /// Makes those that are referred to, each with those above it.
    WindowParts(QMainWindow& owner, Session& shared, const WindowOptions& given);
    WindowParts(const WindowParts&) = delete;
    WindowParts& operator=(const WindowParts&) = delete;
    QMainWindow& window;
    Session& session;
    const WindowOptions& options;
    Messages& messages;
    ExperimentPanel& panel; ///< the left
    TimelineView& timeline;
    Runs& runs;
    Jobs& jobs;
    Files& files;
    Summary& summary;
    Pages& pages;
    Centre& centre;
    InspectorSide& inspector; ///< the right
    WindowLayout& layout;
    PictureExport& pictures;
    GalleryRoom& gallery;
    Menus& menus;
    // Made after the others:
    LessonRoom* lessons = nullptr;
    ClaimsRoom* claims = nullptr;
    SceneWatch* scene = nullptr;
    TraceRoom* tracing = nullptr;
    LiveRoom* live = nullptr;
    SweepRoom* sweep = nullptr;
    WayBack* way = nullptr; ///< above the timeline
    RecordingsRoom* recordings = nullptr;
    CompareRoom* compare = nullptr;
};

} // namespace olab::ui
