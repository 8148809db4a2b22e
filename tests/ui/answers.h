// A person who answers the dialogs of a window.
#pragma once

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QApplication>
#include <QMessageBox>
#include <QTimer>

#include <functional>
#include <vector>

namespace olab::test {

/// Answers one dialog after the other as they come up; `asked` counts them.
class Answers final : public QObject {
public:
    using Answer = std::function<void(QWidget&)>;
    explicit Answers(std::vector<Answer> answers)
        : m_answers(std::move(answers)) {
        connect(&m_timer, &QTimer::timeout, this, [this] {
            QWidget* dialog = QApplication::activeModalWidget();
            if (!dialog || dialog == m_seen || asked >= m_answers.size())
                return;
            m_seen = dialog;
            m_answers[asked++](*dialog);
        });
        m_timer.start(20);
    }
    std::size_t asked = 0;

private:
    std::vector<Answer> m_answers;
    QTimer m_timer;
    const QWidget* m_seen = nullptr;
};

inline Answers::Answer press(QMessageBox::StandardButton button) {
    return [button](QWidget& dialog) {
        auto* box = qobject_cast<QMessageBox*>(&dialog);
        ASSERT_NE(box, nullptr);
        ASSERT_NE(box->button(button), nullptr);
        box->button(button)->click();
    };
}

} // namespace olab::test
