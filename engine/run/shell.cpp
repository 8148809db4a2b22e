#include <olab/run/shell.h>

#include "spawn.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

#include <algorithm>

namespace olab::run {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::size_t kMostKept = 64 << 10;

/// Feeds `file` to `program`, as long as it reads. What it says meanwhile waits in its pipes.
void feed(PipedProgram& program, const fs::path& file, const RunControl& control) {
    const Descriptor from(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    std::error_code failed;
    const auto whole = static_cast<double>(std::max<std::uintmax_t>(fs::file_size(file, failed), 1));
    double done = 0;
    for (std::string text; readSome(from.get(), text) == ReadState::Data; text.clear()) {
        control.throwIfCancelled();
        if (!writeAll(program.input.get(), text))
            return;
        done += static_cast<double>(text.size());
        control.report(done / whole, "copying " + file.filename().string());
    }
}

} // namespace

int runCaptured(const std::vector<std::string>& words, std::string& output, const fs::path& input,
                const RunControl& control) {
    PipedProgram program(words);
    if (!input.empty())
        feed(program, input, control);
    program.input.close();
    while (program.output.isOpen() || program.errors.isOpen()) {
        control.throwIfCancelled();
        pollfd watched[] = {{program.output.get(), POLLIN, 0}, {program.errors.get(), POLLIN, 0}};
        ::poll(watched, 2, 20);
        for (Descriptor* one : {&program.output, &program.errors})
            if (one->isOpen() && readSome(one->get(), output) == ReadState::End)
                one->close();
        output.resize(std::min(output.size(), kMostKept));
    }
    program.waitForEnd(10s);
    const int status = program.status().value_or(0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

namespace {

bool isPlain(char c) {
    constexpr std::string_view kPlain = "%+,-./:=@_";
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kPlain.find(c) != kPlain.npos;
}

} // namespace

std::string shellQuoted(std::string_view word) {
    if (!word.empty() && std::ranges::all_of(word, isPlain))
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string shellQuoted(std::span<const std::string> words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + shellQuoted(word);
    return text;
}

} // namespace olab::run
