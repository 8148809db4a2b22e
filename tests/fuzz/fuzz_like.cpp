// Any bytes as a Chrome trace, made an experiment (record_work.h): what is accepted comes back from JSON as
// the same and is planned, or refused with what to do.
#include "fuzz.h"

#include <olab/experiment/experiment.h>
#include <olab/experiment/plan.h>
#include <olab/io/formats.h>
#include <olab/recorded_work/record_work.h>

#include <algorithm>
#include <limits>

using namespace olab;
using fuzz::require;

namespace {

const io::Importer kJson[] = {*std::ranges::find(io::importers(), "json", &io::Importer::id)};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const fuzz::MemoryFile file(fuzz::bytesOf(bytes, size));
    io::RecordingData read;
    if (!fuzz::accepted([&] { read = io::readRecording(file.path(), kJson, {}); }))
        return 0;
    const recording::RecordingPtr recording = recording::makeRecording(std::move(read), "fuzz", false);
    experiment::Experiment like;
    if (!fuzz::accepted([&] { like = recorded_work::experimentLike(*recording); }))
        return 0;
    require(experiment::experimentFromJson(experiment::experimentToJson(like)) == like);
    fuzz::accepted([&] { experiment::plan(like); });
    constexpr Interval kAll{std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()};
    require(recorded_work::recordedIn(*recording, kAll).recorded >= 0);
    return 0;
}
