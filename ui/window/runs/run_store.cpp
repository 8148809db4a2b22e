#include "window/runs/run_store.h"

#include "base/call_later.h"
#include "base/plain_text.h"

#include <olab/recording/stored_recording.h>
#include <olab/ui/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace olab::ui {

RunStore::RunStore(std::uint64_t most, std::filesystem::path parent, QObject* owner)
    : QObject(owner)
    , m_most(most)
    , m_parent(parent.empty() ? TemporaryFolder::parentOnDisk() : std::move(parent)) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, &RunStore::balance);
    m_writer.post([where = m_parent](const std::stop_token&) { TemporaryFolder::sweep(where); });
}

RunStore::~RunStore() = default;

const RunStore::Kept* RunStore::find(const view::RunPtr& run) const {
    const auto at = m_runs.find(run);
    return at == m_runs.end() ? nullptr : &at->second;
}

void RunStore::use(Kept& kept) {
    kept.used = ++m_turn;
    balanceSoon();
}

void RunStore::keep(const view::ViewDataPtr& shown) {
    Kept& kept = m_runs[shown->run];
    letGo(std::exchange(kept.stored, nullptr)); // of what it was before
    kept.shown = shown;
    kept.last = shown;
    kept.bytes = shown->memoryBytes();
    kept.file.clear();
    m_isFull = false;
    use(kept);
    emit changed();
}

void RunStore::isIn(const view::RunPtr& run, const std::filesystem::path& file,
                    const recording::FileStamp& stamp) {
    if (Kept* kept = find(run)) {
        kept->file = file;
        kept->stamp = stamp;
    }
}

void RunStore::forget(const view::RunPtr& run) {
    if (Kept* kept = find(run))
        letGo(std::exchange(kept->stored, nullptr));
    m_runs.erase(run);
    emit changed();
}

view::ViewDataPtr RunStore::inMemory(const view::RunPtr& run) const {
    const Kept* kept = find(run);
    return kept ? kept->shownNow() : nullptr;
}

RunFigures RunStore::figures() const {
    RunFigures figures;
    figures.runs = static_cast<int>(m_runs.size());
    figures.most = m_most;
    figures.memory = memory();
    for (const auto& [run, kept] : m_runs) {
        figures.inMemory += kept.last.expired() ? 0 : 1;
        figures.disk += kept.stored ? kept.stored->bytesWritten() : 0;
    }
    return figures;
}

std::uint64_t RunStore::memory() const {
    std::uint64_t sum = 0;
    for (const auto& [run, kept] : m_runs)
        sum += kept.last.expired() ? 0 : kept.bytes;
    return sum;
}

// --- out of memory

/// Of those that nobody else has: letting go of another one frees nothing. On a full disk, of those that need
/// no room there.
RunStore::Kept* RunStore::oldest() {
    Kept* found = nullptr;
    for (auto& [run, kept] : m_runs) {
        const bool canGo = !m_isFull || kept.stored || !kept.file.empty();
        if (kept.shown && kept.shown.use_count() == 1 && canGo && (!found || kept.used < found->used))
            found = &kept;
    }
    return found;
}

void RunStore::balance() {
    bool any = false;
    while (memory() > m_most) {
        Kept* kept = oldest();
        if (!kept)
            break;
        if (!kept->stored) {
            putAway(kept->shown->run, *kept);
            break; // it goes on when that is done
        }
        kept->shown.reset();
        any = true;
    }
    if (any)
        emit changed();
}

/// On the writer's thread. The system may have cleaned up what nobody had touched for weeks.
std::filesystem::path RunStore::folder() {
    std::error_code ignored;
    if (m_folder && !std::filesystem::is_directory(m_folder->path(), ignored))
        m_folder.reset();
    if (!m_folder)
        m_folder = std::make_unique<TemporaryFolder>(m_parent);
    return m_folder->path();
}

void RunStore::putAway(const view::RunPtr& run, Kept& kept) {
    if (m_leaving)
        return;
    m_leaving = run;
    m_writer.post([this, run, shown = kept.shown, file = kept.file, stamp = kept.stamp,
                   name = std::to_string(++m_names)](const std::stop_token& stop) mutable {
        try {
            const recording::Recording& recording = *shown->recording;
            StoredPtr stored = recording::StoredRecording::isIn(recording, file, stamp)
                                   ? std::make_shared<recording::StoredRecording>(recording, file, stamp)
                                   : std::make_shared<recording::StoredRecording>(recording, folder(), name,
                                                                                  RunControl{stop, {}});
            // With the last of what this thread has of it: it is to be let go by then.
            callLater(this, [this, run, shown = std::move(shown), stored = std::move(stored)]() mutable {
                isAway(run, std::move(shown), std::move(stored));
            });
        } catch (...) {
            callLater(this, [this, run, error = run::currentError()] { cannotPutAway(run, error); });
        }
    });
}

