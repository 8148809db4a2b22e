#include "probes.h"

#include "probe_tools.h"

namespace olab::cuda::probes {
namespace {

struct Row {
    std::string_view name;
    void (*probe)(Numbers&);
};
constexpr Row kTable[] = {
    {"calls", probeCalls},
    {"copies", probeCopies},
    {"events", probeEvents},
    {"race", probeRace},
    {"order", probeOrder},
    {"literal", probeLiteral},
    {"scope", probeScope},
    {"pointers", probePointers},
    {"callbacks", probeCallbacks},
    {"queue-depth", probeQueueDepth},
    {"host-memory", probeHostMemory},
    {"pool", probePool},
    {"errors", probeErrors},
    {"two-gpus", probeTwoGpus},
    {"update", probeUpdate},
    {"constant", probeConstant},
    {"device-copy", probeDeviceCopy},
};

} // namespace

void run(const std::string& name, RecordSink& out, const RunControl& control) {
    for (const Row& row : kTable)
        if (row.name == name) {
            warmUp();
            Numbers numbers(out, control);
            numbers.step(0, "probing " + name);
            return row.probe(numbers);
        }
    throw Error(ErrorKind::Usage, "no-probe", "There is no probe '" + name + "'.",
                "Both programs must be of the same version: reinstall Overlap Lab.");
}

} // namespace olab::cuda::probes
