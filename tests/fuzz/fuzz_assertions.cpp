// Any text as an assertion, against the report of a run, of one whose verdicts nobody can give, and of an
// empty recording: an answer or a sentence, and never two that contradict each other.
#include "made.h"
#include "opposite.h"

#include <olab/assertion/assertion.h>
#include <olab/experiment/held_experiment.h>
#include <olab/io/report_document.h>

using namespace olab;
using fuzz::require;

namespace {

struct Made {
    std::shared_ptr<const recording::Recording> recording;
    io::ReportDocument document;
};

Made made(std::shared_ptr<const recording::Recording> recording) {
    const recording::Recording& r = *recording;
    const experiment::Experiment* experiment = r.experiment ? &*r.experiment : nullptr;
    return {recording, io::ReportDocument(r.report, {r.trace, experiment, false, "", r.bookmarks, r.label})};
}

Made untraced() {
    return made(recording::makeRecording(
        {TraceBuilder().finish(), experiment::shareExperiment(experiment::HeldExperiment{}), std::nullopt},
        "untraced", false));
}

const std::vector<Made>& reports() {
    static const std::vector<Made> all{made(fuzz::simulated()), made(fuzz::damaged()), untraced()};
    return all;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    const std::string other = fuzz::opposite(text);
    for (const Made& m : reports()) {
        const assertion::Judged j{m.recording->report, m.document, m.recording->facts.get()};
        const assertion::JudgedByName others = [&](std::string_view) { return &j; };
        assertion::AssertionResult said;
        if (!fuzz::accepted([&] { said = assertion::checkAssertion(j, text, others); }))
            continue;
        require(said.passed == (said.text.find(": holds, ") != said.text.npos &&
                                said.text.find(": cannot be judged, ") == said.text.npos) ||
                text.find(": ") != text.npos);
        if (said.passed && !other.empty())
            require(!assertion::checkAssertion(j, other, others).passed);
    }
    return 0;
}
