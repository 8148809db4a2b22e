#include <olab/experiment/memory_limit.h>
#include <olab/trace/error.h>

#include <string>

namespace olab::experiment {
namespace {

std::string mib(std::uint64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

} // namespace

void refuseIfTooBig(std::uint64_t wanted, std::uint64_t free, const char* where) {
    if (wanted / 4 * 5 > free)
        throw Error(ErrorKind::Usage, "too-big",
                    "The buffers need " + mib(wanted) + " of " + where + " memory; 80 % of the " + mib(free) +
                        " free is the limit.",
                    "Smaller h2d.bytes, d2h.bytes or memset.bytes, or fewer streams.");
}

} // namespace olab::experiment
