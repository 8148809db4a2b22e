// The gallery in the window, and the way from there and from the other rooms to the recording that is shown.
// GUI thread.
#pragma once

#include "window/window_parts.h"

namespace olab::ui {

class ExperimentPanel;
class Files;
class GalleryPage;
class Jobs;
class Runs;
class TimelineView;
struct WindowOptions;

class GalleryRoom final : public QObject {
public:
    struct Uses {
        Centre& centre;
        Runs& runs;
        Jobs& jobs;
        Files& files;
        ExperimentPanel& panel;
        TimelineView& timeline;
    };
    GalleryRoom(const Uses& uses, const WindowOptions& options, QObject& owner);
    void enter();
    void enterWork(); ///< what shows a recording
    /// The same, from any room, to work in its lanes; stays where there is none.
    void toTimeline();
    /// From another room: to the recording that is shown, else here.
    void leaveTo() { hasWork() ? m_uses.centre.enter(Room::Work) : enter(); }
    bool hasWork() const;

private:
    void connectPage();
    Uses m_uses;
    GalleryPage* m_page;
};

} // namespace olab::ui
