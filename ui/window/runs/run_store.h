// Where the recordings of the window's runs are: in memory as long as all of them together stay below a
// bound, else those that were in use longest ago on disk, in a private folder that is gone with the program.
// What is shown stays in memory, whatever its size. Files are written and read on threads of their own; where
// they cannot be written everything stays in memory, and trouble() says why. GUI thread.
#pragma once

#include "base/background.h"

#include <olab/run/runner.h>
#include <olab/trace/temporary_folder.h>
#include <olab/view/view_data.h>

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace olab::recording {
class StoredRecording;
} // namespace olab::recording

namespace olab::ui {

struct RunFigures {
    int runs = 0, inMemory = 0;
    std::uint64_t memory = 0, most = 0; ///< bytes of recordings, and how many there may be
    std::uint64_t disk = 0;             ///< bytes in the private folder
};

class RunStore final : public QObject {
    Q_OBJECT
public:
    /// All that was asked for, in that order; empty: it could not be read, or was no longer wanted.
    using Came = std::function<void(const std::vector<view::ViewDataPtr>&)>;

    /// At most so many bytes. `parent`: of the private folder; empty: the usual place for large files.
    explicit RunStore(std::uint64_t most, std::filesystem::path parent = {}, QObject* owner = nullptr);
    ~RunStore() override;

    /// A new run, or what takes the place of its recording because more is known.
    void keep(const view::ViewDataPtr& shown);
    /// All of its recording is in this file as long as the file has this stamp: it needs no other.
    void isIn(const view::RunPtr& run, const std::filesystem::path& file, const recording::FileStamp& stamp);
    void forget(const view::RunPtr& run);
    void balanceSoon() { m_soon.start(); } ///< something that had a recording may have let go of it
    view::ViewDataPtr inMemory(const view::RunPtr& run) const; ///< null: it is on disk

    /// Reads what is not in memory; `came` is called once, at once where nothing has to be read. Only the
    /// last one that asks is served: what was asked for before is no longer wanted.
    void fetch(std::vector<view::RunPtr> runs, Came came);
    void stopFetching();
    view::RunPtr fetching() const; ///< what is being read; null: nothing

    RunFigures figures() const;
    const QString& trouble() const { return m_trouble; } ///< why nothing can be put on disk; empty: it can

signals:
    void changed(); ///< figures(), trouble() or fetching() have another answer
    void progressed(double share, const QString& what);
    /// It could not be read again, or for the first time nothing can be put on disk.
    void failed(const olab::run::RunnerError& error);

private:
    using StoredPtr = std::shared_ptr<const recording::StoredRecording>;
    struct Kept {
        view::ViewDataPtr shown;                  ///< null: only on disk, as far as this is concerned
        std::weak_ptr<const view::ViewData> last; ///< a job or a page may still have it
        std::size_t bytes = 0;
        std::uint64_t used = 0; ///< when, in turns
        std::filesystem::path file;
        recording::FileStamp stamp; ///< of the file
        StoredPtr stored;
        view::ViewDataPtr shownNow() const { return shown ? shown : last.lock(); }
    };
    struct Request {
        std::uint64_t number = 0; ///< 0: none
        std::vector<view::RunPtr> runs;
        std::vector<view::ViewDataPtr> came;
        Came tell;
        std::stop_source stop{std::nostopstate};
    };
    const Kept* find(const view::RunPtr& run) const; ///< null: it is not kept
    Kept* find(const view::RunPtr& run) { return const_cast<Kept*>(std::as_const(*this).find(run)); }
    void use(Kept& kept);
    std::uint64_t memory() const;
    void balance();
    Kept* oldest();
    void putAway(const view::RunPtr& run, Kept& kept);
    void isAway(const view::RunPtr& run, view::ViewDataPtr written, StoredPtr stored);
    void cannotPutAway(const view::RunPtr& run, const run::RunnerError& error);
    std::filesystem::path folder();
    void letGo(StoredPtr stored);
    void goOn();
    std::function<void(double, std::string_view)> progressOf(std::uint64_t number);
    void read(const view::RunPtr& run, StoredPtr stored);
    void arrived(std::uint64_t number, const view::ViewDataPtr& shown);
    void cannotRead(std::uint64_t number, run::RunnerError error);
    void end(std::vector<view::ViewDataPtr> came);

    const std::uint64_t m_most;
    std::filesystem::path m_parent;
    std::map<view::RunPtr, Kept> m_runs;
    std::uint64_t m_turn = 0, m_names = 0;
    Request m_request;
    view::RunPtr m_leaving; ///< its file is being written
    bool m_isFull = false;  ///< no use in trying again until there is another run
    QString m_trouble;
    QTimer m_soon;                             ///< balance() when those who called have let go
    std::unique_ptr<TemporaryFolder> m_folder; ///< only the writer's
    Background m_writer, m_reader;             ///< last: they use the above
};

} // namespace olab::ui
