#include <olab/trace/trace_control.h>

#include <olab/trace/error.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace olab {
namespace {

namespace fs = std::filesystem;

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

class Connection {
public:
    explicit Connection(const fs::path& file)
        : m_socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        const sockaddr_un address = addressOf(file);
        m_isOpen = m_socket >= 0 &&
                   ::connect(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }
    ~Connection() {
        if (m_socket >= 0)
            ::close(m_socket);
    }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    bool isOpen() const { return m_isOpen; }
    bool send(const std::string& line) const {
        return ::send(m_socket, line.data(), line.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(line.size());
    }
    /// Nothing: it did not come in time.
    std::optional<std::string> receive(std::chrono::seconds patience) const {
        const timeval limit{patience.count(), 0};
        ::setsockopt(m_socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        std::string line;
        for (char c = 0; ::recv(m_socket, &c, 1, 0) == 1; line += c)
            if (c == '\n')
                return line;
        return std::nullopt;
    }

private:
    int m_socket;
    bool m_isOpen = false;
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
        if (pid > 0 && Connection(entry.path()).isOpen())
            all.push_back(pid);
        else if (pid > 0)
            fs::remove(entry.path(), failed);
    }
    std::ranges::sort(all);
    return all;
}

TraceAnswer tellTraced(std::int64_t pid, const TraceOrder& order, std::chrono::seconds patience) {
    const Connection connection(traceSocket(pid));
    if (!connection.isOpen() || !connection.send(toText(order) + "\n"))
        throw Error(ErrorKind::Usage, "not-ready", "Process " + std::to_string(pid) + " does not listen.",
                    "Start it with olab trace --attach-ready; it listens once it uses CUDA.");
    const std::optional<std::string> line = connection.receive(patience);
    if (!line)
        throw Error(ErrorKind::Usage, "no-answer", "Process " + std::to_string(pid) + " does not answer.",
                    "It may be stopped, or have ended.");
    const std::size_t space = std::min(line->find(' '), line->size());
    return {line->substr(0, space) == "ok", space < line->size() ? line->substr(space + 1) : ""};
}

int listenToOrders(std::int64_t pid) noexcept {
    try {
        const fs::path file = traceSocket(pid);
        const sockaddr_un address = addressOf(file);
        const int listening = address.sun_path[0] ? ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;
        ::unlink(file.c_str()); // of an earlier process with this number
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
