#include "kineto_bench.h"

#include "bench.h"

#include <olab/analysis/analyze.h>
#include <olab/io/formats.h>
#include <olab/recording/recording.h>
#include <olab/trace/lanes.h>

#include <optional>
#include <vector>

namespace olab::bench {
namespace {

/// All bytes into one block, again and again: unpacked where the file is packed.
void readBytes(const std::filesystem::path& path) {
    const RunControl control;
    io::Source source(path, control, {.most = ~std::uint64_t{0}, .free = ~std::uint64_t{0}});
    std::vector<std::byte> block(std::size_t{2} << 20);
    while (source.read(block) > 0) {
    }
}

} // namespace

void benchKinetoFile(const std::filesystem::path& path, std::size_t count) {
    constexpr int kRounds = 5;
    std::optional<io::RecordingData> data;
    std::optional<LaneSet> lanes;
    std::shared_ptr<recording::Recording> recording;
    measure("bytes alone", count, kRounds, [&] { readBytes(path); });
    measure(
        "to a trace", count, kRounds, [&] { data = io::readRecording(path); }, [&] { data.reset(); });
    measure(
        "lanes", count, kRounds, [&] { lanes = LaneSet::of(data->trace); }, [&] { lanes.reset(); });
    measure("numbers", count, kRounds, [&] { analysis::measuredNumbers({data->trace, *lanes}); });
    lanes.reset();
    measure(
        "file to numbers", count, kRounds,
        [&] {
            data = io::readRecording(path);
            lanes = LaneSet::of(data->trace);
            analysis::measuredNumbers({data->trace, *lanes});
        },
        [&] { lanes.reset(), data.reset(); });
    lanes.reset(), data.reset();
    measure(
        "file to report", count, kRounds,
        [&] { recording = recording::makeRecording(io::readRecording(path), "bench", false); },
        [&] { recording.reset(); });
}

} // namespace olab::bench
