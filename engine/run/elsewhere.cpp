#include <olab/run/elsewhere.h>

#include "spawn.h"

#include <olab/run/programs.h>
#include <olab/run/relay.h>
#include <olab/run/shell.h>
#include <olab/trace/error.h>
#include <olab/trace/output_file.h>
#include <olab/trace/temporary_folder.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace olab::run {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kLookAgain = 20ms; ///< how long a cancel may go unnoticed
constexpr std::size_t kMostOutput = 64 << 10;
constexpr int kSshFailed = 255; ///< ssh's own exit code
constexpr std::string_view kHello = "olab-hello|", kHold = "olab-hold|";

/// "$1" is the version that is wanted; empty: only the shell. The last command runs until the connection
/// ends.
constexpr std::string_view kGreet = R"sh(d="$HOME/.local/share/overlap-lab" p="$d/olab"
[ -x "$p" ] || p=$(command -v olab) || p=
[ ! -d "$d/lib" ] || export LD_LIBRARY_PATH="$d/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
v=
[ -z "$p" ] || v=$("$p" --version 2>&1 | head -n 1)
printf 'olab-hello|%s|%s|%s\n' "$(uname -sm)" "$p" "$v"
case "$v" in "olab $1") exec "$p" engine --hold ;; esac
exec cat >/dev/null
)sh";
constexpr std::string_view kStart = R"sh(d="$HOME/.local/share/overlap-lab" p="$d/olab"
[ -x "$p" ] || p=olab
[ ! -d "$d/lib" ] || export LD_LIBRARY_PATH="$d/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
exec "$p" "$@"
)sh";

void checkHost(const std::string& host) {
    const bool isOdd = host.empty() || host.front() == '-' ||
                       std::ranges::any_of(host, [](unsigned char c) { return c < ' ' || c == 127; });
    if (isOdd)
        throw Error(ErrorKind::Usage, "bad-host", "'" + host + "' is not the name of a machine.",
                    "Write what you write behind ssh: a name of ~/.ssh/config, HOST or USER@HOST.");
}

fs::path findSsh() {
    const fs::path ssh = findProgram("ssh");
    if (ssh.empty())
        throw Error(ErrorKind::NoDevice, "no-ssh", "There is no ssh on this machine.",
                    "Install the OpenSSH client (Debian: apt-get install openssh-client).");
    return ssh;
}

bool hasTerminal() {
    const Descriptor terminal(::open("/dev/tty", O_RDWR | O_CLOEXEC));
    return terminal.isOpen() && ::isatty(STDERR_FILENO) == 1;
}

/// The name of a socket must be short (108 characters, of which ssh needs some itself).
std::unique_ptr<TemporaryFolder> socketFolder() {
    constexpr std::size_t kLongest = 70;
    auto folder = std::make_unique<TemporaryFolder>();
    return folder->path().string().size() <= kLongest ? std::move(folder)
                                                      : std::make_unique<TemporaryFolder>("/tmp");
}

std::string withoutPercents(const std::string& path) {
    std::string text;
    for (const char c : path)
        text += c == '%' ? std::string("%%") : std::string(1, c);
    return text;
}

std::string hintFor(const std::string& host, const std::string& why) {
    const std::string command = "ssh " + shellQuoted(host);
    if (why.find("Host key verification failed") != why.npos)
        return "Connect once in a terminal and confirm its key: " + command;
    if (why.find("Permission denied") != why.npos)
        return "Use a key that ssh-agent knows, or run olab in a terminal, where ssh can ask. To try it: " +
               command;
    return "olab connects as you do, with your ~/.ssh/config. To try it: " + command;
}

std::string setupHint(const std::string& host) {
    return "Copy it there: olab setup-host " + shellQuoted(host);
}

struct Greeting {
    std::string system, program, version, folder;
};

