#include "console.h"

#include "command.h"

#include <olab/trace/side_by_side.h>
#include <olab/trace/visible_text.h>

#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

namespace olab::cli {
namespace {

using Clock = std::chrono::steady_clock;

class ProgressLine {
public:
    ~ProgressLine() { clear(); }
    void show(double share, std::string_view what) {
        constexpr std::chrono::milliseconds kPause{100};
        if (!m_terminal || Clock::now() - m_last < kPause)
            return;
        m_last = Clock::now();
        m_shown = true;
        std::string text =
            share < 0 ? "" : std::to_string(static_cast<int>(std::min(share, 1.0) * 100)) + " %  ";
        text += visibleText(what);
        text.resize(std::min(text.size(), width()));  // a line that wraps could not be taken back
        while (!text.empty() && (text.back() & 0x80)) // nor half a letter
            text.pop_back();
        std::fprintf(stderr, "\r\033[K%s", text.c_str());
    }
    void clear() {
        if (m_shown)
            std::fputs("\r\033[K", stderr);
        m_shown = false;
    }

private:
    static std::size_t width() {
        winsize size{};
        const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
        return known ? size.ws_col - 1u : 79u;
    }
    bool m_terminal = ::isatty(STDERR_FILENO) == 1;
    bool m_shown = false;
    Clock::time_point m_last{};
};

/// A handler may call almost nothing, and least of all request_stop(): a thread takes the signals instead.
/// Where the system has none to give, a signal ends the program at once.
class SignalThread {
public:
    explicit SignalThread(std::stop_source& cancel) {
        sigemptyset(&m_signals);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP})
            sigaddset(&m_signals, signal);
        pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
        m_thread = tryStart([this, &cancel](const std::stop_token& end) { wait(cancel, end); });
        if (!m_thread.joinable())
            pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    SignalThread(const SignalThread&) = delete;
    SignalThread& operator=(const SignalThread&) = delete;
    ~SignalThread() {
        if (!m_thread.joinable())
            return;
        m_thread.request_stop();
        pthread_kill(m_thread.native_handle(), SIGTERM); // so that it looks; which ends with it
        m_thread.join();
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }

private:
    void wait(std::stop_source& cancel, const std::stop_token& end) const {
        for (siginfo_t info{};;) {
            const int signal = sigwaitinfo(&m_signals, &info);
            const bool isOurs = signal > 0 && info.si_code <= SI_USER && info.si_pid == ::getpid();
            if (end.stop_requested()) {
                if (signal > 0 && !isOurs) // for whoever comes after
                    ::kill(::getpid(), signal);
                return;
            }
            if (signal < 0 || isOurs)
                continue;
            if (cancel.stop_requested())
                std::_Exit(static_cast<int>(ErrorKind::Cancelled));
            cancel.request_stop();
        }
    }
    sigset_t m_signals{}, m_before{};
    std::jthread m_thread;
};

} // namespace

struct Console::State {
    std::stop_source cancel;
    ProgressLine line;
    SignalThread signals{cancel};
};

Console::Console()
    : m_state(std::make_unique<State>()) {}

Console::~Console() = default;

void Console::clearLine() const {
    m_state->line.clear();
}

RunControl Console::control() const {
    RunControl control;
    control.stop = m_state->cancel.get_token();
    control.progress = [line = &m_state->line](double share, std::string_view what) {
        line->show(share, what);
    };
    return control;
}

std::span<const ExitCode> exitCodes() {
    static constexpr ExitCode kAll[] = {{0, "done"},
                                        {1, "an assertion failed"},
                                        {2, "wrong usage or unreadable input"},
                                        {3, "no device or driver"},
                                        {4, "the run failed on the device"},
                                        {5, "cancelled"},
                                        {70, "a fault of the program or no memory left"}};
    return kAll;
}

} // namespace olab::cli