/// It may have been chosen meanwhile, or more is known of it: then it stays.
void RunStore::isAway(const view::RunPtr& run, view::ViewDataPtr written, StoredPtr stored) {
    m_leaving.reset();
    Kept* kept = find(run);
    const bool isSame = kept && kept->shown == written;
    written.reset();
    if (isSame) {
        kept->stored = std::move(stored);
        m_trouble.clear();
    } else {
        letGo(std::move(stored));
    }
    balance();
    emit changed();
}

void RunStore::cannotPutAway(const view::RunPtr& run, const run::RunnerError& error) {
    m_leaving.reset();
    m_isFull = true;
    if (Kept* kept = find(run))
        kept->file.clear(); // it had one, but not as it was
    const bool isNews = m_trouble.isEmpty();
    m_trouble = sentence(error.message);
    if (isNews)
        emit failed({error.kind, "runs-stay-in-memory",
                     tr("Runs that are not shown cannot be put on disk and stay in memory: %1")
                         .arg(exactText(error.message))
                         .toStdString(),
                     error.hint.empty()
                         ? tr("Remove runs that you do not need, or make room on the disk.").toStdString()
                         : error.hint});
    balance();
    emit changed();
}

/// Its files are removed on the writer's thread.
void RunStore::letGo(StoredPtr stored) {
    if (stored)
        m_writer.post([stored = std::move(stored)](const std::stop_token&) mutable { stored.reset(); });
}

// --- back into memory

void RunStore::fetch(std::vector<view::RunPtr> runs, Came came) {
    stopFetching();
    m_request = {++m_turn, std::move(runs), {}, std::move(came), std::stop_source(std::nostopstate)};
    goOn();
}

view::RunPtr RunStore::fetching() const {
    return m_request.number == 0 || m_request.came.size() == m_request.runs.size()
               ? nullptr
               : m_request.runs[m_request.came.size()];
}

void RunStore::stopFetching() {
    if (m_request.number == 0)
        return;
    m_request.stop.request_stop();
    end({});
}

/// Until something has to be read, or all are here.
void RunStore::goOn() {
    while (m_request.came.size() < m_request.runs.size()) {
        const view::RunPtr& run = m_request.runs[m_request.came.size()];
        Kept* kept = find(run);
        if (!kept)
            return end({});
        const view::ViewDataPtr shown = kept->shownNow();
        if (!shown)
            return read(run, kept->stored);
        kept->shown = shown;
        use(*kept);
        m_request.came.push_back(shown);
    }
    end(std::exchange(m_request.came, {}));
}

/// Its answer may ask for others.
void RunStore::end(std::vector<view::ViewDataPtr> came) {
    const Request ended = std::exchange(m_request, {});
    if (ended.tell)
        ended.tell(came);
    emit changed();
}

/// Some 20 times a second at most, however often it is called.
std::function<void(double, std::string_view)> RunStore::progressOf(std::uint64_t number) {
    return [this, number, last = std::chrono::steady_clock::time_point()](double share,
                                                                          std::string_view what) mutable {
        const auto now = std::chrono::steady_clock::now();
        if (now - last < std::chrono::milliseconds(50))
            return;
        last = now;
        callLater(this, [this, number, share, text = sentence(what)] {
            if (number == m_request.number)
                emit progressed(share, text);
        });
    };
}

void RunStore::read(const view::RunPtr& run, StoredPtr stored) {
    const std::uint64_t number = m_request.number;
    m_request.stop = m_reader.post([this, number, run, stored](const std::stop_token& stop) {
        const RunControl control{stop, progressOf(number)};
        try {
            auto shown = std::make_shared<const view::ViewData>(stored->read(control), control, run);
            callLater(this, [this, number, shown = std::move(shown)] { arrived(number, shown); });
        } catch (...) {
            callLater(this, [this, number, error = run::currentError()] { cannotRead(number, error); });
        }
    });
    emit changed();
}

void RunStore::arrived(std::uint64_t number, const view::ViewDataPtr& shown) {
    if (number != m_request.number)
        return;
    if (Kept* kept = find(shown->run)) {
        kept->shown = shown;
        kept->last = shown;
        kept->bytes = shown->memoryBytes();
    }
    goOn();
}

void RunStore::cannotRead(std::uint64_t number, run::RunnerError error) {
    if (number != m_request.number)
        return;
    const view::RunPtr run = fetching();
    if (run && error.kind != ErrorKind::Cancelled)
        emit failed(
            {error.kind, error.code,
             tr("%1 cannot be shown again. %2").arg(titleText(*run), exactText(error.message)).toStdString(),
             error.hint});
    end({});
}

} // namespace olab::ui
