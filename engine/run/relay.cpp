#include <olab/run/relay.h>

#include "spawn.h"
#include "throttle.h"

#include <olab/run/protocol.h>
#include <olab/run/runner.h>
#include <olab/run/shell.h>
#include <olab/trace/error.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace olab::run {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostNoise = 64 << 10, kKeptComplaint = 4096;
constexpr auto kGoodbye = 20s; ///< for what runs there, once it is told to end
constexpr int kNoCommand = 127, kCannotRun = 126, kSshsOwnCode = 255;

EventLine failure(std::uint64_t job, ErrorKind kind, const char* code, std::string message,
                  std::string hint) {
    EventLine event;
    event.kind = EventLine::Kind::Failed;
    event.job = job;
    event.errorKind = static_cast<int>(kind);
    event.code = code;
    event.message = std::move(message);
    event.hint = std::move(hint);
    return event;
}

/// A recording that comes in pieces, into a file of this machine.
class ArrivingFile {
public:
    void open(const fs::path& file, std::uint64_t bytes) {
        m_name = file;
        m_left = m_size = bytes;
        m_file =
            Descriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
        if (!m_file.isOpen())
            fail();
    }
    bool isOpen() const { return m_file.isOpen(); }
    /// @returns how much of `bytes` belongs to the file
    std::size_t take(std::string_view bytes) {
        const std::string_view mine = bytes.substr(0, std::min<std::uint64_t>(bytes.size(), m_left));
        if (!writeAll(m_file.get(), mine))
            fail();
        m_left -= mine.size();
        if (m_left == 0)
            m_file.close();
        return mine.size();
    }
    double share() const {
        return 1 - static_cast<double>(m_left) / static_cast<double>(std::max(m_size, std::uint64_t{1}));
    }

private:
    [[noreturn]] void fail() const {
        throw Error(ErrorKind::Usage, "cannot-write",
                    "Cannot write " + m_name.string() + ": " + std::strerror(errno) + ".",
                    "Free some space there, or choose another place.");
    }
    fs::path m_name;
    Descriptor m_file;
    std::uint64_t m_left = 0, m_size = 0;
};

/// Of the stream from there: lines, and the bytes of recordings between them.
class Incoming {
public:
    enum class Kind : std::uint8_t { Line, Bytes, Nothing };
    void append(std::string_view text) { m_pending += text; }
    Kind next(std::string& line) {
        const std::size_t end = m_pending.find('\n', m_at);
        if (end == m_pending.npos) {
            if (m_pending.size() - m_at > LineBuffer::kMaxLine)
                throw Error(
                    ErrorKind::Internal, "bad-protocol", "The other machine sent an endless line.",
                    "Both programs must be of the same version: olab setup-host copies this one there.");
            m_pending.erase(0, std::exchange(m_at, 0));
            return Kind::Nothing;
        }
        line = m_pending.substr(m_at, end - m_at);
        m_at = end + 1;
        return Kind::Line;
    }
    std::string_view rest() const { return std::string_view(m_pending).substr(m_at); }
    void skip(std::size_t bytes) {
        m_at += bytes;
        if (m_at == m_pending.size())
            m_pending.clear(), m_at = 0;
    }

private:
    std::string m_pending;
    std::size_t m_at = 0;
};

class Relay {
public:
    Relay(std::string place, const std::vector<std::string>& words, int jobs, int events)
        : m_place(std::move(place))
        , m_jobs(jobs)
        , m_events(events)
        , m_there(words) {}

    int run() try {
        while (m_there.output.isOpen() && Clock::now() < m_until)
            turn();
        m_there.errors.isOpen() && readSome(m_there.errors.get(), m_complaint) == ReadState::Data;
        if (!m_leaving)
            tellEnd();
        m_there.input.close();
        m_there.waitForEnd(m_leaving ? 5000ms : 500ms);
        return 0;
    } catch (...) {
        const RunnerError error = currentError();
        send(failure(m_job, error.kind, error.code.c_str(), error.message, error.hint));
        return static_cast<int>(error.kind);
    }

private:
    void send(const EventLine& event) const { writeAll(m_events, toLine(event)); }

    void turn() {
        pollfd watched[] = {{m_leaving ? -1 : m_jobs, POLLIN, 0},
                            {m_there.output.get(), POLLIN, 0},
                            {m_there.errors.get(), POLLIN, 0}};
        ::poll(watched, 3, static_cast<int>(std::chrono::milliseconds(kBeat).count()));
        if (watched[2].revents != 0)
            readComplaint();
        if (watched[1].revents != 0)
            readStream();
        if (watched[0].revents != 0)
            readJobs();
        if (Clock::now() - m_lastBeat >= kBeat && m_there.input.isOpen())
            beat();
    }

    void beat() {
        m_lastBeat = Clock::now();
        writeAll(m_there.input.get(), "\n");
    }

    void readComplaint() {
        std::string text;
        if (readSome(m_there.errors.get(), text) == ReadState::End)
            m_there.errors.close();
        m_complaint += text;
        m_complaint.erase(0, m_complaint.size() - std::min(m_complaint.size(), kKeptComplaint));
    }

    /// The name of the recording is of this machine: over there it gets another one.
    void readJobs() {
        std::string text;
        if (readSome(m_jobs, text) == ReadState::End) {
            m_leaving = true;
            m_until = Clock::now() + kGoodbye;
            m_there.input.close();
        }
        m_orders.append(text);
        for (std::string line; m_orders.next(line);) {
            JobLine job = jobFromLine(line);
            if (!job.prepare) {
                m_job = job.job;
                m_files[job.job] = job.out;
                job.out = "job";
            }
            writeAll(m_there.input.get(), toLine(job));
        }
    }

