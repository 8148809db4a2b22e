// The window when the machine fails: errors of children (OLAB_FAULT), full disks, folders that cannot be
// written. Whatever happens it stays, says what happened, loses nothing and runs again.
#include "patience.h"
#include "test_places.h"

#include <olab/experiment/backend.h>
#include <olab/experiment/held_experiment.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <window/messages/message_bars.h>
#include <window/runs/runs.h>

#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <sys/resource.h>
#include <sys/wait.h>

using namespace olab;
using namespace olab::ui;

namespace {

std::size_t entriesOf(const std::filesystem::path& folder) {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        count += entry.path().empty() ? 0u : 1u;
    return count;
}

/// An environment variable for as long as it lives.
class Setting {
public:
    Setting(const char* name, const QByteArray& value)
        : m_name(name)
        , m_before(qgetenv(name)) {
        qputenv(name, value);
    }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;
    ~Setting() { m_before.isNull() ? qunsetenv(m_name) : qputenv(m_name, m_before); }

private:
    const char* m_name;
    QByteArray m_before;
};

/// A window whose children are real processes that run the simulator.
class WindowWithChildren {
public:
    WindowWithChildren() {
        QFile script(m_folder.filePath(QStringLiteral("olab")));
        EXPECT_TRUE(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\nexec '" OLAB_PROGRAM "' \"$@\" --sim\n");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        m_session = std::make_unique<Session>(SessionBackends{{}, script.fileName().toStdString()});
        m_session->setBackend(BackendChoice::Gpu);
        m_window = std::make_unique<MainWindow>(*m_session,
                                                WindowOptions{.remember = false, .askBeforeClose = false});
        m_window->show();
    }
    MainWindow& window() { return *m_window; }
    Session& session() { return *m_session; }
    const ErrorBar& errors() { return m_window->errors(); }
    Runs& runs() { return *m_window->findChild<Runs*>(); }

