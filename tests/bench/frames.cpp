#include "frames.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

namespace olab::bench {

std::vector<double> timeEach(std::size_t calls, const std::function<void(std::size_t)>& call, int rounds) {
    std::vector<double> times(calls, std::numeric_limits<double>::infinity());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < calls; ++i) {
            const auto start = std::chrono::steady_clock::now();
            call(i);
            const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
            times[i] = std::min(times[i], took.count());
        }
    return times;
}

void printFrameHeading() {
    std::printf("\n%-34s %11s %8s %9s %9s %9s %9s\n", "", "activities", "frames", "least ms", "p50 ms",
                "p99 ms", "most ms");
}

void printFrames(const std::string& what, std::size_t activities, std::vector<double> milliseconds) {
    std::ranges::sort(milliseconds);
    const auto at = [&](double share) {
        return milliseconds[static_cast<std::size_t>(share * static_cast<double>(milliseconds.size() - 1))];
    };
    std::printf("%-34s %11zu %8zu %9.3f %9.3f %9.3f %9.3f\n", what.c_str(), activities, milliseconds.size(),
                at(0), at(0.5), at(0.99), at(1));
    std::fflush(stdout);
}

} // namespace olab::bench
