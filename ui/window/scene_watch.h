// Tells the layout what is in the middle of the window, whenever that changes. GUI thread.
#pragma once

#include "window/panel_rules.h"

#include <QObject>

namespace olab::ui {

struct WindowParts;

class SceneWatch final : public QObject {
    Q_OBJECT
public:
    /// `parts` must outlive it.
    explicit SceneWatch(const WindowParts& parts);
    void refresh();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< the window is wider or narrower

private:
    Scene now() const;
    void inspect();
    bool m_inspects = false;
    const WindowParts& m_parts;
};

} // namespace olab::ui
