#include <olab/sweep/sweep_store.h>

#include "run_lines.h"

#include <olab/trace/error.h>
#include <olab/trace/input_file.h>
#include <olab/trace/output_file.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <map>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace olab::sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostResults = std::uint64_t{1} << 30;

fs::path headFile(const fs::path& folder) {
    return folder / "sweep.json";
}
fs::path runsFile(const fs::path& folder) {
    return folder / "runs.jsonl";
}

[[noreturn]] void refuseWriting(const fs::path& file, int reason) {
    throw Error(ErrorKind::Usage, "cannot-write",
                "Cannot write " + file.string() + ": " + std::generic_category().message(reason) + ".",
                "Choose another folder, or free some space there.");
}

/// The folder was written by another machine: its times are not to be mixed with ours.
void checkMachine(const fs::path& folder, const std::string& was, const std::string& is) {
    if (!was.empty() && !is.empty() && was != is)
        throw Error(ErrorKind::Usage, "other-machine",
                    folder.string() + " was measured on " + was + ", this is " + is + ".",
                    "Choose another folder: times of two machines do not belong into one sweep.");
}

std::string contentOf(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored) ? readTextFile(file, {}, kMostResults) : std::string();
}

} // namespace

struct SweepStore::State {
    fs::path folder;
    StoredGrid stored;
    std::vector<RunLine> lines;
    int descriptor = -1;

    void open();
    void read();
    void append(const std::string& text) const;
    ~State() {
        if (descriptor >= 0)
            ::close(descriptor);
    }
};

void SweepStore::State::open() {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed)
        refuseWriting(folder, failed.value());
    const fs::path file = runsFile(folder);
    constexpr mode_t kReadableByAll = 0644;
    descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                        kReadableByAll);
    if (descriptor < 0)
        refuseWriting(file, errno);
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        throw Error(ErrorKind::Usage, "in-use",
                    "Another process is running the sweep in " + folder.string() + ".",
                    "Wait until it ends, or choose another folder.");
}

/// Cuts off the line of a run that was not written to its end.
void SweepStore::State::read() {
    std::size_t whole = 0;
    const std::string text = contentOf(runsFile(folder));
    lines = runLinesFrom(text, whole);
    if (whole != text.size() && ::ftruncate(descriptor, static_cast<off_t>(whole)) != 0)
        refuseWriting(runsFile(folder), errno);
}

void SweepStore::State::append(const std::string& text) const {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t some = ::write(descriptor, text.data() + done, text.size() - done);
        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0)
            refuseWriting(runsFile(folder), some == 0 ? ENOSPC : errno);
        done += static_cast<std::size_t>(some);
    }
    if (::fdatasync(descriptor) != 0 && errno != EINVAL && errno != ENOSYS)
        refuseWriting(runsFile(folder), errno);
}

bool SweepStore::isSweep(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_regular_file(headFile(folder), ignored);
}

StoredGrid SweepStore::gridOf(const fs::path& folder) {
    return gridFrom(readTextFile(headFile(folder)), headFile(folder).string());
}

std::vector<RunLine> SweepStore::linesOf(const fs::path& folder) {
    std::size_t whole = 0;
    return runLinesFrom(contentOf(runsFile(folder)), whole);
}

SweepStore::SweepStore(fs::path folder, const std::string& machine)
    : m_state(std::make_unique<State>()) {
    m_state->folder = std::move(folder);
    std::error_code ignored;
    if (const fs::path head = headFile(m_state->folder);
        fs::exists(fs::symlink_status(head, ignored)) && !fs::is_regular_file(head, ignored))
        throw Error(ErrorKind::Usage, "not-a-sweep", head.string() + " is no file.",
                    "Remove it, or name another folder.");
    const bool isOther = fs::is_directory(m_state->folder, ignored) && !isSweep(m_state->folder) &&
                         !fs::is_empty(m_state->folder, ignored);
    if (isOther && !fs::exists(runsFile(m_state->folder), ignored))
        throw Error(ErrorKind::Usage, "not-a-sweep", m_state->folder.string() + " has other files in it.",
                    "Name the folder of a sweep, or an empty one.");
    if (isSweep(m_state->folder))
        m_state->stored = gridOf(m_state->folder);
    checkMachine(m_state->folder, m_state->stored.machine, machine);
    m_state->open();
    m_state->read();
    if (!machine.empty())
        m_state->stored.machine = machine;
}

SweepStore::~SweepStore() = default;

void SweepStore::describe(const Grid& grid, int repeats) {
    m_state->stored.grid = grid;
    m_state->stored.repeats = repeats;
    writeFile(headFile(m_state->folder), gridText(m_state->stored));
}

const std::vector<RunLine>& SweepStore::lines() const {
    return m_state->lines;
}

void SweepStore::add(RunLine line) {
    m_state->append(runLineText(line));
    m_state->lines.push_back(std::move(line));
}

fs::path SweepStore::recordingFile(const std::string& cell) const {
    return m_state->folder / ("cell-" + cell + ".olab");
}

const fs::path& SweepStore::folder() const {
    return m_state->folder;
}

const std::string& SweepStore::machine() const {
    return m_state->stored.machine;
}

void applyLine(Sweep& sweep, std::size_t number, const RunLine& line) {
    Cell& cell = sweep.cells[number];
    if (!line.failed.empty()) {
        cell.failed = line.failed;
        return;
    }
    cell.failed.clear();
    sweep.simulated = sweep.simulated || line.simulated;
    if (line.counts) {
        cell.times.push_back(line.time);
        sweep.untraced = !line.traced;
    }
    if (line.traced && line.numbers && !cell.numbers)
        cell.numbers = line.numbers;
    if (cell.trouble.empty())
        cell.trouble = line.trouble;
}

void fillFrom(Sweep& sweep, const std::vector<RunLine>& lines, const fs::path& folder) {
    std::map<std::string, std::size_t> cells;
    for (std::size_t i = 0; i < sweep.cells.size(); ++i)
        cells.emplace(cellDigest(experimentOf(sweep.grid, i)), i);
    for (const RunLine& line : lines) {
        const auto found = cells.find(line.cell);
        if (found == cells.end())
            continue;
        applyLine(sweep, found->second, line);
        std::error_code ignored;
        if (!line.file.empty() && line.file.find('/') == std::string::npos)
            if (const fs::path file = folder / line.file; fs::is_regular_file(file, ignored))
                sweep.cells[found->second].file = file.string();
    }
}

} // namespace olab::sweep
