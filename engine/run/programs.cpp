#include <olab/run/programs.h>

#include <olab/run/runner.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace olab::run {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> absoluteIn(std::string_view list) {
    std::vector<fs::path> folders;
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find(':', at), list.size());
        if (const fs::path folder(list.substr(at, end - at)); folder.is_absolute())
            folders.push_back(folder);
        at = end + 1;
    }
    return folders;
}

} // namespace

fs::path ownProgram() {
    std::error_code failed;
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    return failed || !self.is_absolute() ? fs::path() : self;
}

fs::path findProgram(std::string_view name) {
    std::vector<fs::path> candidates;
    if (const fs::path self = ownProgram(); !self.empty())
        candidates = {self.parent_path() / name, self.parent_path() / ".." / "bin" / name};
    const char* const path = std::getenv("PATH");
    for (const fs::path& folder : absoluteIn(path ? path : ""))
        candidates.push_back(folder / name);
    std::error_code ignored;
    for (const fs::path& file : candidates)
        if (fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0)
            return file.lexically_normal();
    return {};
}

std::string absoluteFolders(std::string_view list) {
    std::string kept;
    for (const fs::path& folder : absoluteIn(list))
        kept += (kept.empty() ? "" : ":") + folder.string();
    return kept;
}

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
