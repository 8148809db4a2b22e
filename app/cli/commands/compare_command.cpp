#include "command.h"
#include "console.h"
#include "printed.h"
#include "time_slice.h"
#include "window_program.h"

#include <olab/analysis/waits.h>
#include <olab/assertion/comparison_assertion.h>
#include <olab/comparison/comparison.h>
#include <olab/intervention/intervention.h>
#include <olab/io/comparison_report.h>

namespace olab::cli {
namespace {

// A comparison for a person at a terminal.

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

std::string changeOf(Ns change) {
    return (change < 0 ? "-" : "+") + analysis::timeText(change < 0 ? -change : change);
}

std::string padded(std::string text, std::size_t width) {
    return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

Printed accountLine(std::string_view what, const comparison::AccountLine& line, const std::string& change) {
    constexpr std::size_t kName = 26, kTime = 10;
    return Printed(Literal("  ")) << padded(std::string(what), kName)
                                  << padded(analysis::timeText(line.before), kTime) << " -> "
                                  << padded(analysis::timeText(line.after), kTime) << "  " << change << "\n";
}

Printed accountLine(std::string_view what, const comparison::AccountLine& line) {
    return accountLine(what, line, changeOf(line.change()));
}

/// "gone: 286 us less", "new: 286 us more", else "+286 us".
Printed causeLine(const comparison::AccountRow& row) {
    const std::string time = analysis::timeText(row.change() < 0 ? -row.change() : row.change());
    return accountLine(analysis::lossCauseTitle(row.cause), {row.before.value_or(0), row.after.value_or(0)},
                       row.isNew    ? "new: " + time + " more"
                       : row.isGone ? "gone: " + time + " less"
                                    : changeOf(row.change()));
}

/// Where the difference comes from: the lines add up to the last one.
Printed account(const comparison::AccountChange& change) {
    Printed text;
    if (!change.missing.empty())
        return text;
    text << Literal("\naccount");
    text << (change.perIteration ? Literal(", per iteration\n") : Literal("\n"));
    for (const comparison::AccountRow& row : change.rows)
        if (row.before.value_or(0) != 0 || row.after.value_or(0) != 0)
            text << causeLine(row);
    text << accountLine("ideal run", change.ideal) << accountLine("unexplained", change.unexplained);
    return text << accountLine("run time", change.measured);
}

Printed findings(const comparison::FindingChange& change) {
    Printed text;
    for (const std::string& id : change.appeared)
        text << "  " << id << ": new\n";
    for (const std::string& id : change.gone)
        text << "  " << id << ": gone\n";
    return text;
}

std::string sentenceOf(std::string words) {
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
        words[0] = static_cast<char>(words[0] - 'a' + 'A');
    return words + ".";
}

/// What may be concluded of the speed, and what not.
Printed judgement(const comparison::Comparison& comparison) {
    Printed text;
    if (!comparison.obstacle.empty())
        text << "NOT COMPARABLE. " << comparison.obstacle << "\n";
    else if (!comparison.unjudged.empty())
        text << "INCONCLUSIVE. " << comparison.unjudged << "\n";
    if (!comparison.spread.empty())
        text << comparison.spread << "\n";
    if (!comparison.speed.words.empty())
        text << sentenceOf(comparison.speed.words) << "\n";
    if (comparison.account.perIteration && !comparison.iteration.words.empty())
        text << "Per iteration: " << comparison.iteration.words << ".\n";
    if (!comparison.caution.empty())
        text << comparison.caution << "\n";
    return text;
}

Printed comparisonText(const comparison::Comparison& comparison) {
    Printed text = comparison.headline;
    text << "\n" << judgement(comparison);
    if (const Printed changed = differences(comparison); !changed.empty())
        text << "\nchanged\n" << changed;
    text << account(comparison.account);
    if (const Printed found = findings(comparison.findings); !found.empty())
        text << "\nfindings\n" << found;
    return text << "\nverdicts\n" << verdicts(comparison);
}

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
