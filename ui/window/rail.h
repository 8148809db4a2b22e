// The strip at the left edge of the window: the actions that lead to its rooms, and those that bring panels
// back, each with an icon and a name. They are actions of the menus, by their object names. GUI thread.
#pragma once

#include <QFrame>

#include <utility>
#include <vector>

class QAction;
class QToolButton;

namespace olab::ui {

class Rail final : public QFrame {
    Q_OBJECT
public:
    /// `actions`: an object with those that are named in the table of rail.cpp below it.
    explicit Rail(const QObject& actions, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override { return {QFrame::minimumSizeHint().width(), 0}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QToolButton* add(QAction& action, const QString& name, const char* lines);
    void restyle();
    void fit();
    std::vector<std::pair<QToolButton*, const char*>> m_buttons; ///< each with the lines of its icon
};

} // namespace olab::ui
