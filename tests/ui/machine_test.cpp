// The GPU of another machine: chosen in the window, reached by a made-up ssh that runs the command here.
#include "patience.h"
#include "test_places.h"

#include <olab/experiment/held_experiment.h>
#include <olab/sim/sim_backend.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <experiment/experiment_panel.h>
#include <window/messages/message_bars.h>

#include <QDir>
#include <QFile>
#include <QInputDialog>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace olab::ui {
namespace {

/// On PATH, for as long as it lives: knows the host gpu1, whose user has olab.
class MadeUpSsh {
public:
    MadeUpSsh()
        : m_path(qgetenv("PATH")) {
        const QString there = m_folder.filePath(QStringLiteral("home/.local/share/overlap-lab"));
        EXPECT_TRUE(QDir().mkpath(there));
        EXPECT_TRUE(QFile::link(QStringLiteral(OLAB_PROGRAM), there + QStringLiteral("/olab")));
        QFile script(m_folder.filePath(QStringLiteral("ssh")));
        EXPECT_TRUE(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\n"
                     "[ \"$2\" = gpu1 ] || { echo \"ssh: Could not resolve hostname $2\" >&2; exit 255; }\n"
                     "HOME=${0%/*}/home exec sh -c \"$3\"\n");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("PATH", m_folder.path().toUtf8() + ":" + m_path);
    }
    MadeUpSsh(const MadeUpSsh&) = delete;
    MadeUpSsh& operator=(const MadeUpSsh&) = delete;
    ~MadeUpSsh() { qputenv("PATH", m_path); }

private:
    QTemporaryDir m_folder;
    QByteArray m_path;
};

QStringList entriesOf(MachineButton& button) {
    emit button.menu()->aboutToShow();
    QStringList texts;
    for (const QAction* entry : button.menu()->actions())
        if (!entry->isSeparator())
            texts << entry->text() + (entry->isChecked() ? QStringLiteral(" *") : QString());
    return texts;
}

TEST(Machine, TheMenuOffersTheHostsOfTheUsersConfiguration) {
    const QTemporaryDir home;
    QDir(home.path()).mkdir(QStringLiteral(".ssh"));
    QFile config(home.filePath(QStringLiteral(".ssh/config")));
    ASSERT_TRUE(config.open(QIODevice::WriteOnly));
    config.write("Host gpu1 a&b\nHost *.example\n");
    config.close();
    MachineButton button;
    button.setHome(home.path().toStdString());
    EXPECT_EQ(entriesOf(button),
              (QStringList{QStringLiteral("&This machine *"), QStringLiteral("gpu1"), QStringLiteral("a&&b"),
                           QStringLiteral("&Another machine...")}));
    button.setHost(QStringLiteral("elsewhere"));
    EXPECT_EQ(entriesOf(button),
              (QStringList{QStringLiteral("&This machine"), QStringLiteral("gpu1"), QStringLiteral("a&&b"),
                           QStringLiteral("elsewhere *"), QStringLiteral("&Another machine...")}));
    QString chosen;
    QObject::connect(&button, &MachineButton::hostChosen, [&](const QString& host) { chosen = host; });
    button.menu()->actions()[2]->trigger();
    EXPECT_EQ(chosen, QStringLiteral("a&b"));
    button.menu()->actions().last()->trigger();
    auto* const dialog = button.findChild<QInputDialog*>();
    ASSERT_NE(dialog, nullptr);
    dialog->setTextValue(QStringLiteral(" user@host "));
    dialog->accept();
    EXPECT_EQ(chosen, QStringLiteral("user@host"));
}

TEST(Machine, ARunOfTheWindowRunsThereAndSaysSo) {
    const MadeUpSsh ssh;
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, OLAB_PROGRAM, {"--sim"}}};
    MainWindow window(session, {.remember = false, .askBeforeClose = false});
    window.show();
    const QSignalSpy probed(&session, &Session::gpuProbed);
    session.setHost(QStringLiteral("gpu1"));
    EXPECT_EQ(session.backend(), BackendChoice::Simulator) << "until it has answered";
    ASSERT_TRUE(QTest::qWaitFor([&] { return probed.count() == 2; }, test::kPatience));
    session.setBackend(BackendChoice::Gpu);
    window.form().setExperiment(experiment::HeldExperiment{"iterations=4", "trace=on"});
    window.run();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.shown() && !session.busy(); }, test::kPatience));
    const auto& environment = window.shown()->trace().environment();
    ASSERT_TRUE(environment.contains("host"));
    EXPECT_EQ(environment.at("host"), "gpu1");
    session.setHost({});
    ASSERT_TRUE(QTest::qWaitFor([&] { return probed.count() == 4; }, test::kPatience));
    session.setBackend(BackendChoice::Gpu);
    const view::ViewDataPtr before = window.shown();
    window.run();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return window.shown() != before && !session.busy(); }, test::kPatience));
    EXPECT_FALSE(window.shown()->trace().environment().contains("host")) << "it was made here";
}

TEST(Machine, OneThatCannotBeReachedIsAnErrorAndNoRun) {
    const MadeUpSsh ssh;
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, OLAB_PROGRAM, {"--sim"}}};
    MainWindow window(session, {.remember = false, .askBeforeClose = false});
    window.show();
    session.setHost(QStringLiteral("no\"where"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.errors().count() == 1; }, test::kPatience));
    EXPECT_TRUE(window.errors().lastText().contains(QStringLiteral("Cannot connect to no\"where")))
        << window.errors().lastText().toStdString();
    session.setBackend(BackendChoice::Gpu);
    const QSignalSpy failed(&session, &Session::failed);
    window.run();
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() == 1 && !session.busy(); }, test::kPatience));
    EXPECT_EQ(window.shown(), nullptr);
}

} // namespace
} // namespace olab::ui
