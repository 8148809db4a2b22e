#include <olab/run/engine_loop.h>

#include "pipes.h"

#include <olab/run/relay.h>
#include <olab/trace/temporary_folder.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <poll.h>
#include <thread>
#include <vector>

namespace olab::run {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

std::vector<pid_t> numbersIn(const fs::path& file) {
    std::vector<pid_t> numbers;
    std::ifstream text(file);
    for (pid_t number = 0; text >> number;)
        if (number > 1)
            numbers.push_back(number);
    return numbers;
}

/// Those in "*.pid" and the programs that they started.
std::vector<pid_t> processesOf(const fs::path& folder) {
    std::vector<pid_t> all;
    std::error_code failed;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
        if (at->path().extension() == ".pid")
            for (const pid_t one : numbersIn(at->path())) {
                const std::string number = std::to_string(one);
                const std::vector<pid_t> children =
                    numbersIn("/proc/" + number + "/task/" + number + "/children");
                all.push_back(one);
                all.insert(all.end(), children.begin(), children.end());
            }
    return all;
}

/// The first is told, and tells its program; what does not listen is killed.
void endProcesses(const std::vector<pid_t>& processes) {
    constexpr int kTurns = 100;
    const auto lives = [](pid_t one) { return ::kill(one, 0) == 0; };
    for (const pid_t one : processes)
        ::kill(one, SIGTERM);
    for (int i = 0; i < kTurns && std::ranges::any_of(processes, lives); ++i)
        std::this_thread::sleep_for(50ms);
    for (const pid_t one : processes)
        ::kill(one, SIGKILL);
}

} // namespace

int holdLoop(int inputDescriptor, int outputDescriptor) {
    const TemporaryFolder folder;
    writeAll(outputDescriptor, "olab-hold|" + folder.path().string() + "\n");
    pollfd watched{inputDescriptor, POLLIN, 0};
    constexpr auto kPatience = std::chrono::milliseconds(kMostSilence);
    for (std::string text; ::poll(&watched, 1, static_cast<int>(kPatience.count())) > 0; text.clear())
        if (readSome(inputDescriptor, text) == ReadState::End)
            break;
    endProcesses(processesOf(folder.path()));
    return 0;
}

} // namespace olab::run
