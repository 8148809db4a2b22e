// The window, with the simulator behind it, in the states that a person sees.
#pragma once

#include "usual_look.h"

#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <QSize>

namespace olab::test {

inline constexpr const char* kPages[] = {"findings",   "ledger",    "matrix", "statistics",
                                         "activities", "bookmarks", "charts", "code",
                                         "contents",   "log",       "claims"};

class StatefulWindow {
public:
    explicit StatefulWindow(QSize size = {1280, 720});
    /// One that ships with the program, by the name of its file without ending. @returns whether it is shown.
    bool open(const char* recording);
    bool run();
    /// Two recordings, one above the other, and their page in front.
    bool compareTwo();
    /// Everything that was put off has happened.
    static void settle();

    UsualLook look;
    ui::Session session;
    ui::MainWindow window;

private:
    bool waitForRecording();
};

} // namespace olab::test
