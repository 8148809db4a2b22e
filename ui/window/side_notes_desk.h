// Bookmarks and notes of another tool's file, kept beside it when a person asks for that: an entry of the
// menu File. The file itself stays as it is. Owned by the window. GUI thread.
#pragma once

#include <olab/ui/main_window.h>

#include <QAction>

namespace olab {

class SideNotesDesk final : public QObject {
public:
    SideNotesDesk(MainWindow& window, NoticeBar& notice, RunList& runs);
    /// Those of the recording that is shown.
    void keep();

private:
    void refresh();
    MainWindow& m_window;
    NoticeBar& m_notice;
    RunList& m_runs;
    QAction* m_action = nullptr;
};

} // namespace olab
