#include "base/look_watch.h"

#include <QEvent>
#include <QWidget>

#include <utility>

namespace olab::ui {

LookWatch::LookWatch(QWidget& widget, std::function<void()> restyle)
    : QObject(&widget)
    , m_restyle(std::move(restyle)) {
    widget.installEventFilter(this);
}

bool LookWatch::eventFilter(QObject*, QEvent* event) {
    const bool look = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange;
    if (look && !std::exchange(m_waits, true))
        QMetaObject::invokeMethod(this, &LookWatch::tell, Qt::QueuedConnection);
    return false;
}

void LookWatch::tell() {
    m_waits = false; // before the call: what changes meanwhile is told, too
    m_restyle();
}

} // namespace olab::ui
