#include "trace_ranks.h"

#include "command.h"
#include "console.h"

#include <olab/recording/merged_recording.h>
#include <olab/trace/error.h>
#include <olab/trace/types.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <set>
#include <thread>

namespace olab::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kMeetingTime = 60s, kSilence = 60s;
constexpr auto kPollFolder = 20ms;
constexpr Ns kUntilTheStart = 1'000'000'000, kWorthSaying = 100'000'000;
constexpr std::string_view kHere = ".here", kDone = ".done";

Ns wallNow() {
    timespec t{};
    ::clock_gettime(CLOCK_REALTIME, &t);
    return static_cast<Ns>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

std::optional<int> numberOf(const char* variable) {
    const char* const text = std::getenv(variable);
    if (!text)
        return std::nullopt;
    int number = 0;
    const char* const end = text + std::char_traits<char>::length(text);
    const auto [rest, error] = std::from_chars(text, end, number);
    return error == std::errc() && rest == end && number >= 0 ? std::optional(number) : std::nullopt;
}

/// Appears with all that is in it.
void writeWhole(const fs::path& file, const std::string& text) {
    const fs::path before = file.string() + ".new";
    std::error_code failed;
    std::ofstream(before) << text << std::flush;
    fs::rename(before, file, failed);
}

Printed ranksText(const std::vector<int>& ranks) {
    constexpr std::size_t kNamed = 8;
    Printed text;
    for (std::size_t i = 0; i < std::min(ranks.size(), kNamed); ++i)
        text << (i == 0 ? Literal("") : Literal(", ")) << ranks[i];
    if (ranks.size() > kNamed)
        text << " and " << ranks.size() - kNamed << " more";
    return text;
}

} // namespace

std::optional<TraceRanks> TraceRanks::of(const Arguments& arguments) {
    const char *const job = std::getenv("SLURM_JOB_ID"), *const step = std::getenv("SLURM_STEP_ID");
    const std::optional<int> rank = numberOf("SLURM_PROCID"), ranks = numberOf("SLURM_STEP_NUM_TASKS");
    if (!job || !step || !rank || !ranks || *ranks < 2 || *rank >= *ranks || arguments.has("--apart"))
        return std::nullopt;
    TraceRanks found;
    found.m_step = std::string(job) + "." + step;
    found.m_rank = *rank;
    found.m_ranks = *ranks;
    return found;
}

fs::path TraceRanks::fileOf(const fs::path& merged) const {
    return merged.parent_path() / (merged.stem().string() + ".rank" + std::to_string(m_rank) + ".olab");
}

fs::path TraceRanks::file(int rank, std::string_view extension) const {
    return m_folder / (std::to_string(rank) + std::string(extension));
}

std::size_t TraceRanks::count(std::string_view extension) const {
    std::size_t found = 0;
    std::error_code failed;
    for (fs::directory_iterator at(m_folder, failed), end; !failed && at != end; at.increment(failed))
        found += at->path().extension() == extension ? 1 : 0;
    return found;
}

void TraceRanks::sign() const {
    std::error_code failed;
    fs::last_write_time(file(m_rank, kHere), fs::file_time_type::clock::now(), failed);
}

void TraceRanks::leave() const {
    writeWhole(file(m_rank, kDone), "done\n");
}

void TraceRanks::meet(const fs::path& merged) {
    m_folder = merged.parent_path() / (".olab-" + m_step);
    std::error_code failed;
    fs::create_directories(m_folder, failed);
    writeWhole(file(m_rank, kHere), "here\n");
    const auto until = Clock::now() + kMeetingTime;
    while (count(kHere) < static_cast<std::size_t>(m_ranks) && Clock::now() < until)
        std::this_thread::sleep_for(kPollFolder);
    if (const std::size_t here = count(kHere); here < static_cast<std::size_t>(m_ranks) && isFirst())
        say(Printed() << here << " of " << m_ranks
                      << " ranks came within a minute; the program starts without the others.\n      The "
                         "recordings must go into a folder that the nodes share.");
    if (isFirst())
        writeWhole(m_folder / "start", std::to_string(wallNow() + kUntilTheStart) + "\n");
    awaitInstant();
}

/// A node whose view of the folder, or whose clock, is late says so: its program starts late.
void TraceRanks::awaitInstant() const {
    const auto until = Clock::now() + kMeetingTime;
    Ns at = 0;
    while (!(std::ifstream(m_folder / "start") >> at) && Clock::now() < until)
        std::this_thread::sleep_for(kPollFolder);
    if (at == 0)
        return say(Printed() << "rank " << m_rank << " heard of no instant to start at, and starts now.");
    const Ns left = at - wallNow();
    if (left < -kWorthSaying)
        say(Printed() << "rank " << m_rank << " starts " << -left / 1'000'000 << " ms after the others.");
    const timespec when{at / 1'000'000'000, at % 1'000'000'000};
    if (left > 0 && left <= std::chrono::nanoseconds(kMeetingTime).count())
        ::clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &when, nullptr);
}

/// Those that had begun and then gave no sign of life for a minute.
std::vector<int> TraceRanks::awaitOthers() const {
    std::map<int, std::pair<fs::file_time_type, Clock::time_point>> signs;
    std::set<int> open, lost;
    for (int rank = 0; rank < m_ranks; ++rank)
        open.insert(rank);
    while (!open.empty()) {
        std::erase_if(open, [&](int rank) {
            std::error_code failed;
            if (fs::exists(file(rank, kDone), failed) || !fs::exists(file(rank, kHere), failed))
                return true;
            const fs::file_time_type sign = fs::last_write_time(file(rank, kHere), failed);
            auto& [last, since] = signs[rank];
            if (last != sign)
                last = sign, since = Clock::now();
            if (Clock::now() - since > kSilence)
                lost.insert(rank);
            return lost.contains(rank);
        });
        std::this_thread::sleep_for(open.empty() ? 0ms : 100ms);
    }
    return {lost.begin(), lost.end()};
}

std::vector<fs::path> TraceRanks::recordings(const fs::path& merged) const {
    std::vector<fs::path> files;
    for (TraceRanks one = *this; one.m_rank < m_ranks; ++one.m_rank) {
        std::error_code failed;
        if (fs::exists(one.fileOf(merged), failed))
            files.push_back(one.fileOf(merged));
    }
    return files;
}

bool TraceRanks::merge(const fs::path& merged) const {
    if (const std::vector<int> lost = awaitOthers(); !lost.empty())
        say(Printed() << "lost: rank " << ranksText(lost)
                      << ". What was written of its recording is merged.");
    const std::vector<fs::path> files = recordings(merged); // from rank 0 on: it is this one
    std::error_code failed;
    fs::remove_all(m_folder, failed);
    if (files.size() < 2)
        return false;
    const Console console;
    const recording::RecordingPtr all = recording::openMerged(files, console.control());
    recording::saveRecording(*all, merged, console.control());
    console.clearLine();
    say(Printed() << "merged " << files.size() << " of " << m_ranks << " ranks into " << merged.string());
    return true;
}

} // namespace olab::cli
