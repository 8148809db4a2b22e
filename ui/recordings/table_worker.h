// One thread for what takes long in a large table: how its rows stand to each other, writing it to a file. It
// reads what the window holds, so the window changes nothing of that while it works. Asleep otherwise;
// started with the first work. GUI thread.
#pragma once

#include <QObject>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace olab::ui {

class TableWorker final : public QObject {
    Q_OBJECT
public:
    using Done = std::function<void()>; ///< called on the GUI thread; may be empty
    using Work = std::function<Done()>; ///< called on the thread
    explicit TableWorker(QObject* parent);
    ~TableWorker() override; ///< what has begun ends, what has not is dropped
    void ask(Work work);
    /// Something is asked for whose Done was not called yet.
    bool isBusy() const { return m_open > 0; }
    void wait(); ///< until nothing reads; the calls to Done come later

signals:
    void idle();

private:
    void work(const std::stop_token& stop);
    void finished(const Done& done);
    int m_open = 0;
    std::mutex m_mutex;
    std::condition_variable_any m_wake, m_rest;
    std::deque<Work> m_work;  ///< guarded by m_mutex
    bool m_isWorking = false; ///< guarded by m_mutex
    std::jthread m_thread;
};

} // namespace olab::ui
