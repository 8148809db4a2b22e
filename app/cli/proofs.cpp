#include "proofs.h"

#include "command.h"
#include "text_report.h"

#include <olab/analysis/cause_table.h>
#include <olab/experiment/option_table.h>
#include <olab/intervention/prove.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace olab::cli {
namespace {

constexpr int kMostPairs = 50;

std::vector<std::string> wantedIds(const Arguments& arguments) {
    std::vector<std::string> ids;
    for (const std::string& list : arguments.values("--prove")) {
        std::istringstream words(list);
        for (std::string id; std::getline(words, id, ',');)
            if (!id.empty())
                ids.push_back(id);
    }
    return ids;
}

void refuseUnknown(const std::string& id) {
    const std::vector<std::string_view> known = analysis::findingIds();
    if (std::ranges::find(known, id) != known.end())
        return;
    const std::string nearest(experiment::nearestOf(known, id));
    throw Error(ErrorKind::Usage, "bad-rule", "There is no finding '" + id + "'.",
                nearest.empty() ? "resources/doc/cli.md lists the ids of findings."
                                : "The nearest is '" + nearest + "'.");
}

void sayWhatIsNotThere(const analysis::Report& report, const std::vector<std::string>& ids,
                       const std::vector<intervention::Claim>& claims) {
    for (const std::string& id : ids) {
        const bool isFound =
            std::ranges::find(report.findings, id, &analysis::Finding::id) != report.findings.end();
        if (std::ranges::find(claims, id, &intervention::Claim::finding) == claims.end())
            say(Printed() << "Nothing to prove of " << id << ": "
                          << (isFound ? Literal("no option takes its cause away.")
                                      : Literal("this run does not show it.")));
    }
    if (ids.empty() && claims.empty())
        say("Nothing to prove: no finding of this run offers a change.");
}

RunControl partOf(const RunControl& whole, std::size_t index, std::size_t count, const std::string& what) {
    RunControl part;
    part.stop = whole.stop;
    part.progress = [&whole, index, count, what](double share, std::string_view text) {
        const double done = static_cast<double>(index) + std::clamp(share, 0.0, 1.0);
        whole.report(done / static_cast<double>(count), "proving " + what + ": " + std::string(text));
    };
    return part;
}

Printed predictions(const comparison::Proof& proof) {
    Printed text;
    if (!proof.predicted.lacks.empty())
        return text << "      not predicted: " << proof.predicted.lacks << "\n";
    const std::size_t shown = proof.predicted.differs() ? proof.predicted.all.size() : 1;
    for (std::size_t i = 0; i < std::min(shown, proof.predicted.all.size()); ++i) {
        const comparison::PredictedChange& said = proof.predicted.all[i];
        const auto relative = said.relative();
        text << "      predicted by the " << said.by << ": "
             << (relative ? comparison::ratioText(1 + *relative) : std::string("nothing")) << "\n";
        if (said.before.wait && said.after.wait)
            text << "          wait removed " << analysis::timeText(*said.before.wait) << " -> "
                 << analysis::timeText(*said.after.wait) << "\n";
        text << "          " << said.basis << "\n";
    }
    return text;
}

Printed proofText(const comparison::Proof& proof) {
    std::string status(comparison::proofStatusText(proof));
    std::ranges::transform(status, status.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
    Printed text;
    text << "  " << proof.finding << ": " << status << "   " << comparison::changesText(proof.changes)
         << "\n";
    text << changeLine("makespan", proof.makespan) << changeLine("wait removed", proof.wait)
         << changeLine("overlap", proof.overlap) << changeLine("blocked", proof.blocked);
    return text << predictions(proof) << "      " << proof.text << "\n";
}

/// One that fails says so and takes nothing from the others, nor from the run.
comparison::Proof provedOrFailed(const recording::Recording& recording, const intervention::Claim& claim,
                                 Engines& engines, const RunControl& control,
                                 const intervention::ProveOptions& options) {
    try {
        return intervention::prove(recording, claim, engines.pair(), engines.predictors(), control, options);
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::Cancelled)
            throw;
        comparison::Proof failed;
        failed.finding = claim.finding;
        failed.changes = claim.changes;
        failed.failed = true;
        failed.predicted.lacks = "the runs failed";
        failed.obstacle = std::string("The runs failed: ") + error.what();
        comparison::judgeProof(failed);
        return failed;
    }
}

} // namespace

void checkProofs(const Arguments& arguments) {
    for (const std::string& id : wantedIds(arguments))
        refuseUnknown(id);
    (void)pairsOf(arguments);
}

int pairsOf(const Arguments& arguments) {
    if (!arguments.has("--pairs"))
        return comparison::kFewestPairs;
    const std::string text = arguments.value("--pairs");
    int pairs = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pairs);
    if (error != std::errc() || end != text.data() + text.size() || pairs < comparison::kFewestPairs ||
        pairs > kMostPairs)
        throw Error(ErrorKind::Usage, "bad-pairs", "'" + text + "' is not a valid number of pairs.",
                    "It is a whole number from " + std::to_string(comparison::kFewestPairs) +
                        ", the fewest that give an interval of 95 %, to " + std::to_string(kMostPairs) + ".");
    return pairs;
}

recording::RecordingPtr proved(const Arguments& arguments, const recording::RecordingPtr& recording,
                               Engines& engines, const RunControl& control) {
    const std::vector<std::string> ids = wantedIds(arguments);
    const std::vector<intervention::Claim> claims = intervention::claimsOf(recording->report, ids);
    sayWhatIsNotThere(recording->report, ids, claims);
    if (claims.empty())
        return recording;
    std::vector<comparison::Proof> proofs;
    intervention::ProveOptions options;
    options.pairs = pairsOf(arguments);
    for (std::size_t i = 0; i < claims.size(); ++i) {
        const RunControl part = partOf(control, i, claims.size(), claims[i].finding);
        proofs.push_back(provedOrFailed(*recording, claims[i], engines, part, options));
    }
    return intervention::withProofs(*recording, std::move(proofs), control);
}

Printed changeLine(Literal name, const std::optional<comparison::PairedChange>& change) {
    Printed text;
    text << "      " << name << std::string(13 - std::min<std::size_t>(13, name.text().size()), ' ');
    if (!change)
        return text << "unknown\n";
    return text << analysis::timeText(change->before) << " -> " << analysis::timeText(change->after) << ", "
                << comparison::changeText(*change) << "\n";
}

Printed proofsText(const recording::Recording& recording) {
    if (recording.proofs.empty())
        return {};
    const comparison::Proof& any = recording.proofs.front();
    Printed text;
    text << "\nproofs (" << any.pairs << " interleaved pairs of runs, makespans "
         << (any.untraced ? Literal("untraced") : Literal("traced"))
         << (any.simulated ? Literal(", SIMULATED)\n") : Literal(")\n"));
    for (const comparison::Proof& proof : recording.proofs)
        text << proofText(proof);
    return text;
}

} // namespace olab::cli
