// Tells its owner that the look of a widget (palette, type) has changed, once, when Qt has told all widgets
// of it. While Qt goes through the widgets of the program none may be made or deleted: it keeps a list of
// them. So what is built with colours or sizes of its own is built again from here, never from changeEvent().
// GUI thread; owned by the widget.
#pragma once

#include <QObject>

#include <functional>

class QWidget;

namespace olab::ui {

class LookWatch final : public QObject {
    Q_OBJECT
public:
    LookWatch(QWidget& widget, std::function<void()> restyle);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void tell();
    std::function<void()> m_restyle;
    bool m_waits = false; ///< several events of one change are one call
};

} // namespace olab::ui
