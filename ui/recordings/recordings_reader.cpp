#include "recordings/recordings_reader.h"

#include "base/call_later.h"

#include <olab/run/runner.h>
#include <olab/trace/side_by_side.h>
#include <olab/ui/format.h>

#include <latch>
#include <mutex>
#include <utility>

namespace olab::ui {

void TableWorker::ask(Work work) {
    ++m_open;
    m_thread.post([this, work = std::move(work)](const std::stop_token&) {
        callLater(this, [this, done = work()] { finished(done); });
    });
}

void TableWorker::wait() {
    if (!isBusy())
        return;
    const auto rest = std::make_shared<std::latch>(1);
    m_thread.post([rest](const std::stop_token&) { rest->count_down(); });
    rest->wait();
}

void TableWorker::finished(const Done& done) {
    --m_open;
    if (done)
        done();
    if (m_open == 0)
        emit idle();
}

struct RecordingsReader::Job {
    Files places; ///< empty: the files are known
    survey::SurveyPlan plan;
    survey::NumberNames names;
    bool isPart = false;
    std::mutex mutex;
    Batch batch; ///< guarded by mutex
};

RecordingsReader::RecordingsReader(QObject* parent)
    : QObject(parent) {}

RecordingsReader::~RecordingsReader() {
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
}

void RecordingsReader::read(Files places, std::vector<survey::Column> columns) {
    auto job = std::make_shared<Job>();
    job->places = std::move(places);
    job->plan.columns = std::move(columns);
    start(std::move(job));
}

void RecordingsReader::readAgain(Files files, std::vector<survey::Column> columns) {
    auto job = std::make_shared<Job>();
    job->plan.files = std::move(files);
    job->plan.columns = std::move(columns);
    start(std::move(job));
}

void RecordingsReader::start(std::shared_ptr<Job> job) {
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
    m_job = std::move(job);
    m_isRunning = true;
    m_thread = tryStart([this, running = m_job](const std::stop_token& stop) { work(running, stop); });
    if (!m_thread.joinable())
        tell(m_job, [this] {
            m_isRunning = false;
            emit ended(tr("The system has no thread left to read them."));
        });
}

/// On the GUI thread, unless another job has begun.
void RecordingsReader::tell(const std::shared_ptr<Job>& job, std::function<void()> what) {
    callLater(this, [this, job, what = std::move(what)] {
        if (job == m_job)
            what();
    });
}

void RecordingsReader::look(Job& job, const RunControl& control) {
    survey::FoundFiles found = survey::filesIn(job.places, control);
    job.plan.files = std::move(found.files);
    job.isPart = found.stopped;
}

void RecordingsReader::work(const std::shared_ptr<Job>& job, const std::stop_token& stop) {
    QString problem;
    try {
        const RunControl control{stop, {}};
        if (!job->places.empty())
            look(*job, control);
        tell(job, [this, job] { emit found(job->plan.files, job->isPart); });
        job->plan.smallestFirst = true;
        job->plan.judged = [this, &job](std::size_t file, survey::Row row) {
            const std::lock_guard lock(job->mutex);
            job->batch.emplace_back(file, std::move(row));
            if (job->batch.size() == 1)
                tell(job, [this] { emit waiting(); });
        };
        job->plan.reported = [&job](const survey::Row& row, const io::ReportDocument& report) {
            job->names.add(row, report);
        };
        survey::survey(job->plan, control);
    } catch (const Error& error) {
        problem = error.kind() == ErrorKind::Cancelled ? tr("Stopped.") : sentence(error.what());
    } catch (...) {
        problem = sentence(run::currentError().message);
    }
    tell(job, [this, problem] {
        m_isRunning = false;
        emit ended(problem);
    });
}

RecordingsReader::Batch RecordingsReader::take() {
    if (!m_job)
        return {};
    const std::lock_guard lock(m_job->mutex);
    return std::exchange(m_job->batch, {});
}

std::vector<survey::NumberNames::Number> RecordingsReader::numbers() const {
    return m_job ? m_job->names.all() : std::vector<survey::NumberNames::Number>();
}

} // namespace olab::ui
