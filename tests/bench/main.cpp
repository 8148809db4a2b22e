// olab_bench [largest count]: trace building, file, lanes, analysis and simulator at 10^4 activities and up.
#include "bench.h"
#include "recordings.h"

#include <olab/analysis/analyze.h>
#include <olab/experiment/schedule.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/container.h>
#include <olab/trace/trace_builder.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <unistd.h>

namespace {

using namespace olab;
using namespace olab::bench;

constexpr std::size_t kDefaultLargest = 10'000'000;
constexpr std::size_t kBytesEach = 180; // that the largest step holds per activity

std::filesystem::path filePath() {
    return std::filesystem::temp_directory_path() / ("olab_bench." + std::to_string(getpid()) + ".olab");
}

void write(std::size_t count, bool shuffled) {
    ContainerWriter file(filePath());
    RecordWriter writer(file);
    giveRecording(writer, count, shuffled);
    writer.flush();
    file.finish();
}

Trace read() {
    TraceBuilder builder;
    std::vector<RefusedRecord> damage;
    readContainer(
        filePath(), [&builder](Chunk&& chunk) { readRecords(chunk.payload, builder); }, damage);
    return builder.finish();
}

void benchTrace(std::size_t count, int rounds) {
    std::optional<Trace> trace;
    std::optional<LaneSet> lanes;
    std::optional<Report> report;
    for (const bool shuffled : {false, true}) {
        const std::string order = shuffled ? ", shuffled" : ", by time";
        std::optional<TraceBuilder> builder;
        const auto fill = [&] { giveRecording(builder.emplace(), count, shuffled); };
        const auto clear = [&] { builder.reset(), trace.reset(); };
        measure("builder: add" + order, count, rounds, fill, clear);
        measure(
            "builder: finish" + order, count, rounds, [&] { trace = builder->finish(); },
            [&] { clear(), fill(); });
        clear();
        measure("file: write" + order, count, rounds, [&] { write(count, shuffled); });
        measure(
            "file: read to a trace" + order, count, rounds, [&] { trace = read(); }, [&] { trace.reset(); });
    }
    std::filesystem::remove(filePath());
    measure(
        "lanes", count, rounds, [&] { lanes = LaneSet::of(*trace); }, [&] { lanes.reset(); });
    measure(
        "analysis", count, rounds,
        [&] {
            report = analyze({*trace, *lanes});
        },
        [&] { report.reset(); });
}

void benchSimulator(int iterations, int rounds) {
    Experiment experiment;
    experiment.streams = 8;
    experiment.iterations = iterations;
    experiment.warmup = 0;
    experiment.h2dBytes = experiment.d2hBytes = experiment.memsetBytes = 4096;
    experiment.kernelUs = 10;
    const Schedule schedule = plan(experiment);
    measure("simulator (operations)", schedule.ops.size(), rounds, [&] {
        TraceBuilder builder;
        SimBackend().run(schedule, {}, builder, {});
        builder.finish();
    });
}

} // namespace

int main(int argc, char** argv) {
    const std::size_t largest = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : kDefaultLargest;
    try {
        printMachine();
        printHeading();
        for (std::size_t count = 10'000; count <= largest; count *= 10) {
            if (count * kBytesEach > availableMemory()) {
                std::printf("%zu activities: not enough free memory\n", count);
                break;
            }
            benchTrace(count, count >= 10'000'000 ? 3 : 5);
        }
        for (const int iterations : {250, 2'500, 25'000})
            benchSimulator(iterations, 3);
    } catch (const Error& e) {
        std::fprintf(stderr, "olab_bench: %s %s\n", e.what(), e.hint().c_str());
        return e.exitCode();
    }
    return 0;
}
