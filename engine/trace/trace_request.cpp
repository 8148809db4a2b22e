#include <olab/trace/trace_request.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

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
    } catch (...) { // no memory; then nobody learns of it
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

} // namespace olab
