#include <olab/run/last_words.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <unistd.h>

namespace olab::run {
namespace {

std::atomic<Say> g_say = nullptr;

[[noreturn]] void endWithWords() {
    int code = static_cast<int>(ErrorKind::Internal);
    if (const Say say = g_say.exchange(nullptr)) { // another thread may be ending the same way
        if (std::current_exception())
            code = reportCurrentError(say);
        else
            say({ErrorKind::Internal, "unexpected", "An unexpected error of unknown kind.",
                 "This is a fault of the program: please report it with what you did."});
    }
    std::_Exit(code);
}

} // namespace

int reportCurrentError(Say say) noexcept {
    int code = static_cast<int>(ErrorKind::Internal);
    try {
        const RunnerError error = currentError();
        code = static_cast<int>(error.kind);
        say(error);
    } catch (...) { // no memory for the sentence itself
        std::fputs("There is not enough memory for this.\n", stderr);
    }
    return code;
}

void keepStandardFiles() noexcept {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(descriptor, F_GETFD) < 0) // open() takes the lowest that is free: this one
            (void)!::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void useLastWords(Say say) {
    g_say = say;
    std::set_terminate(endWithWords);
}

} // namespace olab::run
