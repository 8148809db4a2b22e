#include <olab/sweep/sweep_store.h>

#include "numbers_json.h"

#include <olab/trace/error.h>
#include <olab/trace/input_file.h>
#include <olab/trace/limits.h>
#include <olab/trace/output_file.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace olab::sweep {
namespace {

// Lines of runs.jsonl.

constexpr std::string_view kFormat = "olab-sweep-folder";
constexpr int kVersion = 1, kMostRepeats = 1'000'000;
constexpr Ns kMostRunTime = Ns{1} << 60;

std::string word(const Json& json, const char* key) {
    return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
}

bool isSet(const Json& json, const char* key) {
    return json.contains(key) && json[key].is_boolean() && json[key].get<bool>();
}

std::int64_t count(const Json& json, const char* key) {
    return json.contains(key) ? wholeNumber(json[key], 0, kMostRunTime).value_or(0) : 0;
}

[[noreturn]] void refuseFolder(const std::string& where, const std::string& why) {
    throw Error(ErrorKind::Usage, "not-a-sweep", where + " does not describe a sweep: " + why,
                "Name the folder of a sweep, or an empty one.");
}

std::string runLineText(const RunLine& line) {
    Json json{{"cell", line.cell}};
    if (!line.failed.empty()) {
        json["failed"] = line.failed;
        return lineOf(json);
    }
    json.update({{"traced", line.traced},
                 {"counts", line.counts},
                 {"simulated", line.simulated},
                 {"time_ns", line.time},
                 {"loops", line.loops}});
    if (line.numbers)
        json["numbers"] = numbersJson(*line.numbers);
    if (!line.file.empty())
        json["file"] = line.file;
    if (!line.trouble.empty())
        json["trouble"] = line.trouble;
    return lineOf(json);
}

///< with an end of line
/// Nothing for a damaged line.
std::optional<RunLine> runLineFrom(std::string_view text) {
    std::string why;
    const auto json = parsedJson<Json>(text, why);
    if (!json || !json->is_object() || word(*json, "cell").empty())
        return std::nullopt;
    RunLine line;
    line.cell = word(*json, "cell");
    line.failed = word(*json, "failed");
    if (!line.failed.empty())
        return line;
    line.time = count(*json, "time_ns");
    if (line.time == 0)
        return std::nullopt;
    line.traced = isSet(*json, "traced");
    line.counts = isSet(*json, "counts");
    line.simulated = isSet(*json, "simulated");
    line.loops = count(*json, "loops");
    if (json->contains("numbers"))
        line.numbers = numbersFrom((*json)["numbers"]);
    line.file = word(*json, "file");
    line.trouble = word(*json, "trouble");
    return line;
}

/// From the complete lines of a text; `whole`: their length in bytes.
std::vector<RunLine> runLinesFrom(std::string_view text, std::size_t& whole) {
    std::vector<RunLine> lines;
    whole = 0;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n', whole)) {
        if (auto line = runLineFrom(text.substr(whole, end - whole)))
            lines.push_back(std::move(*line));
        whole = end + 1;
    }
    return lines;
}

std::string gridText(const StoredGrid& stored) {
    Json axes = Json::array();
    for (const Axis& axis : stored.grid.axes)
        axes.push_back(axis.text());
    const Json json{{"format", kFormat},
                    {"version", kVersion},
                    {"title", stored.grid.title},
                    {"vary", axes},
                    {"keep_iterations", !stored.grid.keepsPasses},
                    {"repeat", stored.repeats},
                    {"machine", stored.machine},
                    {"experiment", Json::parse(experiment::experimentToJson(stored.grid.base))}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// @throws Error kind Usage "not-a-sweep"
StoredGrid gridFrom(const std::string& text, const std::string& where) {
    std::string why;
    const auto json = parsedJson<Json>(text, why);
    if (!json || !json->is_object() || word(*json, "format") != kFormat)
        refuseFolder(where, why.empty() ? "it is another file." : why + ".");
    if (count(*json, "version") != kVersion)
        refuseFolder(where, "it is of another version of the program.");
    if (!json->contains("experiment") || !json->contains("vary") || !(*json)["vary"].is_array())
        refuseFolder(where, "it has no experiment, or nothing is varied.");
    StoredGrid stored;
    stored.grid.title = word(*json, "title");
    stored.grid.base = experiment::experimentFromJson((*json)["experiment"].dump());
    stored.grid.keepsPasses = !isSet(*json, "keep_iterations");
    stored.repeats = static_cast<int>(std::clamp<std::int64_t>(count(*json, "repeat"), 1, kMostRepeats));
    stored.machine = word(*json, "machine");
    for (const Json& axis : (*json)["vary"])
        stored.grid.axes.push_back(axisFrom(axis.is_string() ? axis.get<std::string>() : ""));
    checkGrid(stored.grid);
    return stored;
}

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

/// Refuses a folder written by another machine, whose times must not be mixed with ours.
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

/// Cuts off an incomplete last line.
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
