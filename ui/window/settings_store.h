// Writes what the window remembers soon after it changed, not only at a clean end: a timer that runs once
// puts many changes together. Nothing changes, nothing runs. GUI thread.
#pragma once

#include <QObject>
#include <QTimer>

#include <functional>

namespace olab::ui {

class SettingsStore final : public QObject {
    Q_OBJECT
public:
    static constexpr int kDelayMs = 300;
    /// Moving and resizing `window` are changes too. `store` is called on the GUI thread.
    SettingsStore(QObject& window, std::function<void()> store);
    void changed();
    void keepNow();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    std::function<void()> m_store;
    QTimer m_timer;
};

} // namespace olab::ui
