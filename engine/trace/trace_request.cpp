#include <olab/trace/trace_request.h>

#include "descriptor.h"

#include <olab/trace/error.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

namespace olab {
namespace {

constexpr const char *kFile = "OLAB_TRACE_FILE", *kStatus = "OLAB_TRACE_STATUS",
                     *kOptions = "OLAB_TRACE_OPTIONS", *kRange = "OLAB_TRACE_RANGE";

constexpr std::array<std::string_view, 7> kEvents = {"recording", "finished", "ended", "failed",
                                                     "other",     "yielded",  "ready"};

template <typename Number>
void add(std::string& text, std::string_view name, Number value) {
    if (value != 0)
        text += " " + std::string(name) + "=" + std::to_string(value);
}

template <typename Number>
bool take(std::string_view word, std::string_view name, Number& value) {
    if (!word.starts_with(name) || word.size() <= name.size() || word[name.size()] != '=')
        return false;
    word.remove_prefix(name.size() + 1);
    std::from_chars(word.data(), word.data() + word.size(), value);
    return true;
}

void takeOption(std::string_view word, TraceRequest& request) {
    request.children |= word == "children";
    request.allCalls |= word == "all-calls";
    request.byMarks |= word == "by-marks";
    request.attachReady |= word == "attach-ready";
    (void)(take(word, "pid", request.pid) || take(word, "started", request.started) ||
           take(word, "delay", request.delay) || take(word, "duration", request.duration) ||
           take(word, "last", request.last) || take(word, "limit", request.mostBytes));
}

std::string optionsOf(const TraceRequest& request) {
    std::string text = "pid=" + std::to_string(request.pid);
    for (const auto& [is, word] : {std::pair{request.children, " children"},
                                   {request.allCalls, " all-calls"},
                                   {request.byMarks, " by-marks"},
                                   {request.attachReady, " attach-ready"}})
        text += is ? word : "";
    add(text, "started", request.started), add(text, "delay", request.delay);
    add(text, "duration", request.duration), add(text, "last", request.last);
    add(text, "limit", request.mostBytes);
    return text;
}

/// "recording 1234 /home/a/run.olab"
std::optional<TraceStatus> statusOf(std::string_view line) {
    const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
    if (first == line.npos || second == line.npos)
        return std::nullopt;
    const auto event = std::ranges::find(kEvents, line.substr(0, first));
    if (event == kEvents.end())
        return std::nullopt;
    TraceStatus status{static_cast<TraceEvent>(event - kEvents.begin()), 0,
                       std::string(line.substr(second + 1))};
    std::from_chars(line.data() + first + 1, line.data() + second, status.pid);
    return status;
}

std::string recordedName(const std::vector<std::string>& words) {
    const std::string program = std::filesystem::path(words.front()).filename().string();
    if (program.starts_with("python"))
        for (std::size_t i = 1; i < words.size(); ++i)
            if (words[i].ends_with(".py"))
                return std::filesystem::path(words[i]).stem().string();
    return program;
}

} // namespace

std::vector<std::pair<std::string, std::string>> TraceRequest::toEnvironment() const {
    return {
        {kFile, file.string()}, {kStatus, status.string()}, {kOptions, optionsOf(*this)}, {kRange, range}};
}

std::optional<TraceRequest> TraceRequest::from(Variable variable) {
    const char* const file = variable(kFile);
    if (!file || *file != '/')
        return std::nullopt;
    const auto text = [variable](const char* name) {
        const char* const value = variable(name);
        return std::string(value ? value : "");
    };
    TraceRequest request;
    request.file = file;
    request.status = text(kStatus);
    request.range = text(kRange);
    const std::string options = text(kOptions);
    for (std::string_view rest = options; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        takeOption(rest.substr(0, end), request);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return request;
}

std::optional<TraceRequest> TraceRequest::fromEnvironment() {
    return from([](const char* name) -> const char* { return std::getenv(name); });
}

std::filesystem::path freeRecordingFile(const std::vector<std::string>& words,
                                        const std::filesystem::path& folder) {
    return freeFile(folder / (recordedName(words) + ".olab"));
}

std::filesystem::path freeFile(const std::filesystem::path& file) {
    std::filesystem::path free = file;
    std::error_code failed;
    for (int number = 2; std::filesystem::exists(std::filesystem::symlink_status(free, failed)); ++number)
        free = file.parent_path() /
               (file.stem().string() + "-" + std::to_string(number) + file.extension().string());
    return free;
}

void tellStatus(const std::filesystem::path& file, const TraceStatus& status) noexcept {
    try {
        std::string line(kEvents[static_cast<std::size_t>(status.event)]);
        line += " " + std::to_string(status.pid) + " " + status.text;
        std::ranges::replace(line, '\n', ' ');
        line += '\n';
        const int descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
        if (descriptor < 0)
            return;
        (void)!::write(descriptor, line.data(), line.size()); // at once: several processes do
        ::close(descriptor);
    } catch (...) { // no memory; then it is not reported
    }
}

std::vector<TraceStatus> readStatus(const std::filesystem::path& file) {
    std::vector<TraceStatus> all;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
        if (const auto status = statusOf(line))
            all.push_back(*status);
    return all;
}

namespace {

namespace fs = std::filesystem;
using trace_detail::Descriptor;

constexpr std::string_view kWords[] = {"tell", "on", "off"};
constexpr std::string_view kEnds = ".socket";
constexpr TraceOrder::Kind kKinds[] = {TraceOrder::Kind::Tell, TraceOrder::Kind::On, TraceOrder::Kind::Off};

[[noreturn]] void throwNoFolder(const fs::path& folder, const char* why) {
    throw Error(ErrorKind::Usage, "no-folder", "The folder " + folder.string() + " " + why + ".",
                "Set XDG_RUNTIME_DIR to a folder of your own, for olab and for the program.");
}

sockaddr_un addressOf(const fs::path& file) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string text = file.string();
    if (text.size() < sizeof address.sun_path)
        std::memcpy(address.sun_path, text.c_str(), text.size());
    return address;
}

/// Fails with EAGAIN while the socket's queue is full; may be tried again.
bool connectTo(int socket, const fs::path& file) {
    const sockaddr_un address = addressOf(file);
    return ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

Descriptor newSocket() {
    return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

/// A process that receives an order. Nothing here blocks.
class Told {
public:
    Told(fs::path file, std::string line)
        : m_file(std::move(file))
        , m_line(std::move(line)) {}
    /// Continues as far as possible now.
    void proceed() {
        if (!m_isConnected && connect())
            m_isConnected = true;
        char block[256];
        ssize_t got = 0;
        while (m_isConnected && (got = ::recv(m_socket.number(), block, sizeof block, 0)) > 0)
            m_said.append(block, static_cast<std::size_t>(got));
        m_isOver |= m_isConnected && (got == 0 || (errno != EAGAIN && errno != EINTR));
    }
    bool isOver() const { return m_isOver || m_said.find('\n') != m_said.npos; }
    /// -1: no input can be expected yet
    int descriptor() const { return m_isConnected && !isOver() ? m_socket.number() : -1; }
    TraceAnswer answer() const {
        const std::size_t end = m_said.find('\n');
        if (end == m_said.npos)
            return {m_isDeaf ? TraceAnswer::State::Deaf : TraceAnswer::State::Silent, {}};
        const std::size_t space = std::min(m_said.find(' '), end);
        return {m_said.compare(0, space, "ok") == 0 ? TraceAnswer::State::Done : TraceAnswer::State::Refused,
                space < end ? m_said.substr(space + 1, end - space - 1) : ""};
    }

private:
    bool connect() {
        const bool is = connectTo(m_socket.number(), m_file);
        const bool isLater = !is && errno == EAGAIN;
        m_isDeaf = m_isOver =
            !isLater && (!is || ::send(m_socket.number(), m_line.data(), m_line.size(), MSG_NOSIGNAL) !=
                                    static_cast<ssize_t>(m_line.size()));
        return is && !m_isOver;
    }
    const fs::path m_file;
    const std::string m_line;
    const Descriptor m_socket = newSocket();
    std::string m_said;
    bool m_isConnected = false, m_isOver = false, m_isDeaf = false;
};

std::int64_t processOf(const fs::path& file) {
    const std::string name = file.filename().string();
    std::int64_t pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    return error == std::errc() && std::string_view(end) == kEnds ? pid : 0;
}

} // namespace

std::string toText(const TraceOrder& order) {
    const auto kind = std::ranges::find(kKinds, order.kind) - std::begin(kKinds);
    return std::string(kWords[kind]) + " " + std::to_string(order.at) + " " + std::to_string(order.duration);
}

std::optional<TraceOrder> traceOrder(std::string_view line) {
    const auto next = [&line] {
        const std::string_view word = line.substr(0, std::min(line.find(' '), line.size()));
        line.remove_prefix(std::min(word.size() + 1, line.size()));
        return word;
    };
    const auto word = std::ranges::find(kWords, next());
    TraceOrder order;
    bool isGood = word != std::end(kWords);
    for (Ns* const number : {&order.at, &order.duration}) {
        const std::string_view text = next();
        isGood &= !text.empty() &&
                  std::from_chars(text.data(), text.data() + text.size(), *number).ec == std::errc();
        isGood &= *number >= 0;
    }
    if (!isGood)
        return std::nullopt;
    order.kind = kKinds[word - std::begin(kWords)];
    return order;
}

fs::path traceSocketFolder() {
    const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
    const bool isGiven = runtime && *runtime == '/';
    const fs::path folder = isGiven ? fs::path(runtime) / "overlap-lab"
                                    : fs::path("/tmp") / ("overlap-lab-" + std::to_string(::geteuid()));
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        throwNoFolder(folder, "cannot be made");
    struct stat is {};
    if (::lstat(folder.c_str(), &is) != 0 || !S_ISDIR(is.st_mode) || is.st_uid != ::geteuid())
        throwNoFolder(folder, "is not yours");
    if ((is.st_mode & 077) != 0 && ::chmod(folder.c_str(), 0700) != 0)
        throwNoFolder(folder, "is open to others");
    return folder;
}

fs::path traceSocket(std::int64_t pid) {
    return traceSocketFolder() / (std::to_string(pid) + std::string(kEnds));
}

std::vector<std::int64_t> attachReadyProcesses() {
    std::vector<std::int64_t> all;
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(traceSocketFolder(), failed)) {
        const std::int64_t pid = processOf(entry.path());
        const Descriptor socket = newSocket();
        if (pid > 0 && (connectTo(socket.number(), entry.path()) || errno == EAGAIN))
            all.push_back(pid);
        else if (pid > 0 && errno == ECONNREFUSED)
            fs::remove(entry.path(), failed);
    }
    std::ranges::sort(all);
    return all;
}

std::vector<TraceAnswer> tellTraced(const std::vector<std::int64_t>& pids, const TraceOrder& order,
                                    std::chrono::seconds patience) {
    constexpr int kTryAgainMs = 20;
    std::vector<std::unique_ptr<Told>> all;
    for (const std::int64_t pid : pids)
        all.push_back(std::make_unique<Told>(traceSocket(pid), toText(order) + "\n"));
    std::vector<pollfd> watched(all.size());
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!std::ranges::all_of(all, &Told::isOver) && std::chrono::steady_clock::now() < until) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!all[i]->isOver())
                all[i]->proceed();
            watched[i] = {all[i]->descriptor(), POLLIN, 0};
        }
        ::poll(watched.data(), watched.size(), kTryAgainMs);
    }
    std::vector<TraceAnswer> answers;
    for (const auto& one : all)
        answers.push_back(one->answer());
    return answers;
}

int listenToOrders(std::int64_t pid) noexcept {
    try {
        const fs::path file = traceSocket(pid);
        const sockaddr_un address = addressOf(file);
        const int listening = address.sun_path[0] ? ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
        ::unlink(file.c_str()); // of an earlier process with this pid
        if (listening >= 0 &&
            ::bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
            ::listen(listening, 8) == 0)
            return listening;
        if (listening >= 0)
            ::close(listening);
        return -1;
    } catch (...) {
        return -1;
    }
}

} // namespace olab
