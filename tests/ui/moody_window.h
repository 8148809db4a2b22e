// A window with a simulator behind it that does what a test wants.
#pragma once

#include "patience.h"

#include <olab/sim/sim_backend.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <chrono>
#include <thread>

namespace olab::test {

/// As the test wants it: the simulator, one that waits for the stop, or one that does not even look at it
/// until its mood changes.
class MoodyBackend final : public experiment::Backend {
public:
    enum class Mood { Good, Slow, Deaf, Failing };
    /// `running`: how many runs are under way, wanted or not.
    MoodyBackend(const std::atomic<Mood>& mood, std::atomic<int>& running)
        : m_mood(mood)
        , m_running(running) {}
    void run(const experiment::Plan& schedule, const experiment::RunOptions& options, RecordSink& out,
             const RunControl& control) override {
        if (m_mood == Mood::Failing)
            throw Error(ErrorKind::DeviceFailed, "test-failure", "The device fell over.", "Set it up again.");
        const Counted counted(m_running);
        while (m_mood == Mood::Deaf)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        for (int i = 0; m_mood == Mood::Slow; ++i) {
            control.throwIfCancelled();
            control.report(i % 1000 / 1000.0, "waiting");
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        sim::SimBackend().run(schedule, options, out, control);
    }

private:
    struct Counted {
        explicit Counted(std::atomic<int>& count_)
            : count(count_) {
            ++count;
        }
        ~Counted() { --count; }
        std::atomic<int>& count;
    };
    const std::atomic<Mood>& m_mood;
    std::atomic<int>& m_running;
};

struct MoodyWindow {
    /// What another window remembers is kept at once: `fresh` forgets it.
    explicit MoodyWindow(bool fresh = true)
        : isFresh((fresh ? QSettings().clear() : void(), fresh)) {
        window.resize(1280, 720);
        window.show();
        window.activateWindow(); // keys go to the active window
        (void)QTest::qWaitForWindowActive(&window, kPatience);
    }
    ~MoodyWindow() { mood = MoodyBackend::Mood::Good; } // who hears nothing would be waited for
    bool waitForRecording() {
        const QSignalSpy spy(&window, &ui::MainWindow::recordingShown);
        return QTest::qWaitFor([&] { return spy.count() > 0; }, kPatience);
    }
    bool waitUntilIdle() {
        return QTest::qWaitFor([&] { return !session.busy(); }, kPatience);
    }
    bool waitUntilItRuns() {
        return QTest::qWaitFor([&] { return running > 0; }, kPatience);
    }
    QPushButton* button(const QString& text) {
        for (QPushButton* b : window.findChildren<QPushButton*>())
            if (b->text().startsWith(text))
                return b;
        return nullptr;
    }

    const bool isFresh; ///< before the window is made
    std::atomic<MoodyBackend::Mood> mood{MoodyBackend::Mood::Good};
    std::atomic<int> running{0};
    ui::Session session{{[this] { return std::make_unique<MoodyBackend>(mood, running); }, {}}};
    ui::MainWindow window{session, {.remember = true, .askBeforeClose = false}};
};

} // namespace olab::test
