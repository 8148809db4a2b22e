#include "live_toggles.h"

#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace olab::bench {
namespace {

/// From the default on, one after the other.
const std::vector<std::vector<std::string_view>> kToggles{
    {},
    {"h2d.memory=pageable"},
    {},
    {"streams=1"},
    {"streams=8"},
    {"order=breadth"},
    {"stream.kind=blocking", "null_op=memset"},
    {"memset=off"},
    {"kernel.blocks=fill:2"},
    {"env.max_connections=1"},
};

} // namespace

experiment::HeldExperiment experimentOf(std::size_t toggle) {
    experiment::HeldExperiment experiment;
    for (const std::string_view option : kToggles[toggle % kToggles.size()])
        experiment::setOption(experiment, option);
    return experiment;
}

long residentKiB(int process) {
    std::ifstream statm("/proc/" + (process ? std::to_string(process) : "self") + "/statm");
    long pages = 0, resident = 0;
    statm >> pages >> resident;
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

} // namespace olab::bench
