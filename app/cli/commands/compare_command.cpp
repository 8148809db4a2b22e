#include "command.h"
#include "compare_text.h"
#include "console.h"
#include "opened_recording.h"
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
    "A and B are recordings or traces of any readable kind; several of each stand on both sides of --:\n"
    "  olab compare before*.olab -- after*.olab\n"
    "Five of each, or recordings with --set repeat=5, are the fewest that tell a difference from chance; ten "
    "find a\n"
    "slowdown of 3 % at 1 % of noise. Record A and B alternately: what drifts meanwhile is a difference "
    "else.\n"
    "\n"
    "EXPR is slower<=5%: it holds where all of the interval of the slowdown is at or below the limit, fails "
    "where all\n"
    "of it is above, and is inconclusive between (exit code 1), with about how many more runs would tell. "
    "Of programs\n"
    "that repeat an iteration slower_per_iteration<=5% is the same of one, however often each repeats it. Or "
    "EXPR is any\n"
    "assertion of 'olab run' about B, of several the typical one, where @A means the same of A: "
    "overlap(h2d,kernel)>=@A.\n"
    "A limit of 1 or more needs its %: 5 would be 500 %.\n"
    "\n"
    "No assertion holds, and the reason is printed, where records of A or B were lost, where one of them has "
    "no\n"
    "device work, or where they did different work: other counts or bytes of copies and memsets, other "
    "kernels by\n"
    "name, grid or block, another kernel.us or callback.us. How the work is dealt out to streams makes no\n"
    "difference. A recording counts once, whatever its copies are called.";

/// The recordings of one side, and what is compared of them.
struct Side {
    std::vector<recording::RecordingPtr> recordings;
    std::vector<comparison::ComparedRun> runs;
    void read(std::span<const std::string> files, const RunControl& control) {
        for (const std::string& file : files)
            recordings.push_back(openJudged(file, control));
        for (const recording::RecordingPtr& recording : recordings)
            runs.push_back(intervention::comparedRun(*recording));
    }
};

struct SideFiles {
    std::span<const std::string> before, after;
};

SideFiles sidesIn(const Arguments& arguments) {
    const std::span<const std::string> files = arguments.positional();
    const std::size_t atDashes = arguments.beforeDashes();
    if (atDashes > 0 && atDashes < files.size())
        return {files.first(atDashes), files.subspan(atDashes)};
    if (files.size() != 2)
        throw Error(ErrorKind::Usage, "bad-usage",
                    "Nothing says which of these " + std::to_string(files.size()) + " files belong together.",
                    "Write -- between the two sides: olab compare A1 A2 A3 -- B1 B2 B3.");
    return {files.first(1), files.subspan(1)};
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

int drawPicture(const Arguments& arguments, const std::string& before, const std::string& after) {
    std::vector<std::string> words{"--picture=" + arguments.value("--output"), "--against=" + after};
    for (const char* const name : {"--width", "--format", "--theme"})
        if (arguments.has(name))
            words.push_back(std::string(name) + "=" + arguments.value(name));
    if (arguments.has("--projector"))
        words.push_back("--projector");
    words.insert(words.end(), {"--", before});
    return runWindowProgram(words);
}

void printComparison(const Arguments& arguments, const comparison::SidesCompared& found, const Side& before,
                     const Side& after) {
    if (arguments.has("--json"))
        printJson(io::comparisonToJson(found, before.runs, after.runs));
    else
        print(comparisonText(found.comparison));
}

int runCompare(const Arguments& arguments) {
    const SideFiles files = sidesIn(arguments);
    const bool isPair = files.before.size() == 1 && files.after.size() == 1;
    const bool isDrawn = arguments.has("--output");
    if (isDrawn && isPair) // first of all: a name that says no kind of picture is said before files are read
        if (const int failed = drawPicture(arguments, files.before[0], files.after[0]); failed != 0)
            return failed;
    Side before, after;
    {
        const Console console;
        before.read(files.before, console.control());
        after.read(files.after, console.control());
    }
    const comparison::SidesCompared found = comparison::compareSides(before.runs, after.runs);
    if (isDrawn && !isPair)
        if (const int failed = drawPicture(arguments, files.before[found.before], files.after[found.after]);
            failed != 0)
            return failed;
    const int judged =
        judge(arguments, found.comparison, *before.recordings[found.before], *after.recordings[found.after]);
    printComparison(arguments, found, before, after);
    return judged;
}

} // namespace

extern const Command kCompareCommand{
    "compare",
    "A... [--] B... [--json] [--assert EXPR]... [-o PICTURE]",
    "Holds two recordings or traces, or several of each, against each other.",
    kCompareText,
    kCompareOptions,
    2,
    2000,
    runCompare,
    false,
    true};

} // namespace olab::cli
