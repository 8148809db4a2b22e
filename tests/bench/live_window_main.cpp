// The window's Live for minutes, as a lecturer uses it: an option is toggled every few seconds.
//   olab_bench_live_window OLAB FOLDER [SECONDS] [TOGGLE_SECONDS] [--sim]
// Says how often the roll was painted, what lay between two of its frames while it moved, which event held
// the window up for longest, in which pass each toggle was seen, and how much memory the window had. FOLDER
// gets ten pictures.
#include "live_toggles.h"

#include <olab/sim/sim_backend.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <live/live_page.h>

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using namespace olab;
using namespace olab::ui;

constexpr int kPictures = 10;

/// Knows what each event takes, and what lies between two frames of what moves.
class Watched final : public QApplication {
public:
    using QApplication::QApplication;
    const LiveRoll* roll = nullptr;
    std::vector<double> events, frames; ///< ms

    bool notify(QObject* target, QEvent* event) override {
        const bool outermost = m_depth++ == 0, isFrame = target == roll && event->type() == QEvent::Paint;
        QElapsedTimer taken;
        taken.start();
        const bool done = QApplication::notify(target, event);
        --m_depth;
        if (outermost && roll && !std::exchange(m_isNoFrame, false))
            events.push_back(static_cast<double>(taken.nsecsElapsed()) / 1e6);
        if (isFrame)
            noteFrame();
        return done;
    }

    /// What is done now is not Live's: neither this event nor what lies before the next frame counts.
    void leaveOut() { m_wasMoving = false, m_isNoFrame = true; }

private:
    void noteFrame() {
        if (m_wasMoving)
            frames.push_back(static_cast<double>(m_sinceFrame.nsecsElapsed()) / 1e6);
        m_sinceFrame.start();
        m_wasMoving = roll->isMoving();
    }
    QElapsedTimer m_sinceFrame;
    bool m_wasMoving = false, m_isNoFrame = false;
    int m_depth = 0;
};

/// Of the process that makes the passes, which any thread may have begun; 0: there is none.
long childKiB() {
    for (const QString& thread : QDir(QStringLiteral("/proc/self/task")).entryList(QDir::Dirs)) {
        std::ifstream children("/proc/self/task/" + thread.toStdString() + "/children");
        if (int process = 0; children >> process)
            return bench::residentKiB(process);
    }
    return 0;
}

void tellSpread(const char* what, std::vector<double> values) {
    if (values.empty())
        return;
    std::ranges::sort(values);
    const auto at = [&](double share) {
        return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    };
    std::printf("%s: %zu, median %.2f ms, p90 %.2f, p99 %.2f, p99.9 %.2f, longest %.2f; over 50 ms: %td\n",
                what, values.size(), at(0.5), at(0.9), at(0.99), at(0.999), values.back(),
                std::ranges::count_if(values, [](double ms) { return ms > 50; }));
}

class LiveWatch {
public:
    LiveWatch(Watched& application, MainWindow& window, double seconds, double each, QString folder)
        : m_application(application)
        , m_window(window)
        , m_toggles(std::max(1, static_cast<int>(seconds / each)))
        , m_folder(std::move(folder)) {
        m_timer.setInterval(static_cast<int>(each * 1000));
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { toggle(); });
        m_picture.setSingleShot(true);
        QObject::connect(&m_picture, &QTimer::timeout, &m_timer, [this] { takePicture(); });
    }
    void start() {
        for (QAction* action : m_window.findChildren<QAction*>())
            if (action->shortcut() == QKeySequence(Qt::Key_L))
                action->trigger();
        const auto* page = m_window.findChild<LivePage*>(QStringLiteral("live"));
        if (page)
            QObject::connect(page, &LivePage::added, &m_timer,
                             [this, page] { passed(page->newest()->pass); });
        m_application.roll = page ? page->findChild<LiveRoll*>(QStringLiteral("liveRoll")) : nullptr;
        m_timer.start();
    }
    void tell() const {
        std::printf("%d passes, %zu of %d toggles seen\n", m_passes, m_seenAfter.size(), m_toggled);
        tellSpread("between two passes of one process", m_between);
        tellSpread("frames of the roll while it moves", m_application.frames);
        tellSpread("events of the window", m_application.events);
        for (int after = 0; after < 10; ++after)
            if (const auto times = std::ranges::count(m_seenAfter, after))
                std::printf("seen in pass %d after the newest one at the toggle: %td times\n", after, times);
    }

private:
    void toggle() {
        if (m_toggled == m_toggles)
            return m_application.quit();
        m_askedAt = m_newest;
        m_window.findChild<ExperimentForm*>()->setExperiment(bench::experimentOf(++m_toggled));
        if (m_toggled * kPictures / m_toggles != (m_toggled - 1) * kPictures / m_toggles)
            m_picture.start(m_timer.interval() / 2);
        if (m_toggled % std::max(1, m_toggles / 20) == 0)
            std::printf("toggle %d: window %ld MiB, child %ld MiB\n", m_toggled, bench::residentKiB() / 1024,
                        childKiB() / 1024);
        std::fflush(stdout);
    }
    void passed(const recording::LivePass& pass) {
        ++m_passes;
        m_newest = pass.number;
        if (!pass.changed.empty())
            m_seenAfter.push_back(pass.number - m_askedAt);
        if (pass.between > 0 && !pass.freshProcess)
            m_between.push_back(static_cast<double>(pass.between) / 1e6);
    }
    void takePicture() {
        const LiveRoll* const roll = std::exchange(m_application.roll, nullptr); // it is no frame of Live
        m_window.grab().save(m_folder +
                             QStringLiteral("/live%1.png").arg(++m_pictures, 2, 10, QLatin1Char('0')));
        m_application.roll = roll;
        m_application.leaveOut();
    }

    Watched& m_application;
    MainWindow& m_window;
    const int m_toggles;
    const QString m_folder;
    QTimer m_timer, m_picture;
    int m_toggled = 0, m_passes = 0, m_newest = 0, m_askedAt = 0, m_pictures = 0;
    std::vector<int> m_seenAfter; ///< passes, of each toggle
    std::vector<double> m_between;
};

int runLive(Watched& application, const char* olab, const QString& folder, double seconds, double each,
            bool simulated) {
    Session session({[] { return std::make_unique<sim::SimBackend>(); }, olab});
    MainWindow window(session, {.remember = false, .askBeforeClose = false, .keepToScreen = false});
    window.resize(1280, 720);
    window.show();
    LiveWatch watch(application, window, seconds, each, folder);
    QObject::connect(&session, &Session::gpuProbed, &window, [&, begun = false]() mutable {
        if (!session.gpu().known || std::exchange(begun, true))
            return;
        if (!simulated)
            session.setBackend(BackendChoice::Gpu);
        QTimer::singleShot(0, &window, [&] { watch.start(); });
    });
    session.probeGpu();
    application.exec();
    application.roll = nullptr;
    watch.tell();
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3)
        return std::fprintf(stderr,
                            "olab_bench_live_window OLAB FOLDER [SECONDS] [TOGGLE_SECONDS] [--sim]\n"),
               2;
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    Watched application(argc, argv);
    const QString folder = QString::fromLocal8Bit(argv[2]);
    QDir().mkpath(folder);
    return runLive(application, argv[1], folder, argc > 3 ? std::atof(argv[3]) : 60,
                   argc > 4 ? std::atof(argv[4]) : 3, argc > 5);
}
