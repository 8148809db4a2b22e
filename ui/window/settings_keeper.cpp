#include "window/settings_keeper.h"

#include <QEvent>

namespace olab {

SettingsKeeper::SettingsKeeper(QObject& window, std::function<void()> store)
    : QObject(&window)
    , m_store(std::move(store)) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelayMs);
    connect(&m_timer, &QTimer::timeout, this, [this] { m_store(); });
    window.installEventFilter(this);
}

void SettingsKeeper::changed() {
    if (!m_timer.isActive()) // not started anew: what changes all the time is kept all the same
        m_timer.start();
}

void SettingsKeeper::keepNow() {
    m_timer.stop();
    m_store();
}

bool SettingsKeeper::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move ||
        event->type() == QEvent::WindowStateChange)
        changed();
    return false;
}

} // namespace olab
