#include "trace_orders.h"

#include "command.h"
#include "time_slice.h"
#include "trace_outcome.h"

#include <olab/run/runner.h>
#include <olab/trace/error.h>
#include <olab/trace/trace_request.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <fstream>
#include <thread>
#include <vector>

namespace olab::cli {
namespace {

constexpr Ns kUntilAllKnow = 1'000'000'000; ///< several processes begin this long after they were told
/// CUPTI's first use may take seconds; what only tells something is at hand.
constexpr std::chrono::seconds kPatience{30}, kPatienceToBeTold{2};

Ns onTheWall() {
    timespec t{};
    ::clock_gettime(CLOCK_REALTIME, &t);
    return static_cast<Ns>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

std::string nameOfProcess(std::int64_t pid) {
    std::string name;
    std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/comm"), name);
    return name;
}

/// "12,34", or all that wait.
std::vector<std::int64_t> processesIn(const std::string& text) {
    std::vector<std::int64_t> all;
    if (text == "all") {
        all = attachReadyProcesses();
        if (all.empty())
            throw Error(ErrorKind::Usage, "not-ready", "No program waits to be recorded.",
                        "Start one with olab trace --attach-ready; it listens once it uses CUDA.");
        return all;
    }
    for (const char *at = text.data(), *const end = at + text.size(); at < end; ++at) {
        std::int64_t pid = 0;
        const auto [rest, error] = std::from_chars(at, end, pid);
        if (error != std::errc() || pid <= 0 || (rest != end && *rest != ','))
            throw Error(
                ErrorKind::Usage, "bad-process", "'" + text + "' names no processes.",
                "Write their numbers with commas between them, or all; olab trace --list shows them.");
        all.push_back(pid);
        at = rest;
    }
    return all;
}

void sayUnheard(std::int64_t pid, TraceAnswer::State state) {
    const std::string process = "Process " + std::to_string(pid);
    if (state == TraceAnswer::State::Deaf)
        say(run::RunnerError{ErrorKind::Usage, "not-ready", process + " does not listen.",
                             "Start it with olab trace --attach-ready; it listens once it uses CUDA."});
    else
        say(run::RunnerError{ErrorKind::Usage, "no-answer",
                             process + " (" + nameOfProcess(pid) + ") does not answer.",
                             "It may be stopped (kill -CONT " + std::to_string(pid) +
                                 "), held by a debugger, or busy with an order that it got before."});
}

bool isHeard(const TraceAnswer& answer) {
    return answer.state == TraceAnswer::State::Done || answer.state == TraceAnswer::State::Refused;
}

int list() {
    const std::vector<std::int64_t> pids = attachReadyProcesses();
    const std::vector<TraceAnswer> answers = tellTraced(pids, {}, kPatienceToBeTold);
    Printed text;
    for (std::size_t i = 0; i < pids.size(); ++i)
        if (isHeard(answers[i]))
            text << pids[i] << "  " << nameOfProcess(pids[i])
                 << (answers[i].text.empty() ? "" : "  " + answers[i].text) << "\n";
    print(text);
    for (std::size_t i = 0; i < pids.size(); ++i)
        if (answers[i].state == TraceAnswer::State::Silent)
            sayUnheard(pids[i], answers[i].state);
    if (pids.empty())
        say("No program waits to be recorded.");
    return 0;
}

/// All of them, at one instant. @returns the exit code
int tellAll(const std::vector<std::int64_t>& pids, TraceOrder order) {
    if (pids.size() > 1)
        order.at = onTheWall() + kUntilAllKnow;
    int code = 0;
    Printed files;
    std::vector<std::filesystem::path> recorded;
    const std::vector<TraceAnswer> answers = tellTraced(pids, order, kPatience);
    for (std::size_t i = 0; i < pids.size(); ++i) {
        const std::int64_t pid = pids[i];
        const TraceAnswer& answer = answers[i];
        if (!isHeard(answer))
            sayUnheard(pid, answer.state), code = static_cast<int>(ErrorKind::Usage);
        else if (answer.state == TraceAnswer::State::Refused)
            say(Printed() << "process " << pid << ": " << answer.text), code = 3;
        else if (!answer.text.empty())
            files << answer.text << "\n", recorded.emplace_back(answer.text);
        else
            say(Printed() << "process " << pid << " was not being recorded.");
    }
    if (order.duration > 0 && code == 0) {
        const Ns left = (order.at > 0 ? order.at - onTheWall() : 0) + order.duration;
        std::this_thread::sleep_for(std::chrono::nanoseconds(std::max<Ns>(left, 0)));
    }
    print(files);
    if (order.duration > 0 && recorded.size() > 1)
        tellMore(recorded);
    return code;
}

} // namespace

std::optional<int> runTraceOrders(const Arguments& arguments) {
    const bool on = arguments.has("--on"), off = arguments.has("--off");
    const int asked = (on ? 1 : 0) + (off ? 1 : 0) + (arguments.has("--list") ? 1 : 0);
    if (asked == 0 && !arguments.has("--for"))
        return std::nullopt;
    if (asked != 1 || !arguments.positional().empty() || (arguments.has("--for") && !on))
        throw Error(ErrorKind::Usage, "bad-usage", "--on, --off and --list are about programs that run.",
                    "Write one of them, without a program: olab trace --on 1234 --for 5s.");
    if (arguments.has("--list"))
        return list();
    TraceOrder order;
    order.kind = on ? TraceOrder::Kind::On : TraceOrder::Kind::Off;
    if (arguments.has("--for"))
        order.duration = timeFromText(arguments.value("--for"));
    return tellAll(processesIn(arguments.value(on ? "--on" : "--off")), order);
}

} // namespace olab::cli
