#include "window/settings_store.h"

#include <QEvent>

namespace olab::ui {

SettingsStore::SettingsStore(QObject& window, std::function<void()> store)
    : QObject(&window)
    , m_store(std::move(store)) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelayMs);
    connect(&m_timer, &QTimer::timeout, this, [this] { m_store(); });
    window.installEventFilter(this);
}

void SettingsStore::changed() {
    if (!m_timer.isActive()) // not started anew: what changes all the time is kept all the same
        m_timer.start();
}

void SettingsStore::keepNow() {
    m_timer.stop();
    m_store();
}

bool SettingsStore::eventFilter(QObject*, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move ||
        event->type() == QEvent::WindowStateChange)
        changed();
    return false;
}

} // namespace olab::ui
