// A window that runs on the GPU, for tests. The window's process never touches CUDA.
#pragma once

#include "usual_look.h"

#include <olab/run/child_backend.h>
#include <olab/sim/sim_backend.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <window/rooms/lesson_room.h>

#include <QAbstractButton>
#include <QDir>
#include <QTest>

#include <gtest/gtest.h>

#include <memory>

namespace olab::test {

/// ms: of a claim that takes several runs, or of a sweep.
inline constexpr int kGpuPatience = 120'000;

struct GpuWindow {
    GpuWindow() {
        window.resize(1280, 720);
        window.show();
        session.probeGpu();
        const bool answered = QTest::qWaitFor([this] { return session.gpu().known; }, kGpuPatience);
        EXPECT_TRUE(answered && session.gpu().usable) << qPrintable(session.gpu().why);
        session.setBackend(ui::BackendChoice::Gpu);
        settle();
    }
    static void settle() {
        for (int i = 0; i < 3; ++i)
            QCoreApplication::processEvents();
    }
    bool waitForEnd() {
        const bool came = QTest::qWaitFor([this] { return !session.busy(); }, kGpuPatience);
        settle();
        return came;
    }
    QWidget* visible(const char* name) {
        for (auto* widget : window.findChildren<QWidget*>(QLatin1String(name)))
            if (widget->isVisible())
                return widget;
        return nullptr;
    }
    void press(const char* name) {
        auto* button = qobject_cast<QAbstractButton*>(visible(name));
        ASSERT_NE(button, nullptr) << name;
        ASSERT_TRUE(button->isEnabled()) << name;
        button->click();
        settle();
    }
    /// The first answer of the step that is shown, or its bars as they lie; then its run.
    void predictAndRun() {
        if (QWidget* bars = visible("bars"))
            QTest::keyClick(bars, Qt::Key_Return);
        else
            press("answer0");
        press("lessonForward");
        ASSERT_TRUE(
            QTest::qWaitFor([this] { return !session.busy() && !room().state().running; }, kGpuPatience));
        settle();
    }
    /// To be looked at: in the folder that OLAB_TEST_PICTURES names, if it does.
    void keepPicture(const char* name) {
        const QString folder = qEnvironmentVariable("OLAB_TEST_PICTURES");
        settle();
        if (!folder.isEmpty())
            window.grab().save(QDir(folder).filePath(QLatin1String(name) + QLatin1String(".png")));
    }
    ui::LessonRoom& room() { return window.lessons(); }

    UsualLook look;
    ui::Session session{{[] { return std::make_unique<sim::SimBackend>(); }, run::findOlab()}};
    ui::MainWindow window{session, {.remember = false, .askBeforeClose = false, .keepToScreen = false}};
};

} // namespace olab::test
