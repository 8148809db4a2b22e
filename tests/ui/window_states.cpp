#include "window_states.h"
#include "patience.h"

#include "test_places.h"

#include <olab/sim/sim_backend.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <window/runs/runs.h>
#include <window/window_parts.h>

#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>

namespace olab::test {

StatefulWindow::StatefulWindow(QSize size)
    : session({[] { return std::make_unique<sim::SimBackend>(); }, {}})
    , window(session, {.remember = false, .askBeforeClose = false}) {
    window.resize(size);
    window.show();
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window, kPatience);
    window.timeline().canvas().setFocus(); // no text field with a caret that blinks
    settle();
}

bool StatefulWindow::waitForRecording() {
    const QSignalSpy spy(&window, &ui::MainWindow::recordingShown);
    const bool shown = QTest::qWaitFor([&] { return spy.count() > 0 && !session.busy(); }, kPatience);
    settle();
    return shown;
}

bool StatefulWindow::open(const char* recording) {
    window.open(
        QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings/%1.olab").arg(QLatin1String(recording)));
    return waitForRecording();
}

bool StatefulWindow::run() {
    window.run();
    return waitForRecording();
}

bool StatefulWindow::compareTwo() {
    if (!open("full-grid-h200"))
        return false;
    const view::ViewDataPtr before = window.shown();
    if (!open("default-h200"))
        return false;
    window.parts().runs.compared(before, window.shown());
    settle();
    return true;
}

void StatefulWindow::settle() {
    for (int i = 0; i < 4; ++i)
        QCoreApplication::processEvents();
}

} // namespace olab::test
