// A frame around what has the focus of the keys, the same for every control of the window: shown when the
// focus came by the keyboard or keys are used, hidden when the mouse is. Lies over the window and lets the
// mouse through. GUI thread.
#pragma once

#include <QPointer>
#include <QWidget>

class QWidget;

namespace olab::ui {

// Where controls that are made late come in the order of Tab. GUI thread.

/// All that Tab reaches inside `container` comes right after it, in the order it was made: else what is built
/// anew for each recording would come after everything else.
void keepTabOrderIn(QWidget& container);

class FocusRing final : public QWidget {
    Q_OBJECT
public:
    /// Around what has the focus in `window`, whose child it is.
    explicit FocusRing(QWidget& window);
    QWidget* around() const { return isVisible() ? m_focus.data() : nullptr; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void look();
    void place();
    QWidget& m_window;
    QPointer<QWidget> m_focus;
    bool m_byKeys = false;
};

} // namespace olab::ui
