#include "sweep_launcher.h"

#include "command.h"
#include "engines.h"
#include "launcher.h"

#include <olab/run/shell.h>
#include <olab/trace/error.h>
#include <olab/trace/input_file.h>
#include <olab/trace/output_file.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>

namespace olab::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::size_t kMostTasks = 1000; ///< of one array: Slurm's usual limit (MaxArraySize 1001)
constexpr int kMostAtOnce = 1000;
constexpr auto kAskAgain = 1s;
constexpr std::uint64_t kMostSaid = std::uint64_t{1} << 30; ///< by a task

/// What is not for the task: it says what is swept, where the results go, and how they are shown.
constexpr std::array<std::string_view, 13> kNotForTasks{
    "--launcher", "--partition", "--account", "--gpus", "--at-once", "--vary",           "--set",
    "--output",   "--repeat",    "--figure",  "--csv",  "--json",    "--keep-iterations"};

std::size_t atOnceOf(const Arguments& arguments) {
    if (!arguments.has("--at-once"))
        return 1;
    const std::string text = arguments.value("--at-once");
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > kMostAtOnce)
        throw Error(ErrorKind::Usage, "bad-number", "'" + text + "' is not a number of tasks for --at-once.",
                    "It is a whole number from 1 to " + std::to_string(kMostAtOnce) + ".");
    return static_cast<std::size_t>(number);
}

/// Empty where there is none.
std::string contentOf(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored) ? readTextFile(file, {}, kMostSaid) : std::string();
}

/// A percent sign has a meaning in the names of Slurm's output files.
std::string forSlurm(const fs::path& file) {
    std::string text;
    for (const char c : file.string())
        text += c == '%' ? std::string("%%") : std::string(1, c);
    return text;
}

/// What Slurm says of tasks that have not ended.
struct WaitingJobs {
    std::size_t left = 0, running = 0;
    std::string reason; ///< why one of them waits
    bool allHeld = false;
};

WaitingJobs queueFrom(const std::string& lines) {
    WaitingJobs queue;
    std::istringstream text(lines);
    std::size_t held = 0;
    for (std::string line; std::getline(text, line);) {
        std::istringstream words(line);
        std::string state, reason;
        words >> state;
        std::getline(words >> std::ws, reason);
        if (state.empty())
            continue;
        ++queue.left;
        queue.running += state == "R" || state == "CG" ? 1 : 0;
        held += reason.find("held") != reason.npos || reason.find("Held") != reason.npos ? 1 : 0;
        if (state == "PD")
            queue.reason = reason;
    }
    queue.allHeld = queue.left > 0 && held == queue.left;
    return queue;
}

} // namespace

SweepLauncher::SweepLauncher(const Arguments& arguments, fs::path folder)
    : m_arguments(arguments)
    , m_folder(folder.empty() ? folder : fs::absolute(folder))
    , m_place(m_folder / "tasks")
    , m_isSlurm(arguments.value("--launcher") == "slurm")
    , m_atOnce(atOnceOf(arguments)) {
    (void)slurmOptions(arguments);
    if (folder.empty())
        throw Error(ErrorKind::Usage, "no-folder", "--launcher needs a folder for the results.",
                    "Add -o DIR, a folder that the nodes share.");
    if (arguments.has("--on") || arguments.has("--best"))
        throw Error(ErrorKind::Usage, "two-places",
                    std::string("--launcher cannot be used with ") +
                        (arguments.has("--on") ? "--on." : "--best."),
                    "Leave out one of the two.");
    if (m_isSlurm && arguments.has("--at-once"))
        throw Error(ErrorKind::Usage, "bad-usage", "Slurm itself decides how many tasks run at once.",
                    "Leave out --at-once.");
    if (m_isSlurm)
        readJobs();
    else
        (void)launchedBy(arguments.value("--launcher"), {});
}

void SweepLauncher::readJobs() {
    std::istringstream text(contentOf(m_place / "jobs"));
    for (std::string job; text >> job;)
        m_jobs.push_back(job);
}

std::string SweepLauncher::jobs() const {
    std::string text;
    for (const std::string& job : m_jobs)
        text += (text.empty() ? "" : ",") + job;
    return text;
}

std::vector<std::string> SweepLauncher::task(const std::string& cell) const {
    std::vector<std::string> words{engineProgram().string(), "sweep", m_folder.string(), "--cell", cell};
    const std::vector<std::string> all = m_arguments.without(kNotForTasks);
    const auto& named = m_arguments.positional();
    std::copy_if(all.begin(), all.end(), std::back_inserter(words), [&](const std::string& word) {
        return named.empty() || word != named.front(); // the experiment: the folder says it
    });
    return words;
}

fs::path SweepLauncher::outputOf(std::size_t cell) const {
    return m_place / ("cell-" + std::to_string(cell) + ".out");
}

std::string SweepLauncher::lastWords(std::size_t cell) const {
    return run::lastLineOf(contentOf(outputOf(cell)));
}

void SweepLauncher::start(const std::vector<std::size_t>& cells, const RunControl& control) {
    std::error_code failed;
    fs::create_directories(m_place, failed);
    for (const std::size_t cell : cells)
        fs::remove(outputOf(cell), failed);
    if (!m_isSlurm)
        return startHere(cells, control);
    m_jobs.clear();
    for (std::size_t from = 0; from < cells.size(); from += kMostTasks)
        submit({cells.begin() + static_cast<std::ptrdiff_t>(from),
                cells.begin() + static_cast<std::ptrdiff_t>(std::min(from + kMostTasks, cells.size()))},
               control);
}

