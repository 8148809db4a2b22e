#include "trace_ranks.h"

#include "command.h"
#include "console.h"

#include <olab/recording/merged_recording.h>
#include <olab/trace/error.h>
#include <olab/trace/types.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <thread>

namespace olab::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostText = 1 << 20; ///< of a file: a line for each of many thousand ranks

[[noreturn]] void throwNotMade(const fs::path& parent, const std::string& why) {
    throw Error(ErrorKind::Usage, "no-meeting",
                "The ranks cannot meet in " + parent.string() + ": " + why + ".",
                "Record into another folder that the nodes share, or each rank alone: --apart.");
}

bool isOursAlone(int descriptor) {
    struct stat is {};
    return ::fstat(descriptor, &is) == 0 && S_ISDIR(is.st_mode) && is.st_uid == ::geteuid() &&
           (is.st_mode & 077) == 0;
}

} // namespace

std::optional<MeetingFolder> MeetingFolder::open(const fs::path& path) {
    MeetingFolder folder(path, ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!isOursAlone(folder.m_descriptor))
        return std::nullopt;
    return folder;
}

MeetingFolder MeetingFolder::make(const fs::path& parent, const std::string& prefix) {
    std::string name = (parent / (prefix + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr)
        throwNotMade(parent, std::strerror(errno));
    std::optional<MeetingFolder> made = open(name);
    if (!made)
        throwNotMade(parent, "what is made there belongs to another user");
    return std::move(*made);
}

std::vector<MeetingFolder> MeetingFolder::find(const fs::path& parent, const std::string& prefix) {
    std::vector<MeetingFolder> found;
    std::error_code failed;
    for (fs::directory_iterator at(parent, failed), end; !failed && at != end; at.increment(failed))
        if (at->path().filename().string().starts_with(prefix))
            if (std::optional<MeetingFolder> folder = open(at->path()))
                found.push_back(std::move(*folder));
    return found;
}

MeetingFolder& MeetingFolder::operator=(MeetingFolder&& other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

MeetingFolder::~MeetingFolder() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void MeetingFolder::put(const std::string& file, const std::string& text) const {
    const std::string before = file + ".new";
    const int into =
        ::openat(m_descriptor, before.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (into < 0)
        return;
    const bool isWhole = ::write(into, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (::close(into) == 0 && isWhole)
        ::renameat(m_descriptor, before.c_str(), m_descriptor, file.c_str());
}

/// A file that is opened is asked for again where another machine keeps it.
int MeetingFolder::opened(const std::string& file) const {
    return ::openat(m_descriptor, file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

std::string MeetingFolder::get(const std::string& file) const {
    const int from = opened(file);
    std::string text;
    std::array<char, 4096> block{};
    for (ssize_t got = 0;
         from >= 0 && text.size() < kMostText && (got = ::read(from, block.data(), block.size())) > 0;)
        text.append(block.data(), static_cast<std::size_t>(got));
    if (from >= 0)
        ::close(from);
    return text;
}

void MeetingFolder::touch(const std::string& file) const {
    ::utimensat(m_descriptor, file.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

std::optional<Ns> MeetingFolder::touched(const std::string& file) const {
    struct stat is {};
    const int asked = opened(file);
    const bool isKnown = ::fstat(asked, &is) == 0;
    if (asked >= 0)
        ::close(asked);
    return isKnown ? std::optional(Ns{is.st_mtim.tv_sec} * 1'000'000'000 + is.st_mtim.tv_nsec) : std::nullopt;
}

/// Not by its path, which may be another folder's by now.
void MeetingFolder::remove() const {
    std::error_code failed;
    const fs::path here = "/proc/self/fd/" + std::to_string(m_descriptor);
    std::vector<std::string> names;
    for (fs::directory_iterator at(here, failed), end; !failed && at != end; at.increment(failed))
        names.push_back(at->path().filename().string());
    for (const std::string& name : names)
        ::unlinkat(m_descriptor, name.c_str(), 0);
    ::rmdir(m_path.c_str()); // only one that is empty
}

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kMeetingTime = 60s;
constexpr auto kPollFolder = 20ms, kPollEnd = 100ms;
constexpr Ns kUntilTheStart = 1'000'000'000, kWorthSaying = 100'000'000, kSilence = 60'000'000'000;
constexpr std::string_view kHere = ".here", kDone = ".done";
constexpr const char *kInstant = "start", *kRecorded = "recorded",
                     *kSilent = "it gave no sign of life for a minute";

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

/// Which file it is: another one, or a changed one, has another text.
std::string identityOf(const fs::path& file) {
    struct stat is {};
    if (::lstat(file.c_str(), &is) != 0)
        return "none";
    return std::to_string(is.st_ino) + "-" + std::to_string(is.st_mtim.tv_sec) + "-" +
           std::to_string(is.st_mtim.tv_nsec);
}

std::string randomToken() {
    std::random_device random;
    return std::to_string(random()) + "-" + std::to_string(random());
}

std::string nameOf(int rank, std::string_view extension) {
    return std::to_string(rank) + std::string(extension);
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
    found.m_prefix = ".olab-" + std::string(job) + "." + step + "-";
    found.m_rank = *rank;
    found.m_ranks = *ranks;
    return found;
}

fs::path TraceRanks::fileOf(const fs::path& merged, int rank) {
    return merged.parent_path() / (merged.stem().string() + ".rank" + std::to_string(rank) + ".olab");
}

void TraceRanks::sign() const {
    if (m_folder)
        m_folder->touch(nameOf(m_rank, kHere));
}

void TraceRanks::leave(const std::string& lacking) const {
    if (m_folder)
        m_folder->put(nameOf(m_rank, kDone),
                      lacking.empty() ? std::string(kRecorded) : lacking.substr(0, lacking.find('\n')));
}

void TraceRanks::meet(const fs::path& merged) {
    m_sign = randomToken() + " " + identityOf(fileOf(merged));
    const fs::path parent = merged.parent_path();
    awaitInstant(isFirst() ? gather(parent) : seek(parent));
}

/// @returns the instant at which all begin
Ns TraceRanks::gather(const fs::path& parent) {
    for (const MeetingFolder& left :
         MeetingFolder::find(parent, m_prefix)) // by an earlier start of this step
        left.remove();
    m_folder = MeetingFolder::make(parent, m_prefix);
    m_folder->put(nameOf(m_rank, kHere), m_sign);
    std::vector<int> missing;
    for (const auto until = Clock::now() + kMeetingTime;; std::this_thread::sleep_for(kPollFolder)) {
        missing.clear();
        for (int rank = 0; rank < m_ranks; ++rank)
            if (const std::string sign = m_came.contains(rank) ? "" : m_folder->get(nameOf(rank, kHere));
                !sign.empty())
                m_came[rank] = sign;
            else if (!m_came.contains(rank))
                missing.push_back(rank);
        if (missing.empty() || Clock::now() >= until)
            break;
    }
    if (!missing.empty())
        say(Printed("rank ") << ranksText(missing)
                             << " did not come within a minute; the program starts without.\n      The "
                                "recordings must go into a folder that the nodes share.");
    const Ns at = wallNow() + kUntilTheStart;
    std::string start = std::to_string(at) + "\n";
    for (const auto& [rank, sign] : m_came)
        start += sign + "\n";
    m_folder->put(kInstant, start);
    return at;
}

/// The same; 0: nobody met this one.
Ns TraceRanks::seek(const fs::path& parent) {
    const auto until = Clock::now() + kMeetingTime;
    for (; Clock::now() < until; std::this_thread::sleep_for(kPollFolder))
        for (MeetingFolder& folder : MeetingFolder::find(parent, m_prefix)) {
            if (folder.get(nameOf(m_rank, kHere)).empty())
                folder.put(nameOf(m_rank, kHere), m_sign);
            if (const Ns at = metIn(folder); at > 0) {
                m_folder = std::move(folder);
                return at;
            }
        }
    say(Printed("rank ") << m_rank
                         << " was not met by rank 0 within a minute. It starts now, and is not merged.");
    return 0;
}

/// When those start that were met there; 0: this one was not.
Ns TraceRanks::metIn(const MeetingFolder& folder) const {
    const std::string start = folder.get(kInstant);
    Ns at = 0;
    std::from_chars(start.data(), start.data() + start.size(), at);
    return start.find("\n" + m_sign + "\n") == start.npos ? 0 : at;
}

/// A node whose view of the folder, or whose clock, is late says so: its program starts late.
void TraceRanks::awaitInstant(Ns at) const {
    const Ns left = at - wallNow();
    if (at > 0 && left < -kWorthSaying)
        say(Printed() << "rank " << m_rank << " starts " << -left / 1'000'000 << " ms after the others.");
    const timespec when{at / 1'000'000'000, at % 1'000'000'000};
    if (left > 0 && left <= std::chrono::nanoseconds(kMeetingTime).count())
        ::clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &when, nullptr);
}

/// kRecorded, kSilent or why it recorded nothing. Both times are by the clock of whoever keeps the files.
std::string TraceRanks::awaitEnd(int rank) const {
    if (!m_came.contains(rank))
        return "it did not come within a minute of the first";
    while (true) {
        if (const std::string done = m_folder->get(nameOf(rank, kDone)); !done.empty())
            return done;
        sign();
        const Ns now = m_folder->touched(nameOf(m_rank, kHere)).value_or(0);
        if (now - m_folder->touched(nameOf(rank, kHere)).value_or(0) > kSilence)
            return kSilent;
        std::this_thread::sleep_for(kPollEnd);
    }
}

bool TraceRanks::merge(const fs::path& merged) const {
    std::vector<fs::path> files;
    std::map<std::string, std::vector<int>> trouble;
    for (int rank = 0; rank < m_ranks; ++rank) {
        const fs::path file = fileOf(merged, rank);
        std::string end = awaitEnd(rank);
        const bool isOld = end == kSilent && m_came.at(rank).ends_with(" " + identityOf(file));
        if (end == kRecorded || (end == kSilent && !isOld))
            files.push_back(file);
        if (end == kSilent)
            end += isOld ? ", and recorded nothing" : "; what was written of its recording is merged";
        if (end != kRecorded)
            trouble[end].push_back(rank);
    }
    m_folder->remove();
    for (const auto& [why, ranks] : trouble)
        say(Printed("rank ") << ranksText(ranks) << ": " << why);
    if (files.size() < 2) {
        say(Printed("nothing is merged into ")
            << merged.string() << ": " << files.size() << " of " << m_ranks << " ranks recorded.");
        return false;
    }
    const Console console;
    const recording::RecordingPtr all = recording::openMerged(files, console.control());
    recording::saveRecording(*all, merged, console.control());
    console.clearLine();
    say(Printed() << "merged " << files.size() << " of " << m_ranks << " ranks into " << merged.string());
    return true;
}

} // namespace olab::cli
