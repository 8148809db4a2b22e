// Any bytes as a recording: read, written and read again as the same, analysed, and its report and
// assertions made.
#include "fuzz.h"

#include <olab/assertion/assertion.h>
#include <olab/comparison/same_work.h>
#include <olab/experiment/held_experiment.h>
#include <olab/io/report_document.h>

#include <nlohmann/json.hpp>

using namespace olab;
using fuzz::require;

namespace {

void comesBack(const io::RecordingData& data) {
    static const std::filesystem::path path = fuzz::scratchFile("recording.olab");
    io::writeRecording(path, data.trace, data.experiment ? &*data.experiment : nullptr, data.toolEffect, {},
                       {}, data.bookmarks, data.label, data.runs, data.times, data.interventions);
    const io::RecordingData again = io::readRecording(path);
    require(again.trace == data.trace);
    require(!data.experiment == !again.experiment);
    require(!data.experiment || experiment::sameOptions(*again.experiment, *data.experiment));
    require(again.toolEffect.has_value() == data.toolEffect.has_value());
    require(again.bookmarks == data.bookmarks && !again.bookmarksPartly);
    require(again.label == data.label && !again.labelPartly);
    require(again.interventions.proofs.size() == data.interventions.proofs.size());
    require(again.interventions.controls.has_value() == data.interventions.controls.has_value());
}

bool holds(const recording::Recording& r, const io::ReportDocument& document, std::string_view expression) {
    return assertion::checkAssertion({r.report, document}, expression).passed;
}

void judge(const recording::Recording& r) {
    const experiment::Experiment* experiment = r.experiment ? &*r.experiment : nullptr;
    const io::ReportDocument document(r.report,
                                      {r.trace, experiment, r.live, "x.olab", r.bookmarks, r.label});
    require(nlohmann::json::accept(document.text()));
    require(holds(r, document, "/counts/read>=0") == comparison::lossReason(r.report).empty());
    require(!holds(r, document, "/bounds/efficiency<0"));
    require(!holds(r, document, "overlap(h2d,kernel)<0") && !holds(r, document, "overlap(h2d,kernel)>1"));
    require(!(holds(r, document, "blocked(memset,kernel)<=1us") &&
              holds(r, document, "blocked(memset,kernel)>1us")));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const fuzz::MemoryFile file(fuzz::bytesOf(data, size));
    io::RecordingData read;
    if (!fuzz::accepted([&] { read = io::readRecording(file.path()); }))
        return 0;
    comesBack(read);
    judge(*recording::makeRecording(std::move(read), "fuzz", false));
    return 0;
}
