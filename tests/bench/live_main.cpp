// Live on a machine with a device: passes of a traced child while an option is toggled every few seconds.
//   olab_bench_live OLAB [SECONDS] [TOGGLE_SECONDS] [--sim]
// Says for each set of options how many passes ran, what lay between two of them, and how much memory this
// process has.
#include "live_toggles.h"

#include <olab/recording/live_run.h>
#include <olab/run/child_backend.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace olab;
using bench::experimentOf;
using bench::residentKiB;

/// The passes between two changes.
struct Stretch {
    std::string options = "default";
    std::vector<Ns> between, spans;
    std::size_t passesUntilSeen = 0;
    void tell() const {
        if (spans.empty())
            return;
        std::vector<Ns> sorted(between), lengths(spans);
        std::ranges::sort(sorted);
        std::ranges::sort(lengths);
        const auto at = [](const std::vector<Ns>& values, double share) {
            return values.empty() ? 0.0
                                  : static_cast<double>(values[static_cast<std::size_t>(
                                        share * static_cast<double>(values.size() - 1))]) /
                                        1e6;
        };
        std::printf("%-48s %4zu passes of %6.2f ms, between: first %7.2f, median %6.2f, p90 %6.2f ms, "
                    "seen in pass %zu, %ld MiB\n",
                    options.c_str(), spans.size(), at(lengths, 0.5),
                    between.empty() ? 0.0 : static_cast<double>(between.front()) / 1e6, at(sorted, 0.5),
                    at(sorted, 0.9), passesUntilSeen, residentKiB() / 1024);
        std::fflush(stdout);
    }
};

} // namespace

int main(int argc, char** argv) {
    if (argc < 2)
        return std::fprintf(stderr, "olab_bench_live OLAB [SECONDS] [TOGGLE_SECONDS] [--sim]\n"), 2;
    const double seconds = argc > 2 ? std::atof(argv[2]) : 20, each = argc > 3 ? std::atof(argv[3]) : 2;
    run::ChildConfig config;
    config.program = argv[1];
    if (argc > 4 && std::strcmp(argv[4], "--sim") == 0)
        config.extraArguments = {"--sim"};
    run::ChildBackend backend(config);
    recording::LiveWish wish{experimentOf(0)};
    std::stop_source stop;
    RunControl control;
    control.stop = stop.get_token();
    Stretch stretch;
    std::size_t sinceWish = 0;
    recording::LiveHooks hooks;
    std::atomic<bool> wished = false;
    hooks.passed = [&](const recording::LivePass& pass) {
        if (wished.exchange(false))
            sinceWish = 0;
        ++sinceWish;
        if (!pass.changed.empty()) {
            stretch.tell();
            stretch = {};
            stretch.options.clear();
            for (const comparison::OptionDifference& change : pass.changed)
                stretch.options += std::string(change.key) + "=" + change.after + " ";
            stretch.passesUntilSeen = sinceWish;
        }
        if (pass.between > 0)
            stretch.between.push_back(pass.between);
        stretch.spans.push_back(pass.recording->trace.deviceSpan().length());
    };
    hooks.refused = [](const experiment::HeldExperiment&, const std::string& why) {
        std::printf("refused: %s\n", why.c_str());
    };
    std::jthread toggler([&] {
        const auto begin = std::chrono::steady_clock::now();
        for (std::size_t n = 1; !stop.stop_requested(); ++n) {
            std::this_thread::sleep_for(std::chrono::duration<double>(each));
            if (std::chrono::steady_clock::now() - begin > std::chrono::duration<double>(seconds))
                stop.request_stop();
            wish.set(experimentOf(n));
            wished = true;
        }
    });
    try {
        recording::runLive(wish, backend, control, hooks);
    } catch (const Error& error) {
        stretch.tell();
        if (error.kind() != ErrorKind::Cancelled)
            return std::fprintf(stderr, "%s\n", error.what()), 4;
    }
    return 0;
}