std::string fieldOf(std::string_view& rest) {
    const std::size_t end = std::min(rest.find('|'), rest.size());
    std::string field(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return field;
}

void checkOlab(const std::string& host, const Greeting& there) {
    if (there.program.empty())
        throw Error(ErrorKind::NoDevice, "no-olab-there", "There is no olab on " + host + ".",
                    setupHint(host));
    if (!there.version.starts_with("olab "))
        throw Error(ErrorKind::NoDevice, "no-olab-there",
                    "The olab on " + host + " (" + there.program + ") does not start: " + there.version + ".",
                    setupHint(host));
    if (there.version != "olab " OLAB_VERSION)
        throw Error(ErrorKind::NoDevice, "other-version",
                    "On " + host + " there is " + there.version + " (" + there.program +
                        "), here olab " OLAB_VERSION ": both must be the same version.",
                    setupHint(host));
}

} // namespace

struct Elsewhere::State {
    std::string host;
    std::string ssh;
    bool batch = true;
    std::unique_ptr<TemporaryFolder> sockets;
    Greeting there;
    std::unique_ptr<PipedProgram> master;
    std::mutex mutex;
    std::condition_variable_any changed;
    std::jthread beats;

    std::vector<std::string> words(bool asMaster, const std::string& command) const;
    void greet(Need need, const RunControl& control);
    bool take(const std::string& line, Need need);
    [[noreturn]] void throwEnded(const std::string& said, const std::string& complaint);
    void startBeats();
    void beat(const std::stop_token& stop);
};

/// `command` is one word for the login shell there, whichever that is: sh -c 'SCRIPT' and its arguments.
std::vector<std::string> Elsewhere::State::words(bool asMaster, const std::string& command) const {
    std::vector<std::string> list{ssh, "-T", "-x", "-a"};
    for (const char* option :
         {"ConnectTimeout=15", "ServerAliveInterval=10", "ServerAliveCountMax=3", "ClearAllForwardings=yes",
          "RemoteCommand=none", "PermitLocalCommand=no", "ControlPersist=no", "EscapeChar=none"})
        list.insert(list.end(), {"-o", option});
    list.insert(list.end(), {"-o", asMaster ? "ControlMaster=yes" : "ControlMaster=no", "-S",
                             withoutPercents((sockets->path() / "s").string())});
    if (batch || !asMaster)
        list.insert(list.end(), {"-o", "BatchMode=yes"});
    list.insert(list.end(), {"--", host, command});
    return list;
}

bool Elsewhere::State::take(const std::string& line, Need need) {
    std::string_view rest = line;
    if (line.starts_with(kHold)) {
        there.folder = line.substr(kHold.size());
        return true;
    }
    if (!line.starts_with(kHello))
        return false; // of the shell's startup files
    rest.remove_prefix(kHello.size());
    there.system = fieldOf(rest);
    there.program = fieldOf(rest);
    there.version = std::string(rest);
    if (need == Need::Olab)
        checkOlab(host, there);
    return need == Need::Shell;
}

void Elsewhere::State::throwEnded(const std::string& said, const std::string& complaint) {
    master->waitForEnd(2s);
    const int status = master->status().value_or(0);
    const std::string last = lastLineOf(complaint);
    if (WIFEXITED(status) && WEXITSTATUS(status) == kSshFailed)
        throw Error(ErrorKind::NoDevice, "no-connection",
                    "Cannot connect to " + host + ": " + (last.empty() ? "ssh gave no reason" : last) + ".",
                    hintFor(host, last));
    throw Error(ErrorKind::NoDevice, "no-connection",
                "ssh reached " + host + ", but what should start there " + endText(status) +
                    (complaint.empty() && said.empty() ? "." : ": " + complaint + lastLineOf(said)),
                hintFor(host, last));
}

/// Waits for what the other side says of itself.
void Elsewhere::State::greet(Need need, const RunControl& control) {
    LineBuffer lines;
    std::string said, complaint;
    const auto until = std::chrono::steady_clock::now() + 60s;
    for (bool open = true; open;) {
        control.throwIfCancelled();
        pollfd watched[] = {{master->output.get(), POLLIN, 0}, {master->errors.get(), POLLIN, 0}};
        ::poll(watched, 2, static_cast<int>(kLookAgain.count()));
        if (watched[1].revents != 0 && readSome(master->errors.get(), complaint) == ReadState::End)
            master->errors.close();
        std::string text;
        if (watched[0].revents != 0)
            open = readSome(master->output.get(), text) != ReadState::End;
        lines.append(text);
        said += text;
        for (std::string line; lines.next(line);)
            if (take(line, need))
                return;
        if (said.size() + complaint.size() > kMostOutput ||
            (batch && std::chrono::steady_clock::now() > until))
            throw Error(ErrorKind::NoDevice, "no-connection", host + " does not answer as a shell would.",
                        hintFor(host, {}));
    }
    throwEnded(said, complaint);
}

