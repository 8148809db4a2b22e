#include <olab/run/last_words.h>

#include <olab/run/runner.h>

#include <atomic>
#include <cstdlib>
#include <exception>

namespace olab {
namespace {

std::atomic<Say> g_say = nullptr;

[[noreturn]] void endWithWords() {
    int code = static_cast<int>(ErrorKind::Internal);
    if (const Say say = g_say.exchange(nullptr)) { // another thread may end the same way meanwhile
        if (std::current_exception())
            code = reportCurrentError(say);
        else
            say("This is a fault of the program: please report it with what you did.");
    }
    std::_Exit(code);
}

} // namespace

int reportCurrentError(Say say) noexcept {
    try {
        const RunnerError error = currentError();
        say(error.message + (error.hint.empty() ? "" : "\n      " + error.hint));
        return static_cast<int>(error.kind);
    } catch (...) {
        say("There is not enough memory for this.");
        return static_cast<int>(ErrorKind::Internal);
    }
}

void useLastWords(Say say) {
    g_say = say;
    std::set_terminate(endWithWords);
}

} // namespace olab
