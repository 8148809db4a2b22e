#include "command.h"
#include "console.h"
#include "engines.h"
#include "proofs.h"
#include "text_report.h"

#include <olab/intervention/find_fix.h>
#include <olab/io/comparison_report.h>
#include <olab/trace/output_file.h>

#include <cstdio>

namespace olab::cli {
namespace {

constexpr OptionSpec kFixOptions[] = {
    {"--set", "", "KEY=VALUE", "change one option before the search; may be given often"},
    {"--backend", "", "auto|cuda|sim", "auto (default): the GPU, or the simulator where there is none"},
    kOnOption,
    {"--pairs", "", "N", "of runs for each change that is measured (6)"},
    {"--output", "-o", "FILE.json", "write the best experiment there, for 'olab run FILE.json'"},
    {"--json", "", "", "print all that was found as JSON"},
};

constexpr std::string_view kFixText =
    "Predicts with the simulator what every change of one option would bring, then those together that are\n"
    "promising alone, measures the best few in runs interleaved with the experiment as it is, and ranks them "
    "by what "
    "was\n"
    "measured. Changes only how the same work is done: not the steps, sizes, passes or the kernel, no order "
    "that\n"
    "somebody asked for, and nothing that could race. On a GPU it predicts with the shipped model of the "
    "device, or\n"
    "with the one that --set sim.device=file:FILE names.";

std::string percentText(const std::optional<double>& relative) {
    return relative ? comparison::ratioText(1 + *relative) : "unknown";
}

Printed flags(const experiment::OptionChanges& changes) {
    Printed text;
    for (const auto& [key, value] : changes)
        text << " --set " << key << "=" << value;
    return text;
}

Printed candidateText(const comparison::FixCandidate& candidate) {
    Printed text;
    text << "  " << comparison::changesText(candidate.changes) << "\n";
    text << "      predicted " << percentText(candidate.predicted) << "\n";
    if (candidate.makespan)
        text << changeLine("makespan", candidate.makespan);
    if (!candidate.trouble.empty())
        text << "      does not count: " << candidate.trouble << "\n";
    return text;
}

Printed fixText(const comparison::Fix& fix) {
    Printed text = fix.title;
    text << (fix.simulated ? Literal("   [SIMULATED]\n") : Literal("\n"));
    text << fix.considered << " changes were predicted; " << fix.leftOut
         << " more would race, cannot be or change nothing. " << fix.basis << "\n";
    if (!fix.measured.empty())
        text << "\nmeasured (" << fix.pairs << " interleaved runs each, "
             << (fix.untraced ? Literal("untraced)\n") : Literal("traced)\n"));
    for (const comparison::FixCandidate& candidate : fix.measured)
        text << candidateText(candidate);
    if (!fix.predicted.empty())
        text << "\nnext, only predicted\n";
    for (const comparison::FixCandidate& candidate : fix.predicted)
        text << "  " << comparison::changesText(candidate.changes) << ": " << percentText(candidate.predicted)
             << "\n";
    text << "\n" << fix.text << "\n";
    if (fix.best)
        text << "   " << flags(fix.measured[*fix.best].changes) << "\n";
    return text;
}

int runFix(const Arguments& arguments) {
    const bool keeps = arguments.has("--output");
    if (keeps)
        checkWritable(arguments.value("--output")); // before minutes of work
    intervention::FixOptions options;
    options.pairs = pairsOf(arguments);
    comparison::Fix fix;
    {
        const Console console;
        const RunControl control = console.control();
        const experiment::HeldExperiment experiment = experimentOf(arguments, control);
        Engines engines(arguments, experiment, {}, control);
        options.model = engines.model(experiment);
        fix = intervention::findFix(experiment, titleOf(arguments), engines.pair(), engines.predictors(),
                                    control, options);
        engines.settle(control);
    }
    if (keeps)
        writeFile(arguments.value("--output"), fix.bestExperiment);
    if (arguments.has("--json"))
        printJson(io::fixToJson(fix));
    else
        print(fixText(fix));
    return 0;
}

} // namespace

extern const Command kFixCommand{
    "fix",
    "[PRESET or FILE.json] [--set KEY=VALUE]... [--on HOST] [-o FILE.json] [--json]",
    "Finds the options that make an experiment faster.",
    kFixText,
    kFixOptions,
    0,
    1,
    runFix};

} // namespace olab::cli