/// The script knows its cells: it is the same when a task is started again because its node died.
void SweepLauncher::submit(const std::vector<std::size_t>& cells, const RunControl& control) {
    std::string numbers;
    for (const std::size_t cell : cells)
        numbers += " " + std::to_string(cell);
    std::vector<std::string> words = task("");
    std::string command;
    for (const std::string& word : words)
        command +=
            (command.empty() ? "" : " ") + (word.empty() ? std::string("\"$1\"") : run::shellQuoted(word));
    const fs::path script = m_place / ("array-" + std::to_string(m_jobs.size()) + ".sh");
    writeFile(script, "#!/bin/sh\n# The cells of a sweep, one for each task of an array.\nset --" + numbers +
                          "\nshift \"$SLURM_ARRAY_TASK_ID\"\nexec >" +
                          run::shellQuoted((m_place / "cell-").string()) + "\"$1\".out 2>&1\n" + "exec " +
                          command + "\n");
    std::vector<std::string> list{slurmProgram("sbatch"),
                                  "--parsable",
                                  "--array=0-" + std::to_string(cells.size() - 1),
                                  "--job-name=olab-sweep",
                                  "--nodes=1",
                                  "--ntasks=1",
                                  "--requeue",
                                  "--output=" + forSlurm(m_place / "slurm.out"),
                                  "--open-mode=append"};
    const std::vector<std::string> options = slurmOptions(m_arguments);
    list.insert(list.end(), options.begin(), options.end());
    list.push_back(script.string());
    std::string said;
    const int code = run::runCaptured(list, said, {}, control);
    const std::string job = said.substr(0, said.find_first_of(";\n"));
    if (code != 0 || job.empty() || job.find_first_not_of("0123456789") != job.npos)
        throw Error(ErrorKind::DeviceFailed, "not-submitted", "Slurm took no job: " + run::lastLineOf(said),
                    "See to what it names, and run it again.");
    m_jobs.push_back(job);
    std::string all;
    for (const std::string& one : m_jobs)
        all += one + "\n";
    writeFile(m_place / "jobs", all);
}

/// The user's own command starts each, and decides where.
void SweepLauncher::startHere(const std::vector<std::size_t>& cells, const RunControl& control) {
    std::atomic<std::size_t> next = 0, done = 0;
    std::mutex telling;
    const std::string launcher = m_arguments.value("--launcher");
    const auto work = [&] {
        for (std::size_t i = next++; i < cells.size() && !control.cancelled(); i = next++) {
            std::string said;
            try {
                run::runCaptured({"/bin/sh", "-c", launchedBy(launcher, task(std::to_string(cells[i])))},
                                 said, {}, RunControl{control.stop, {}});
            } catch (const Error& error) {
                said = error.what();
            }
            const std::lock_guard lock(telling);
            std::ofstream(outputOf(cells[i])) << said;
            control.report(static_cast<double>(++done) / static_cast<double>(cells.size()),
                           std::to_string(done) + " of " + std::to_string(cells.size()) +
                               " cells have ended");
        }
    };
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < std::min(m_atOnce, cells.size()); ++i)
        workers.emplace_back(work);
}

bool SweepLauncher::isUnderWay(const RunControl& control) const {
    if (!m_isSlurm || m_jobs.empty())
        return false;
    std::string said;
    const int code = run::runCaptured(
        {slurmProgram("squeue"), "-h", "-r", "--name=olab-sweep", "-j", jobs(), "-o", "%t %r"}, said, {},
        control);
    return code == 0 && queueFrom(said).left > 0;
}

/// A controller that does not answer for a while is no end.
void SweepLauncher::awaitJobs(const RunControl& control) const {
    std::size_t most = 0;
    while (true) {
        control.throwIfCancelled();
        std::string said;
        const int code = run::runCaptured(
            {slurmProgram("squeue"), "-h", "-r", "--name=olab-sweep", "-j", jobs(), "-o", "%t %r"}, said, {},
            control);
        const WaitingJobs queue = queueFrom(code == 0 ? said : std::string());
        if ((code == 0 && queue.left == 0) || said.find("Invalid job id") != said.npos)
            return;
        if (queue.allHeld)
            throw Error(ErrorKind::DeviceFailed, "held",
                        "Slurm holds the tasks that are left (job " + jobs() + "): " + queue.reason + ".",
                        "Release them (scontrol release " + jobs() +
                            ") or end them (scancel), then run the same command again: it goes on.");
        most = std::max(most, queue.left);
        if (code == 0)
            control.report(static_cast<double>(most - queue.left) / static_cast<double>(most),
                           std::to_string(queue.left) + " tasks left, " + std::to_string(queue.running) +
                               " run" + (queue.running == 0 ? " (" + queue.reason + ")" : ""));
        for (auto waited = 0ms; waited < kAskAgain; waited += 50ms) {
            control.throwIfCancelled();
            std::this_thread::sleep_for(50ms);
        }
    }
}

void SweepLauncher::await(const RunControl& control) {
    if (!m_isSlurm || m_jobs.empty())
        return control.throwIfCancelled();
    try {
        awaitJobs(control);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Cancelled)
            throw;
        std::string said;
        std::vector<std::string> words{slurmProgram("scancel")};
        words.insert(words.end(), m_jobs.begin(), m_jobs.end());
        run::runCaptured(words, said);
        awaitJobs({}); // what they kept until now can be collected
        throw;
    }
}

} // namespace olab::cli
