// Lessons in a window of 1280x720, as a person goes through them.
#pragma once

#include "patience.h"
#include "test_places.h"
#include "usual_look.h"

#include <olab/sim/sim_backend.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <experiment/preset_fit.h>
#include <lessons/bars_board.h>
#include <olab/lesson/lesson_file.h>
#include <window/rooms/lesson_room.h>

#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QTest>

#include <gtest/gtest.h>

namespace olab::test {

class LessonWindow {
public:
    explicit LessonWindow(const QString& recordings = QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings"),
                          bool remember = false)
        : window(session, {.remember = remember,
                           .askBeforeClose = false,
                           .keepToScreen = false,
                           .recordings = recordings}) {
        window.resize(1280, 720);
        window.show();
    }
    ui::LessonRoom& room() { return window.lessons(); }
    const ui::LessonState& state() { return room().state(); }
    void start(const char* id) {
        const lesson::Lesson* lesson = lesson::findShippedLesson(id);
        ASSERT_NE(lesson, nullptr);
        room().start(*lesson, QLatin1String(id));
    }
    template <class Widget>
    Widget* find(const char* name) {
        for (Widget* widget : window.findChildren<Widget*>(QLatin1String(name)))
            if (widget->isVisible())
                return widget;
        return nullptr;
    }
    void click(const char* name) {
        auto* button = find<QPushButton>(name);
        ASSERT_NE(button, nullptr) << name;
        button->click();
        settle();
    }
    void predict(int answer) {
        auto* button = find<QRadioButton>(qPrintable(QStringLiteral("answer%1").arg(answer)));
        ASSERT_NE(button, nullptr);
        button->click();
    }
    /// Answers and runs the first step. `button`: which runs it.
    bool runFirstStep(const char* id, int answer, const char* button = "lessonForward") {
        start(id);
        predict(answer);
        click(button);
        return waitForResult();
    }
    /// The same, and goes on.
    void toSecondStep(const char* id, int answer) {
        ASSERT_TRUE(runFirstStep(id, answer));
        click("lessonForward");
    }
    ui::BarsBoard* bars(const char* name = "bars") {
        return dynamic_cast<ui::BarsBoard*>(find<QWidget>(name));
    }
    /// The bars stay as they are.
    void leaveBars() {
        ASSERT_NE(bars(), nullptr);
        QTest::keyClick(bars(), Qt::Key_Return);
    }
    bool waitForResult() {
        const bool came = QTest::qWaitFor([this] { return !session.busy() && !state().running; }, kPatience);
        settle();
        return came && state().outcome.has_value();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(window.focusWidget() ? window.focusWidget() : &window, key, modifiers);
        settle();
    }
    static void settle() {
        for (int i = 0; i < 3; ++i)
            QCoreApplication::processEvents();
    }
    /// What the panel says to a person now.
    QString words() {
        QStringList all;
        for (const QLabel* label : room().panel().findChildren<QLabel*>())
            if (label->isVisibleTo(&room().panel()))
                all << label->text();
        return all.join(QLatin1Char('\n'));
    }
    QString forwardText() { return find<QPushButton>("lessonForward")->text(); }

    UsualLook look;
    ui::Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    ui::MainWindow window;
};

} // namespace olab::test
