#include "loaded.h"

#include "bench.h"
#include "lanes_recording.h"

#include <olab/trace/lanes.h>
#include <olab/trace/trace_builder.h>

#include <cstdio>

namespace olab::bench {
namespace {

double perActivity(const Loaded& loaded, std::size_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(loaded.trace.size());
}

/// Each part alone, then the whole, which makes the parts side by side.
void benchIndex(Loaded& loaded, int rounds) {
    const std::size_t count = loaded.trace.size(), devices = loaded.trace.devices().size();
    std::vector<view::Strip> strips;
    measure(
        "level of detail", count, rounds, [&] { strips = view::stripsOf(loaded.trace, loaded.lanes); },
        [&] { strips.clear(); });
    std::size_t drawn = 0;
    for (const view::Strip& strip : strips)
        drawn += strip.activities.size();
    strips.clear();
    loaded.overlaps.resize(devices);
    measure("overlap index", count, rounds, [&] {
        for (std::size_t device = 0; device < devices; ++device)
            loaded.overlaps[device] = OverlapIndex(loaded.lanes, static_cast<std::uint8_t>(device));
    });
    measure(
        "all of the index", count, rounds, [&] { loaded.index.emplace(loaded.trace, loaded.lanes); },
        [&] { loaded.index.reset(); });
    std::size_t overlapBytes = 0;
    for (std::size_t device = 0; device < devices; ++device)
        overlapBytes += loaded.overlaps[device].memoryBytes();
    std::printf(
        "level of detail: %.2f bytes for each activity, which is in %.2f lanes; overlap index: %.2f\n",
        perActivity(loaded, loaded.index->memoryBytes()), perActivity(loaded, drawn),
        perActivity(loaded, overlapBytes));
}

} // namespace

void load(Loaded& loaded, std::size_t count) {
    {
        TraceBuilder builder;
        giveSixteenLanes(builder, count);
        loaded.trace = builder.finish();
    }
    printHeading();
    const int rounds = count > 10'000'000 ? 2 : 5;
    measure(
        "lanes", count, rounds, [&] { loaded.lanes = LaneSet::of(loaded.trace); },
        [&] { loaded.lanes = {}; });
    benchIndex(loaded, rounds);
}

} // namespace olab::bench
