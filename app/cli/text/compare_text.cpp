#include "compare_text.h"

#include <olab/analysis/waits.h>

namespace olab::cli {
namespace {

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

} // namespace

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

} // namespace olab::cli
