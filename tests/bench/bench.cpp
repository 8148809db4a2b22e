#include "bench.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <thread>
#include <vector>

namespace olab::bench {
namespace {

double secondsOf(const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

double processorTime() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime);
}

/// What stands behind `key` in a file of "key: value" lines.
std::string valueIn(const char* file, const std::string& key) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(key))
            if (const auto at = line.find_first_not_of(" \t:", key.size()); at != std::string::npos)
                return line.substr(at);
    return "unknown";
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

} // namespace

void printMachine() {
    utsname system{};
    uname(&system);
    std::printf("machine   %s, %u cores, %s memory\n", valueIn("/proc/cpuinfo", "model name").c_str(),
                std::thread::hardware_concurrency(), valueIn("/proc/meminfo", "MemTotal").c_str());
    std::printf("system    %s %s %s\n", system.sysname, system.release, system.machine);
    std::printf("compiler  %s\n", OLAB_COMPILER);
    double load[1] = {0};
    if (getloadavg(load, 1) == 1)
        std::printf("load      %.1f before the start\n", load[0]);
}

void printHeading() {
    std::printf("\n%-34s %11s %10s %19s %10s %13s\n", "", "count", "median ms", "range ms", "cpu ms",
                "million/s");
}

void measure(const std::string& what, std::size_t count, int rounds, const std::function<void()>& work,
             const std::function<void()>& prepare) {
    std::vector<double> wall, processor;
    for (int i = 0; i < rounds; ++i) {
        if (prepare)
            prepare();
        const double before = processorTime();
        const auto start = std::chrono::steady_clock::now();
        work();
        wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        processor.push_back(processorTime() - before);
    }
    const auto [least, most] = std::ranges::minmax(wall);
    std::printf("%-34s %11zu %10.2f %9.2f-%9.2f %10.2f %13.2f\n", what.c_str(), count, median(wall) * 1e3,
                least * 1e3, most * 1e3, median(processor) * 1e3,
                static_cast<double>(count) / median(wall) * 1e-6);
    std::fflush(stdout);
}

std::size_t availableMemory() {
    return std::strtoull(valueIn("/proc/meminfo", "MemAvailable").c_str(), nullptr, 10) * 1024;
}

} // namespace olab::bench
