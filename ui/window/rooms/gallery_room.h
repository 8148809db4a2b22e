// The gallery in the window, and the way from there and from the other rooms to the recording that is shown.
// GUI thread.
#pragma once

#include "window/window_parts.h"

namespace olab::ui {

class GalleryPage;

class GalleryRoom final : public QObject {
public:
    explicit GalleryRoom(const WindowParts& parts);
    void enter();
    void enterWork(); ///< what shows a recording
    /// The same, from any room, to work in its lanes; stays where there is none.
    void toTimeline();
    /// From another room: to the recording that is shown, else here.
    void leaveTo() { hasWork() ? m_parts.centre.enter(Room::Work) : enter(); }
    bool hasWork() const;

private:
    void connectPage();
    const WindowParts& m_parts;
    GalleryPage* m_page;
};

} // namespace olab::ui
