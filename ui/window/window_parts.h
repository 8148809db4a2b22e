// The parts of the window, for each other and for its rooms: nobody gets the window itself but as what
// dialogs stand above. All of them live as long as the window.
#pragma once

#include <string>
#include <vector>

class QMainWindow;
class QWidget;

namespace olab::ui {

class Centre;
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

struct WindowParts {
    QMainWindow& window;
    Session& session;
    const WindowOptions& options;
    Messages& messages;
    Runs& runs;
    Jobs& jobs;
    Files& files;
    PictureExport& pictures;
    ExperimentPanel& panel; ///< the left
    Centre& centre;
    GalleryRoom& gallery;
    Summary& summary;
    TimelineView& timeline;
    Pages& pages;
    InspectorSide& inspector; ///< the right
    WindowLayout& layout;
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
    /// The room of claims with these, or with all.
    void showClaims(const std::vector<std::string>& ids) const;
};

} // namespace olab::ui
