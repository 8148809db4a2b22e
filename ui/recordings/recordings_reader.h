// Judges the recordings of folders on threads of its own, the smallest first, and hands out rows as they
// come. Asked for nothing it has no thread. GUI thread.
#pragma once

#include "base/background.h"

#include <olab/survey/survey.h>

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace olab::ui {

/// One thread for what takes long in a large table: how its rows stand to each other, writing it to a file.
/// It reads what the window holds, so the window changes nothing of that while it works. Asleep otherwise;
/// started with the first work. GUI thread.
class TableWorker final : public QObject {
    Q_OBJECT
public:
    using Done = std::function<void()>; ///< called on the GUI thread; may be empty
    using Work = std::function<Done()>; ///< called on the thread
    using QObject::QObject;
    /// What has begun when this is destroyed ends, what has not is dropped.
    void ask(Work work);
    /// Something is asked for whose Done was not called yet.
    bool isBusy() const { return m_open > 0; }
    void wait(); ///< until nothing reads; the calls to Done come later

signals:
    void idle();

private:
    void finished(const Done& done);
    int m_open = 0;
    Background m_thread;
};

class RecordingsReader final : public QObject {
    Q_OBJECT
public:
    using Files = std::vector<std::filesystem::path>;
    using Batch = std::vector<std::pair<std::size_t, survey::Row>>; ///< with the places of their files
    explicit RecordingsReader(QObject* parent);
    ~RecordingsReader() override; ///< stops and joins
    /// What is in these folders, and these files: found() follows. What was read before stops.
    void read(Files places, std::vector<survey::Column> columns);
    /// Files that were found: their rows again, with these columns.
    void readAgain(Files files, std::vector<survey::Column> columns);
    void stop() { m_thread.request_stop(); } ///< ended() follows, within 200 ms
    bool isRunning() const { return m_isRunning; }
    Batch take(); ///< rows that came since
    /// Which numbers there are, as far as was read.
    std::vector<survey::NumberNames::Number> numbers() const;

signals:
    void found(const std::vector<std::filesystem::path>& files, bool isPart);
    void waiting();                     ///< take() has some
    void ended(const QString& problem); ///< empty: all were read; else why it ended before

private:
    struct Job;
    void start(std::shared_ptr<Job> job);
    void tell(const std::shared_ptr<Job>& job, std::function<void()> what);
    void work(const std::shared_ptr<Job>& job, const std::stop_token& stop);
    static void look(Job& job, const RunControl& control);
    std::shared_ptr<Job> m_job; ///< the last one; null: none yet
    bool m_isRunning = false;
    std::jthread m_thread;
};

} // namespace olab::ui