/// A signal must reach the thread that waits for it, never this one.
void Elsewhere::State::startBeats() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    beats = std::jthread([this](const std::stop_token& stop) { beat(stop); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// The other side knows by this that somebody is here.
void Elsewhere::State::beat(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (!changed.wait_for(lock, stop, kBeat, [] { return false; }) && !stop.stop_requested())
        if (!writeAll(master->input.get(), "\n"))
            return;
}

Elsewhere::Elsewhere(std::string host, Need need, bool mayAsk, const RunControl& control)
    : m_state(std::make_unique<State>()) {
    State& s = *m_state;
    checkHost(host);
    s.host = std::move(host);
    s.ssh = findSsh().string();
    s.sockets = socketFolder();
    s.batch = !mayAsk || !hasTerminal();
    if (s.batch) // else ssh asks where the progress would stand
        control.report(-1, "connecting to " + s.host);
    const std::vector<std::string> arguments{need == Need::Olab ? OLAB_VERSION : ""};
    const std::string command = "sh -c " + shellQuoted(kGreet) + " olab " + shellQuoted(arguments);
    s.master =
        std::make_unique<PipedProgram>(s.words(true, command), s.batch ? Terminal::Apart : Terminal::Shared);
    s.greet(need, control);
    s.startBeats();
}

Elsewhere::~Elsewhere() {
    State& s = *m_state;
    s.beats = {};
    s.master->input.close();
    s.master->output.close();
    s.master->waitForEnd(2s);
}

const std::string& Elsewhere::host() const {
    return m_state->host;
}

const std::string& Elsewhere::system() const {
    return m_state->there.system;
}

const std::string& Elsewhere::folder() const {
    return m_state->there.folder;
}

std::vector<std::string> Elsewhere::script(std::string_view text,
                                           const std::vector<std::string>& arguments) const {
    return m_state->words(false, "sh -c " + shellQuoted(text) + " olab " + shellQuoted(arguments));
}

std::vector<std::string> Elsewhere::olab(const std::vector<std::string>& arguments,
                                         const std::vector<std::string>& environment) const {
    std::string text;
    for (const std::string& entry : environment) {
        const std::size_t equals = std::min(entry.find('='), entry.size());
        text += "export " + entry.substr(0, equals) + "=" +
                shellQuoted(std::string_view(entry).substr(std::min(equals + 1, entry.size()))) + "\n";
    }
    return script(text + std::string(kStart), arguments);
}

int Elsewhere::run(const std::vector<std::string>& words, std::string& output, const fs::path& input,
                   const RunControl& control) const {
    return runCaptured(words, output, input, control);
}

void Elsewhere::fetch(const std::string& there, const fs::path& here, const RunControl& control) const {
    PipedProgram program(script("exec cat -- \"$1\"", {there}));
    program.input.close();
    OutputFile file(here);
    std::string complaint;
    while (program.output.isOpen()) {
        control.throwIfCancelled();
        pollfd watched[] = {{program.output.get(), POLLIN, 0}, {program.errors.get(), POLLIN, 0}};
        ::poll(watched, 2, static_cast<int>(kLookAgain.count()));
        std::string bytes;
        if (watched[0].revents != 0 && readSome(program.output.get(), bytes) == ReadState::End)
            program.output.close();
        file.write(bytes);
        if (watched[1].revents != 0 && readSome(program.errors.get(), complaint) == ReadState::End)
            program.errors.close();
    }
    program.waitForEnd(10s);
    if (const int status = program.status().value_or(-1); !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw Error(ErrorKind::DeviceFailed, "not-fetched",
                    there + " could not be fetched from " + host() + ": " + lastLineOf(complaint),
                    "The connection may be lost.");
    file.commit();
}

} // namespace olab::run
