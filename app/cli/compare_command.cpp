#include "command.h"
#include "console.h"
#include "text_report.h"
#include "window_program.h"

#include <olab/assertion/comparison_assertion.h>
#include <olab/intervention/intervention.h>
#include <olab/io/comparison_report.h>

namespace olab::cli {
namespace {

constexpr OptionSpec kCompareOptions[] = {
    {"--json", "", "", "print the comparison as JSON"},
    {"--assert", "", "EXPR", "fail with exit code 1 unless it holds; may be given often"},
    {"--output", "-o", "PICTURE",
     "write a picture of both, one above the other, with what differs in words: .png, .svg, .pdf or .html"},
    {"--width", "", "N",
     "how wide that picture is, in pixels: 640 to 8192; 1280 if not given, 1920 with 16:9"},
    {"--format", "", "tall|16:9", "as high as it takes, or a slide; tall if not given"},
    {"--theme", "", "light|dark", "its colours; light if not given"},
    {"--projector", "", "", "its type of 18 pt or more, thick lines, high contrast"},
};

constexpr std::string_view kCompareText =
    "A and B are recordings or traces of any readable kind. EXPR is slower<=5%, which holds unless B takes "
    "longer\n"
    "than that and the difference is beyond the spread of the runs (no run of B as short as the longest of "
    "A), or\n"
    "any assertion of 'olab run' about B, where @A means the same of A: overlap(h2d,kernel)>=@A. Record with "
    "--set\n"
    "repeat=5, so that there is a spread. A limit of 1 or more needs its %: 5 would be 500 %.\n"
    "\n"
    "No assertion holds, and the reason is printed, where records of A or B were lost, where one of them has "
    "no\n"
    "device work, or where they did different work: other counts or bytes of copies and memsets, other "
    "kernels by\n"
    "name, another kernel.us or callback.us. How the work is dealt out to streams makes no difference.";

recording::RecordingPtr opened(const std::string& file, const RunControl& control) {
    return recording::openRecording(file, control);
}

Printed differences(const comparison::Comparison& comparison) {
    Printed text;
    for (const comparison::OptionDifference& option : comparison.options)
        text << "  " << option.key << ": " << option.before << " -> " << option.after << "\n";
    return text;
}

Printed verdictText(const analysis::Verdict* verdict) {
    return verdict ? Printed(analysis::verdictName(verdict->kind)) : Printed(Literal("-"));
}

Printed verdicts(const comparison::Comparison& comparison) {
    Printed text;
    for (const auto& [was, is] : comparison.verdicts) {
        const analysis::Verdict& any = was ? *was : *is;
        text << "  " << classLabel(any.a) << " | " << classLabel(any.b) << ": " << verdictText(was) << " -> "
             << verdictText(is) << "\n";
    }
    return text;
}

Printed comparisonText(const comparison::Comparison& comparison) {
    Printed text = comparison.headline;
    text << "\n";
    if (!comparison.obstacle.empty())
        text << "NOT COMPARABLE. " << comparison.obstacle << "\n";
    else if (!comparison.unjudged.empty())
        text << "INCONCLUSIVE. " << comparison.unjudged << "\n";
    if (!comparison.spread.empty())
        text << comparison.spread << "\n";
    if (const Printed changed = differences(comparison); !changed.empty())
        text << "\nchanged\n" << changed;
    return text << "\nverdicts\n" << verdicts(comparison);
}

int judge(const Arguments& arguments, const comparison::Comparison& comparison,
          const recording::Recording& before, const recording::Recording& after) {
    const io::ReportDocument was = documentOf(before, before.file), is = documentOf(after, after.file);
    bool allHold = true;
    for (const std::string& expression : arguments.values("--assert")) {
        const assertion::AssertionResult result =
            assertion::checkComparison(comparison, {before.report, was, before.facts.get()},
                                       {after.report, is, after.facts.get()}, expression);
        say(result.text);
        allHold = allHold && result.passed;
    }
    return allHold ? 0 : 1;
}

/// First of all: a name that says no kind of picture is said before long files are read.
int drawPicture(const Arguments& arguments) {
    std::vector<std::string> words{"--picture=" + arguments.value("--output"),
                                   "--against=" + arguments.positional()[1]};
    for (const char* const name : {"--width", "--format", "--theme"})
        if (arguments.has(name))
            words.push_back(std::string(name) + "=" + arguments.value(name));
    if (arguments.has("--projector"))
        words.push_back("--projector");
    words.insert(words.end(), {"--", arguments.positional()[0]});
    return runWindowProgram(words);
}

int runCompare(const Arguments& arguments) {
    if (arguments.has("--output"))
        if (const int failed = drawPicture(arguments); failed != 0)
            return failed;
    recording::RecordingPtr before, after;
    {
        const Console console;
        before = opened(arguments.positional()[0], console.control());
        after = opened(arguments.positional()[1], console.control());
    }
    const comparison::ComparedRun a = intervention::comparedRun(*before),
                                  b = intervention::comparedRun(*after);
    const comparison::Comparison comparison = comparison::compare(a, b);
    const int judged = judge(arguments, comparison, *before, *after);
    if (arguments.has("--json"))
        printJson(io::comparisonToJson(comparison, a, b));
    else
        print(comparisonText(comparison));
    return judged;
}

} // namespace

extern const Command kCompareCommand{"compare",
                                     "A B [--json] [--assert EXPR]... [-o PICTURE]",
                                     "Holds two recordings or traces against each other.",
                                     kCompareText,
                                     kCompareOptions,
                                     2,
                                     2,
                                     runCompare};

} // namespace olab::cli