    static experiment::HeldExperiment experiment(int number) {
        experiment::HeldExperiment e;
        experiment::setOption(e, "streams=2");
        experiment::setOption(e, "iterations=4");
        experiment::setOption(e, number % 2 ? "trace=on"
                                            : "trace=off"); // a fresh traced child, the reused plain one
        return e;
    }
    void run(const experiment::Experiment& experiment) {
        m_window->form().setExperiment(experiment);
        m_window->run();
        EXPECT_TRUE(
            QTest::qWaitFor([&] { return !m_session->busy() && !m_session->refining(); }, test::kPatience));
    }
    /// What the window says of the save.
    bool save(const QString& path) {
        const QSignalSpy saved(m_session.get(), &Session::saved);
        EXPECT_TRUE(m_session->save(m_window->shown(), path));
        EXPECT_TRUE(QTest::qWaitFor([&] { return !m_session->busy(); }, test::kPatience));
        return saved.count() == 1;
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

/// No file can grow past `bytes`.
class FileLimit {
public:
    explicit FileLimit(rlim_t bytes)
        : m_handler(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;
    ~FileLimit() {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }

private:
    rlimit m_before{};
    void (*m_handler)(int);
};

QByteArray textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

TEST(WindowAndFaults, AfterFiftyInARowTheNextRunIsRight) {
    const QTemporaryDir temporary;
    const Setting tmp("TMPDIR", temporary.path().toUtf8());
    {
        WindowWithChildren t;
        t.run(t.experiment(1));
        ASSERT_EQ(t.runs().count(), 1);
        const view::ViewDataPtr kept = t.window().shown();
        for (int i = 0; i < 50; ++i) {
            const experiment::FaultName& fault =
                experiment::kFaultNames[static_cast<std::size_t>(i) % experiment::kFaultNames.size()];
            const bool isKnownByTime =
                fault.fault == experiment::Fault::Hang || fault.fault == experiment::Fault::Silent;
            const Setting asked("OLAB_FAULT", QByteArray(fault.name.data(), qsizetype(fault.name.size())));
            const Setting limit("OLAB_TIME_LIMIT", isKnownByTime ? "1" : "600");
            t.run(t.experiment(i));
            ASSERT_EQ(t.errors().count(), 1) << fault.name;
            EXPECT_TRUE(t.errors().lastText().contains(QStringLiteral("OLAB_FAULT=")))
                << t.errors().lastText().toStdString();
            ASSERT_EQ(t.window().shown(), kept) << "what was shown is still shown";
        }
        experiment::HeldExperiment both = t.experiment(0);
        experiment::setOption(both, "trace=both");
        int count = 1;
        for (const experiment::Experiment& e : {t.experiment(1), t.experiment(0), both}) {
            t.run(e);
            EXPECT_EQ(t.errors().count(), 0) << t.errors().lastText().toStdString();
            ASSERT_EQ(t.runs().count(), ++count);
            EXPECT_EQ(experiment::HeldExperiment(*t.window().shown()->recording->experiment), e);
            EXPECT_EQ(t.window().shown()->trace().windows().size(), 1u);
        }
        EXPECT_TRUE(t.window().isVisible());
    }
    EXPECT_EQ(entriesOf(temporary.path().toStdString()), 0u) << "temporary files";
    EXPECT_TRUE(QTest::qWaitFor(
        [] {
            siginfo_t info{};
            return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0;
        },
        test::kPatience))
        << "a child is left";
}

TEST(WindowAndFaults, AFullDiskKeepsTheOldFileAndTheRecording) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("run.olab"));
    WindowWithChildren t;
    t.run(t.experiment(1));
    ASSERT_TRUE(t.save(path));
    const QByteArray old = textOf(path);
    ASSERT_GT(old.size(), 1000);
    t.run(t.experiment(1));
    ASSERT_EQ(t.runs().unsavedCount(), 1);
    {
        const FileLimit full(600);
        EXPECT_FALSE(t.save(path));
    }
    EXPECT_EQ(t.errors().count(), 1);
    EXPECT_TRUE(t.errors().lastText().contains(QStringLiteral("File too large")))
        << t.errors().lastText().toStdString();
    EXPECT_EQ(textOf(path), old);
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1) << "a half-written file";
    EXPECT_EQ(t.runs().unsavedCount(), 1) << "still to be saved";
    EXPECT_TRUE(t.save(path)) << "once there is room";
    EXPECT_EQ(t.runs().unsavedCount(), 0);
}

TEST(WindowAndFaults, AFolderThatCannotBeWrittenIsSaid) {
    WindowWithChildren t;
    t.run(t.experiment(1));
    EXPECT_FALSE(t.save(QStringLiteral("/proc/run.olab")));
    EXPECT_EQ(t.errors().count(), 1);
    EXPECT_TRUE(t.errors().lastText().contains(QStringLiteral("/proc/run.olab")));
    EXPECT_EQ(t.runs().unsavedCount(), 1);
}

TEST(WindowAndFaults, WithoutAPlaceForTemporaryFilesItSaysSoAndRunsOnceThereIsOne) {
    WindowWithChildren t;
    {
        const Setting nowhere("TMPDIR", "/proc");
        t.run(t.experiment(1));
        EXPECT_EQ(t.errors().count(), 1);
        EXPECT_TRUE(t.errors().lastText().contains(QStringLiteral("TMPDIR")));
    }
    experiment::HeldExperiment both = t.experiment(1);
    experiment::setOption(both, "trace=both");
    t.run(both);
    EXPECT_EQ(t.errors().count(), 0);
    ASSERT_NE(t.window().shown(), nullptr);
    EXPECT_TRUE(t.window().shown()->recording->report.toolEffect) << "both kinds of children are there";
}

TEST(WindowAndFaults, SettingsThatCannotBeWrittenHarmNothing) {
    const QTemporaryDir restore;
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("/proc/nowhere"));
    {
        Session session{{{}, {}}};
        MainWindow window(session, {.remember = true, .askBeforeClose = false});
        window.show();
        window.setTheme(ThemeChoice::Dark);
        window.close();
        EXPECT_FALSE(window.isVisible());
    }
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, restore.path());
    Session session{{{}, {}}};
    const MainWindow again(session, {.remember = true, .askBeforeClose = false});
    EXPECT_EQ(again.findChild<Runs*>()->count(), 0);
}

TEST(WindowAndFaults, AnEngineThatIsNotThereIsAnErrorOfTheRun) {
    Session session{{{}, "/no/such/olab"}};
    MainWindow window(session, {.remember = false, .askBeforeClose = false});
    window.show();
    session.setBackend(BackendChoice::Gpu);
    window.run();
    EXPECT_TRUE(QTest::qWaitFor([&] { return window.errors().count() == 1; }, test::kPatience));
    EXPECT_TRUE(window.errors().lastText().contains(QStringLiteral("/no/such/olab")));
    EXPECT_TRUE(window.isVisible());
}
