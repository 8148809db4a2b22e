// olab_bench_capture [calls]: what a record costs from CUPTI's buffer into a sink, with a CUPTI that streams
// (tests/unit/cupti). A call is two records.
#include "../unit/cupti/stream_cupti.h"
#include "bench.h"

#include <olab/cupti/collector.h>
#include <olab/trace/container.h>
#include <olab/trace/trace_builder.h>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <optional>
#include <unistd.h>

namespace {

using namespace olab;
using namespace olab::bench;

class Nothing final : public RecordSink {
public:
    TextId intern(std::string_view) override { return {1}; }
    void add(const ProcessRecord&) override {}
    void add(const StreamCallRecord&) override {}
    void add(const ClockRecord&) override {}
    void add(const RankRecord&) override {}
    void add(const DeviceRecord&) override {}
    void add(const ContextRecord&) override {}
    void add(const StreamRecord&) override {}
    void add(const ActivityRecord&) override {}
    void add(const CorrelationRecord&) override {}
    void add(const SoloRecord&) override {}
    void add(const WindowRecord&) override {}
    void add(const EnvironmentRecord&) override {}
    void add(const ProvenanceRecord&) override {}
    void add(const RefusedRecord&) override {}
};

using Produce = decltype(&fakeProduce);

void benchDrain(cupti::Collector& collector, Produce produce, std::size_t calls, bool tagged) {
    constexpr int kRounds = 7;
    const std::string kind = tagged ? ", each call an op's" : "";
    const auto fill = [&] {
        FakeWork work{1, true, false};
        for (std::size_t i = 0; i < calls; ++i) {
            if (tagged)
                collector.pushOp(OpId{static_cast<std::uint32_t>(i)});
            produce(&work);
            if (tagged)
                collector.popOp();
        }
    };
    Nothing nothing;
    measure(
        "drain: nowhere" + kind, 2 * calls, kRounds, [&] { collector.drain(nothing); }, fill);
    std::optional<TraceBuilder> builder;
    measure(
        "drain: into a builder" + kind, 2 * calls, kRounds, [&] { collector.drain(*builder); },
        [&] { builder.emplace(), fill(); });
    const auto path = std::filesystem::temp_directory_path() / ("olab_bench." + std::to_string(getpid()));
    measure(
        "drain: into a file" + kind, 2 * calls, kRounds,
        [&] {
            ContainerWriter file(path);
            RecordWriter writer(file);
            collector.drain(writer);
            writer.flush();
            file.finish();
        },
        fill);
    std::filesystem::remove(path);
}

} // namespace

int main(int argc, char** argv) {
    try {
        const std::size_t calls = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 500'000;
        ::setenv("OLAB_CUPTI", STREAM_CUPTI, 1);
        void* const library = ::dlopen(STREAM_CUPTI, RTLD_NOW | RTLD_LOCAL);
        const auto produce = reinterpret_cast<Produce>(::dlsym(library, "fakeProduce"));
        cupti::Collector collector;
        printMachine();
        printHeading();
        benchDrain(collector, produce, calls, false);
        Nothing facts;
        FakeWork work{1, true, false};
        for (std::uint32_t i = 0; i < 100; ++i) { // warm-up, in which ops are found to be told by their times
            collector.pushOp(OpId{i});
            produce(&work);
            collector.popOp();
        }
        collector.discard(facts);
        benchDrain(collector, produce, calls, true);
    } catch (const Error& e) {
        std::fprintf(stderr, "olab_bench_capture: %s %s\n", e.what(), e.hint().c_str());
        return e.exitCode();
    }
    return 0;
}
