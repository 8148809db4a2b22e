// olab_bench --write FILE KIND COUNT, --open FILE: one recording of what is benched, and one opening of it.
// olab_bench [largest count [smallest count]]: trace building, file, lanes, analysis, open to picture and
// simulator at 10^4 activities and up, and the account of lost time of 10^5 and 10^6. olab_bench --ledger:
// the last alone. olab_bench --kineto FILE COUNT: writes a Kineto trace of so many device operations and
// times what reading it takes; where the file is there, it is not written again.
#include "bench.h"
#include "kineto_bench.h"
#include "kineto_file.h"
#include "lanes_recording.h"
#include "ledger_rows.h"
#include "open_picture.h"
#include "other_readers.h"
#include "recordings.h"
#include "wide_recording.h"

#include <olab/analysis/analyze.h>
#include <olab/experiment/experiment.h>
#include <olab/experiment/plan.h>
#include <olab/experiment/schedule.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/container.h>
#include <olab/trace/lanes.h>
#include <olab/trace/trace_builder.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <unistd.h>

namespace {

using namespace olab;
using namespace olab::bench;

constexpr std::size_t kDefaultLargest = 10'000'000;
constexpr std::size_t kBytesEach = 400; // that the largest step holds per activity

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
}

struct Kind {
    const char* name;
    void (*give)(RecordSink&, std::size_t);
};
constexpr std::array kKinds{
    Kind{"one device, eight streams", [](RecordSink& sink, std::size_t n) { giveRecording(sink, n, false); }},
    Kind{"two devices, 16 lanes", giveSixteenLanes},
    Kind{"8 devices, 10000 streams, calls",
         [](RecordSink& sink, std::size_t n) { giveWideRecording(sink, n); }},
};

void writeKind(const std::filesystem::path& path, const Kind& kind, std::size_t count) {
    ContainerWriter file(path);
    RecordWriter writer(file);
    kind.give(writer, count);
    writer.flush();
    file.finish();
}

int writeOne(const std::filesystem::path& path, std::size_t kind, std::size_t count) {
    writeKind(path, kKinds.at(kind), count);
    return 0;
}

void benchOpens(const std::filesystem::path& program, std::size_t count, int rounds) {
    printOpenHeading();
    for (const Kind& kind : kKinds) {
        writeKind(filePath(), kind, count);
        benchOpen(kind.name, count, program, filePath(), rounds);
    }
    std::filesystem::remove(filePath());
}

/// The analysis of each kind of recording, made straight from its records: all but the account.
void benchAnalysis(std::size_t count, int rounds) {
    for (const Kind& kind : kKinds) {
        TraceBuilder builder;
        kind.give(builder, count);
        const Trace trace = builder.finish();
        std::optional<LaneSet> lanes;
        std::optional<analysis::Report> report;
        const std::string of = std::string(": ") + kind.name;
        measure(
            "lanes" + of, count, rounds, [&] { lanes = LaneSet::of(trace); }, [&] { lanes.reset(); });
        measure("overlap of all pairs" + of, count, rounds, [&] {
            analysis::measuredNumbers({trace, *lanes});
        });
        measure(
            "analysis with all rules and waits" + of, count, rounds,
            [&] {
                report = analysis::analyze({trace, *lanes});
            },
            [&] { report.reset(); });
    }
}

void benchSimulator(int iterations, int rounds) {
    experiment::Experiment experiment;
    experiment.streams = 8;
    experiment.iterations = iterations;
    experiment.warmup = 0;
    experiment.h2dBytes = experiment.d2hBytes = experiment.memsetBytes = 4096;
    experiment.kernelUs = 10;
    const experiment::Plan schedule = experiment::plan(experiment);
    measure("simulator (operations)", schedule.ops.size(), rounds, [&] {
        TraceBuilder builder;
        sim::SimBackend().run(schedule, {}, builder, {});
        builder.finish();
    });
}

void benchLedgers() {
    printHeading();
    for (const std::size_t count : {100'000u, 1'000'000u})
        benchLedger(count, 3);
}

} // namespace

int main(int argc, char** argv) {
    try {
        if (argc == 2 && std::string_view(argv[1]) == "--ledger") {
            printMachine();
            benchLedgers();
            return 0;
        }
        if (argc == 4 && std::string_view(argv[1]) == "--kineto") {
            printMachine();
            if (!std::filesystem::exists(argv[2]))
                writeKinetoFile(argv[2], std::strtoull(argv[3], nullptr, 10));
            printHeading();
            benchKinetoFile(argv[2], std::strtoull(argv[3], nullptr, 10));
            benchOtherReaders(argv[2], std::strtoull(argv[3], nullptr, 10));
            return 0;
        }
        if (argc == 3 && std::string_view(argv[1]) == "--open")
            return openOnce(argv[2]);
        if (argc == 5 && std::string_view(argv[1]) == "--write")
            return writeOne(argv[2], std::strtoull(argv[3], nullptr, 10),
                            std::strtoull(argv[4], nullptr, 10));
        const std::size_t largest = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : kDefaultLargest;
        const std::size_t smallest = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 10'000;
        printMachine();
        for (std::size_t count = smallest; count <= largest; count *= 10) {
            if (count * kBytesEach > availableMemory()) {
                std::printf("%zu activities: not enough free memory\n", count);
                break;
            }
            const int rounds = count >= 10'000'000 ? 3 : 5;
            printHeading();
            benchTrace(count, rounds);
            benchAnalysis(count, rounds);
            benchOpens(std::filesystem::canonical("/proc/self/exe"), count, rounds);
        }
        printHeading();
        for (const int iterations : {250, 2'500, 25'000})
            benchSimulator(iterations, 3);
        benchLedgers();
    } catch (const Error& e) {
        std::fprintf(stderr, "olab_bench: %s %s\n", e.what(), e.hint().c_str());
        return e.exitCode();
    }
    return 0;
}
