// Two recordings and an assertion about them, all made of the input: what is said is sound, whatever the two
// are. Nothing holds of two of which one lost records, did nothing or did other work (an iteration may be
// held against another however often both repeat it); two assertions that contradict each other never both
// hold; a recording is as fast as itself.
//
// The first two bytes say what the two are (kSides), all behind them is the assertion.
#include "made.h"
#include "opposite.h"

#include <olab/assertion/comparison_assertion.h>
#include <olab/comparison/same_work.h>
#include <olab/experiment/held_experiment.h>
#include <olab/intervention/intervention.h>
#include <olab/io/report_document.h>

using namespace olab;
using fuzz::require;

namespace {

struct Side {
    recording::RecordingPtr recording;
    io::ReportDocument document;
    explicit Side(recording::RecordingPtr made)
        : recording(std::move(made))
        , document(recording->report, {recording->trace, recording->experiment.get(), false, ""}) {}
    assertion::Judged judged() const { return {recording->report, document, recording->facts.get()}; }
    /// Whole, and it did something.
    bool isSound() const {
        return comparison::lossReason(recording->report).empty() && recording->facts->deviceWork().size() > 0;
    }
};

recording::RecordingPtr nothing() {
    return recording::makeRecording({TraceBuilder().finish(), nullptr, std::nullopt}, "nothing", false);
}

const Side& sideOf(char letter) {
    static const Side kSides[] = {Side(fuzz::simulated()), Side(fuzz::simulated({"h2d.memory=pageable"})),
                                  Side(fuzz::simulated({"iterations=3"})), Side(fuzz::damaged()),
                                  Side(nothing())};
    return kSides[static_cast<unsigned char>(letter) % std::size(kSides)];
}

/// Whether it holds; nothing where it cannot be read.
std::optional<assertion::AssertionResult> said(const Side& before, const Side& after,
                                               std::string_view expression) {
    const comparison::Comparison comparison = comparison::compare(
        intervention::comparedRun(*before.recording), intervention::comparedRun(*after.recording));
    assertion::AssertionResult result;
    const bool isRead = fuzz::accepted([&] {
        result = assertion::checkComparison(comparison, before.judged(), after.judged(), expression);
    });
    return isRead ? std::optional(result) : std::nullopt;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    if (size < 3)
        return 0;
    const Side &before = sideOf(text[0]), &after = sideOf(text[1]);
    const std::string_view expression = text.substr(2);
    const std::optional<assertion::AssertionResult> result = said(before, after, expression);
    if (!result)
        return 0;
    const bool isSame = comparison::otherWorkReason(intervention::comparedRun(*before.recording),
                                                    intervention::comparedRun(*after.recording))
                            .empty();
    const bool isOfIterations = expression.find("slower_per_iteration") != expression.npos;
    require(!result->passed ||
            (result->judged && (isSame || isOfIterations) && before.isSound() && after.isSound()));
    if (const std::string other = fuzz::opposite(expression); result->passed && !other.empty())
        if (const auto contrary = said(before, after, other))
            require(!contrary->passed);
    if (before.isSound())
        require(said(before, before, "slower<=0%")->passed && !said(before, before, "slower<0%")->passed);
    return 0;
}
