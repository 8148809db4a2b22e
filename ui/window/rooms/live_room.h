// Live in the window: the settings of the form run over and over, and each change of the form is in the next
// pass. Owned by the window. GUI thread.
#pragma once

#include "live/live_page.h"

#include <olab/recording/live_run.h>

#include <QObject>

#include <memory>

namespace olab::ui {

class Session;
struct WindowParts;

class LiveRoom final : public QObject {
public:
    /// `parts` must outlive it.
    explicit LiveRoom(const WindowParts& parts);
    void start();
    void stop();
    bool isRunning() const { return m_wish != nullptr; }
    LivePage& page();

private:
    void take();
    void passed(const LiveNewsPtr& news);
    void ended();
    void keep();
    QString whereText() const;

    const WindowParts& m_parts;
    Session& m_session;
    LivePage* m_page = nullptr;                  ///< null until somebody wants it
    std::shared_ptr<recording::LiveWish> m_wish; ///< null: it does not run
};

} // namespace olab::ui