    void readStream() {
        std::string text;
        if (readSome(m_there.output.get(), text) == ReadState::End)
            m_there.output.close();
        m_incoming.append(text);
        for (std::string line; takeBytes() && m_incoming.next(line) == Incoming::Kind::Line;)
            takeLine(line);
    }

    /// False: more bytes of a recording are to come.
    bool takeBytes() {
        if (!m_file.isOpen())
            return true;
        m_incoming.skip(m_file.take(m_incoming.rest()));
        if (m_throttle.due("fetching the recording"))
            report(m_file.share());
        return !m_file.isOpen();
    }

    void report(double share) const {
        EventLine event;
        event.kind = EventLine::Kind::Progress;
        event.job = m_job;
        event.share = share;
        event.what = "fetching the recording from " + m_place;
        send(event);
    }

    void takeLine(const std::string& line) {
        constexpr std::string_view kFile = "file ";
        if (!m_greeted)
            return greet(line);
        if (line.starts_with(kFile))
            return expectFile(std::string_view(line).substr(kFile.size()));
        EventLine event = eventFromLine(line);
        if (event.kind == EventLine::Kind::Finished)
            event.file = m_files[event.job];
        if (event.kind == EventLine::Kind::Failed)
            tellWhere(event);
        send(event);
    }

    void greet(const std::string& line) {
        m_noise += line.size();
        m_greeted = line == std::string(kStreamGreeting) + OLAB_VERSION;
        if (!m_greeted && (line.starts_with("olab-stream ") || m_noise > kMostNoise))
            throw Error(ErrorKind::NoDevice, "other-version",
                        "The olab on " + m_place + " is of another version: '" + line.substr(0, 100) + "'.",
                        setupHint());
    }

    void expectFile(std::string_view numbers) {
        std::uint64_t job = 0, bytes = 0;
        const char* const end = numbers.data() + numbers.size();
        const auto first = std::from_chars(numbers.data(), end, job);
        const auto second = std::from_chars(std::min(first.ptr + 1, end), end, bytes);
        const auto file = m_files.find(job);
        if (second.ec != std::errc() || second.ptr != end || file == m_files.end())
            throw Error(ErrorKind::Internal, "bad-protocol", m_place + " sent what cannot be read.",
                        setupHint());
        m_file.open(file->second, bytes);
    }

    /// A message of there must not be taken for one about this machine.
    void tellWhere(EventLine& event) const {
        event.message = "On " + m_place + ": " + event.message;
        if (event.code != "cannot-write" && event.code != "no-temp")
            return;
        event.code += "-there";
        event.hint = "Free some space on " + m_place + ", or set TMPDIR there to a folder that has it.";
    }

    std::string setupHint() const { return "Copy this one there: olab setup-host " + shellQuoted(m_place); }

    void tellEnd() {
        while (m_there.errors.isOpen() && readSome(m_there.errors.get(), m_complaint) == ReadState::Data) {
        }
        m_there.waitForEnd(2s);
        if (!m_there.status())
            m_there.end(SIGTERM);
        const int status = m_there.status().value_or(0);
        send(endOf(WIFEXITED(status) ? WEXITSTATUS(status) : -1, status));
    }

    EventLine endOf(int code, int status) const {
        const std::string last = lastLineOf(m_complaint);
        const std::string why = last.empty() ? std::string(".") : ": " + last;
        if (code == kSshsOwnCode && m_greeted)
            return failure(m_job, ErrorKind::DeviceFailed, "connection-lost",
                           "The connection to " + m_place + " was lost" + why,
                           "What ran there ends by itself. Run it again when the connection is back.");
        if (code == kSshsOwnCode)
            return failure(m_job, ErrorKind::NoDevice, "no-connection", "Cannot connect to " + m_place + why,
                           "Try it in a terminal: ssh " + shellQuoted(m_place));
        if (!m_greeted && (code == kNoCommand || code == kCannotRun))
            return failure(m_job, ErrorKind::NoDevice, "no-olab-there",
                           "There is no olab on " + m_place + " that can run" + why, setupHint());
        if (!m_greeted && code == static_cast<int>(ErrorKind::Usage) &&
            m_complaint.find("--stream") != m_complaint.npos)
            return failure(m_job, ErrorKind::NoDevice, "other-version",
                           "The olab on " + m_place + " is of another version: it cannot send a stream.",
                           setupHint());
        return failure(m_job, ErrorKind::DeviceFailed, "child-died",
                       "The engine process on " + m_place + " " + endText(status) + why,
                       "Run it again: the next run starts a fresh one.");
    }

    std::string m_place;
    int m_jobs, m_events;
    PipedProgram m_there;
    LineBuffer m_orders;
    Incoming m_incoming;
    ArrivingFile m_file;
    Throttle m_throttle;
    std::map<std::uint64_t, fs::path> m_files;
    std::uint64_t m_job = 0;
    std::size_t m_noise = 0;
    bool m_greeted = false, m_leaving = false;
    std::string m_complaint;
    Clock::time_point m_lastBeat = Clock::now(), m_until = Clock::time_point::max();
};

} // namespace

int relayEngine(const std::string& place, const std::vector<std::string>& words, int jobDescriptor,
                int eventDescriptor) {
    return Relay(place, words, jobDescriptor, eventDescriptor).run();
}

} // namespace olab::run
