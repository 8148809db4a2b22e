// A window whose experiments run in real child processes, as on a GPU; the children simulate.
#pragma once

#include "patience.h"
#include "test_places.h"

#include <olab/experiment/held_experiment.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <results/summary_lines.h>
#include <window/runs/runs.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

namespace olab::test {

/// `guard`: shell commands before the engine starts.
class RefiningWindow {
public:
    explicit RefiningWindow(std::chrono::milliseconds idle = std::chrono::seconds(60),
                            const QByteArray& guard = {}) {
        QFile script(m_folder.filePath(QStringLiteral("olab")));
        EXPECT_TRUE(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\n" + guard + "\nexec '" OLAB_PROGRAM "' \"$@\"\n");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        ui::SessionBackends backends{{}, script.fileName().toStdString(), {"--sim"}, idle};
        session = std::make_unique<ui::Session>(backends);
        session->setBackend(ui::BackendChoice::Gpu);
        window = std::make_unique<ui::MainWindow>(
            *session, ui::WindowOptions{.remember = false, .askBeforeClose = false});
        window->resize(1280, 800);
        window->show();
    }
    /// Returns when the run is on the screen.
    void run(int iterations = 4, int repeat = 1) {
        experiment::HeldExperiment e{"streams=2"};
        experiment::setOption(e, "iterations", std::to_string(iterations));
        experiment::setOption(e, "repeat", std::to_string(repeat));
        window->form().setExperiment(e);
        QSignalSpy shown(window.get(), &ui::MainWindow::recordingShown);
        window->run();
        ASSERT_TRUE(QTest::qWaitFor([&] { return shown.count() > 0; }, kPatience));
    }
    bool waitUntilKnown() {
        return QTest::qWaitFor([&] { return !session->busy() && !session->refining(); }, kPatience);
    }
    QString said() { return window->findChild<ui::TrustLine*>()->text(); }
    ui::Runs& runs() { return *window->findChild<ui::Runs*>(); }
    const analysis::Report& report() { return window->shown()->recording->report; }

    QTemporaryDir m_folder;
    std::unique_ptr<ui::Session> session;
    std::unique_ptr<ui::MainWindow> window;
};

} // namespace olab::test
