// Hostile recordings and settings: the window answers while it opens any of them, and starts with whatever
// the settings hold.
#include "hostile/hostile_files.h"

#include <olab/sim/sim_backend.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>

#include <QElapsedTimer>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <gtest/gtest.h>

#include <algorithm>

namespace olab {
namespace {

constexpr int kOpenMs = 120'000;
constexpr qint64 kAnswersMs = 6'000; // generous: other programs may keep the machine busy

/// The longest time between two turns of the event loop.
class Pulse {
public:
    Pulse() {
        m_since.start();
        QObject::connect(&m_timer, &QTimer::timeout, [this] { beat(); });
        m_timer.start(10);
    }
    qint64 longest() {
        beat();
        return m_longest;
    }

private:
    void beat() { m_longest = std::max(m_longest, m_since.restart()); }
    QTimer m_timer;
    QElapsedTimer m_since;
    qint64 m_longest = 0;
};

struct Desk {
    explicit Desk(bool remember)
        : window(session, {.remember = remember, .askBeforeClose = false}) {
        window.resize(1280, 720);
        window.show();
    }
    Session session{{[] { return std::make_unique<SimBackend>(); }, {}}};
    MainWindow window;
};

TEST(HostileFile, TheWindowAnswersWhileItOpensAny) {
    const QTemporaryDir folder;
    for (const hostile::Attack& attack : hostile::attacks()) {
        SCOPED_TRACE(attack.name);
        const QString path = folder.filePath(QString::fromStdString(attack.name) + QStringLiteral(".olab"));
        attack.write(path.toStdString());
        Desk desk(false);
        const QSignalSpy shown(&desk.window, &MainWindow::recordingShown);
        Pulse pulse;
        desk.window.open(path);
        EXPECT_TRUE(QTest::qWaitFor([&] { return shown.count() > 0; }, kOpenMs));
        QTest::qWait(50); // painted
        EXPECT_LT(pulse.longest(), kAnswersMs);
        EXPECT_LE(desk.window.minimumSizeHint().width(), 1280) << "nothing is as wide as its text";
    }
}

TEST(HostileSettings, TheWindowStartsWithAny) {
    const QString deep = QString(200'000, QLatin1Char('['));
    for (const QString& text :
         {QStringLiteral("{\"streams\": 1e999}"), QStringLiteral("{\"streams\": 1e300}"),
          QStringLiteral("[1]"), QStringLiteral("{\"streams\": 99999999999999999999}"),
          QStringLiteral("{\"streams\": \"\\ud800\"}"), deep, deep + QString(200'000, QLatin1Char(']'))}) {
        SCOPED_TRACE(text.left(60).toStdString());
        QSettings().clear();
        QSettings settings;
        settings.setValue(QStringLiteral("experiment"), text);
        settings.setValue(QStringLiteral("rows"), text.toUtf8());
        settings.setValue(QStringLiteral("theme"), text);
        settings.setValue(QStringLiteral("geometry"), text.toUtf8());
        settings.setValue(QStringLiteral("columns"), 1e300);
        settings.setValue(QStringLiteral("recent"), text);
        settings.sync();
        EXPECT_NO_THROW({
            Desk desk(true);
            QCoreApplication::processEvents();
            EXPECT_EQ(desk.window.findChild<ExperimentForm*>()->experiment(), Experiment{});
        });
    }
    QSettings().clear();
}

} // namespace
} // namespace olab
