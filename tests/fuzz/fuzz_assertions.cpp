// Any text as an assertion, against the report of a run, of one whose verdicts nobody can give, and of an
// empty recording: an answer or a sentence, and never two that contradict each other.
#include "made.h"

#include <olab/experiment/held_experiment.h>
#include <olab/io/assertion.h>
#include <olab/io/report_json.h>

using namespace olab;
using fuzz::require;

namespace {

struct Made {
    std::shared_ptr<const Recording> recording;
    std::string json;
};

Made made(std::shared_ptr<const Recording> recording) {
    const Recording& r = *recording;
    const Experiment* experiment = r.experiment ? &*r.experiment : nullptr;
    return {recording, reportToJson(r.report, {r.trace, experiment, false, "", r.bookmarks, r.label})};
}

Made untraced() {
    return made(makeRecording({TraceBuilder().finish(), shareExperiment(HeldExperiment{}), std::nullopt},
                              "untraced", false));
}

const std::vector<Made>& reports() {
    static const std::vector<Made> all{made(fuzz::simulated()), made(fuzz::damaged()), untraced()};
    return all;
}

/// "a >= 1" as "a < 1"; empty where there is no such pair of signs.
std::string opposite(std::string_view expression) {
    constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
        {">=", "<"}, {"<=", ">"}, {">", "<="}, {"<", ">="}, {"==", "!="}, {"!=", "=="}};
    const auto last = expression.find_last_of("<>=");
    if (last == expression.npos)
        return {};
    const auto before = last > 0 ? std::string_view("<>=!").find(expression[last - 1]) : expression.npos;
    const std::size_t first = expression[last] == '=' && before != expression.npos ? last - 1 : last;
    for (const auto& [sign, other] : kSigns)
        if (expression.substr(first, last - first + 1) == sign)
            return std::string(expression.substr(0, first)) + std::string(other) +
                   std::string(expression.substr(last + 1));
    return {};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    const std::string other = opposite(text);
    for (const Made& m : reports()) {
        const Judged j{m.recording->report, m.json, m.recording->facts.get()};
        const JudgedByName others = [&](std::string_view) { return &j; };
        AssertionResult said;
        if (!fuzz::accepted([&] { said = checkAssertion(j, text, others); }))
            continue;
        require(said.passed == (said.text.find(": holds, ") != said.text.npos &&
                                said.text.find(": cannot be judged, ") == said.text.npos) ||
                text.find(": ") != text.npos);
        if (said.passed && !other.empty())
            require(!checkAssertion(j, other, others).passed);
    }
    return 0;
}
