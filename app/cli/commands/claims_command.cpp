#include "command.h"
#include "console.h"
#include "engines.h"

#include <olab/claims/claim_results.h>
#include <olab/claims/claim_runs.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/output_file.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

namespace olab::cli {
namespace {

namespace fs = std::filesystem;

constexpr OptionSpec kClaimsOptions[] = {
    {"--list", "", "", "list the claims, what is expected of each and by which reference, and run nothing"},
    {"--calls", "", "",
     "which API calls block the host, other streams or nothing: run that and print it alone"},
    {"--markdown", "", "", "print the table as Markdown"},
    {"--json", "", "", "print the results as JSON"},
    {"--output", "-o", "DIR", "keep the recordings of the experiments, and claims.json, in this folder"},
    {"--backend", "", "auto|cuda|sim|recorded",
     "auto (default): the GPU; where there is none the results that come with the program"},
    kOnOption,
    {"--repeat", "", "N", "of each run, instead of what the experiment asks for"},
    {"--serial-tracing", "", "",
     "trace in the way that serialises kernels, to see that the claims become inconclusive and not wrong"},
};

constexpr std::string_view kClaimsText =
    "Five texts about asynchronous CUDA, questions and answers found on the web, make 96 claims. Each is "
    "decided by\n"
    "experiments: runs of options, traced, and probes of what no option can express, in children of their "
    "own. An\n"
    "experiment has controls: where one fails, what rests on it is inconclusive. ID is a claim (001-9), an\n"
    "experiment (E10) or a source text (003); without one all are run, in some minutes.\n"
    "\n"
    "A claim is confirmed when all that it says is so, refuted when nothing is, partly between, and then the "
    "case\n"
    "that decides is named. It is inconclusive when a control failed, a number lies between the limits or "
    "runs\n"
    "differ, and not testable here when it needs Windows, a second GPU or, on the simulator, a GPU. That a "
    "claim\n"
    "comes out otherwise than expected is a result and no failure: the exit code is 0, and 4 only when an "
    "experiment\n"
    "failed on the device.";

Printed documentedText(const claims::ClaimRow& claim) {
    return Printed(std::string(claims::documentedName(claim.documented)));
}

Printed listText(const std::vector<std::string>& ids) {
    Printed text;
    std::string source;
    for (const claims::ClaimRow& claim : claims::claimTable()) {
        if (std::ranges::find(ids, claim.id) == ids.end())
            continue;
        if (claim.source != source)
            for (const claims::ClaimSource& one : claims::claimSources())
                if (one.id == claim.source)
                    text << "== " << one.id << ": " << one.title << " ==\n\n";
        source = claim.source;
        text << claim.id << "  " << documentedText(claim) << "  " << claim.claim << "\n    " << claim.place
             << "\n    " << claim.reason << " [" << claim.reference << "]\n    decided by";
        const std::vector<std::string> experiments = claims::experimentsOf(claim);
        for (const std::string& experiment : experiments)
            text << " " << experiment;
        if (experiments.empty())
            text << " nothing here: " << claim.needs;
        text << "\n\n";
    }
    return text;
}

std::string column(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

std::string secondsOf(const claims::ClaimsResults& results, const claims::ClaimRow& claim) {
    double seconds = 0;
    for (const std::string& id : claims::experimentsOf(claim))
        if (const claims::LabResult* experiment = claims::findLabResult(results, id))
            seconds += experiment->seconds;
    return fixedText(seconds, 1) + " s";
}

Printed claimText(const claims::ClaimsResults& results, const claims::ClaimResult& result) {
    const claims::ClaimRow* const claim = claims::findClaim(result.id);
    if (!claim)
        return {};
    const bool differs = claims::agreement(*claim, result) == claims::Agreement::Differs;
    Printed text;
    text << column(result.id, 8) << column(std::string(claims::documentedName(claim->documented)), 10)
         << column(std::string(claims::outcomeName(result.outcome)), 14)
         << column(secondsOf(results, *claim), 8) << claim->claim << "\n";
    if (differs)
        text << "        DIFFERS from what is expected: " << claim->reason << "\n";
    if (!result.reason.empty() && result.cases.empty())
        text << "        " << result.reason << "\n";
    for (const claims::CaseResult& tested : result.cases)
        text << "        [" << std::string(claims::caseSideName(tested.side)) << "] " << tested.says
             << "\n            " << tested.text << "\n";
    return text;
}

Printed whereText(const claims::ClaimsResults& results) {
    Printed text;
    const auto device = results.environment.find("device");
    text << std::string(claims::claimsSourceName(results.source)) << " on "
         << (device == results.environment.end() ? std::string("an unknown device") : device->second);
    if (const auto driver = results.environment.find("driver"); driver != results.environment.end())
        text << ", driver " << driver->second;
    return text << ", " << results.recordedAt;
}

Printed sumsText(const claims::ClaimsResults& results) {
    std::map<std::string, int> counts;
    std::map<claims::Agreement, int> agreements;
    for (const claims::ClaimResult& result : results.claims) {
        ++counts[std::string(claims::outcomeName(result.outcome))];
        const claims::ClaimRow* const claim = claims::findClaim(result.id);
        ++agreements[claim ? claims::agreement(*claim, result) : claims::Agreement::Undecided];
    }
    const int agreeing = agreements[claims::Agreement::Agrees],
              open = agreements[claims::Agreement::Undocumented],
              decided = agreeing + agreements[claims::Agreement::Differs];
    Printed text;
    text << static_cast<int>(results.claims.size()) << " claims:";
    for (const auto& [name, count] : counts)
        text << " " << count << " " << name;
    text << "; " << agreeing << " of " << decided << " as expected";
    if (open > 0)
        text << ", " << open << " more of which nothing is expected case by case";
    return text << ". " << fixedText(results.seconds, 1) << " s, " << whereText(results) << ".\n";
}

Printed claimsText(const claims::ClaimsResults& results) {
    Printed text = Literal("claim   expected  measured      time    what it says\n");
    for (const claims::ClaimResult& result : results.claims)
        text << claimText(results, result);
    for (const claims::LabResult& experiment : results.experiments) {
        if (!experiment.missing.empty())
            text << experiment.id << ": " << experiment.missing << "\n";
        if (!experiment.control.empty())
            text << experiment.id << " is not believed: " << experiment.control << "\n";
    }
    return text << sumsText(results);
}

std::string microsecondsText(const std::optional<double>& ns) {
    return ns ? fixedText(*ns / 1000, 1) + " us" : std::string("-");
}
std::string shareText(const std::optional<double>& share) {
    return share ? fixedText(100 * *share, 0) + " %" : std::string("-");
}

Printed callsText(const claims::ClaimsResults& results) {
    Printed text;
    text << column("call", 36) << column("blocks", 18) << column("host waits for", 18) << column("host", 12)
         << column("longest", 12) << column("behind", 12)
         << "side by side (non-blocking, blocking streams)\n";
    for (const claims::CallRow& row : claims::callTable(results))
        text << column(row.name, 36) << column(std::string(claims::callBlocksText(row.blocks)), 18)
             << column(std::string(claims::hostWaitsText(row.waits)), 18)
             << column(microsecondsText(row.host), 12) << column(microsecondsText(row.hostMax), 12)
             << column(microsecondsText(row.hostBehind), 12) << column(shareText(row.overlap), 8)
             << shareText(row.blockingOverlap) << "\n";
    return text
           << "host: in the call while a kernel of another stream runs; behind: of the call's own stream.\n"
           << whereText(results) << ".\n";
}

int repeatOf(const Arguments& arguments) {
    if (!arguments.has("--repeat"))
        return 0;
    const std::string text = arguments.value("--repeat");
    int repeat = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), repeat);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() || repeat < 1 || repeat > 100)
        throw Error(ErrorKind::Usage, "bad-repeat",
                    "--repeat takes a number from 1 to 100, not '" + text + "'.");
    return repeat;
}

/// Where the experiments run; recorded: nowhere.
enum class Where : std::uint8_t { Gpu, Simulator, Recorded };

Where whereOf(const Arguments& arguments, const Machine& machine, const RunControl& control) {
    const std::string wanted = arguments.has("--backend") ? arguments.value("--backend") : "auto";
    if (wanted == "sim")
        return Where::Simulator;
    if (wanted == "recorded")
        return Where::Recorded;
    if (wanted != "auto" && wanted != "cuda")
        throw Error(ErrorKind::Usage, "bad-backend", "There is no backend '" + wanted + "'.",
                    "The backends are auto, cuda, sim and recorded.");
    const run::EngineProbe probe = machine.probe(control);
    if (probe.usable)
        return Where::Gpu;
    if (wanted == "cuda" || machine.isElsewhere())
        machine.refuse(probe);
    const bool shipped = claims::recordedClaims().has_value();
    say(Printed() << "No GPU can be used, so this is "
                  << (shipped ? Literal("RECORDED: ") : Literal("SIMULATED: ")) << probe.why);
    return shipped ? Where::Recorded : Where::Simulator;
}

/// The shipped results of the claims that are asked for.
claims::ClaimsResults recorded(const claims::ClaimsJob& job) {
    if (!claims::recordedClaims())
        throw Error(ErrorKind::Usage, "no-recorded", "No measured results come with this build.",
                    "Use --backend sim, or run on a machine with a GPU.");
    claims::ClaimsResults results = *claims::recordedClaims();
    std::erase_if(results.claims, [&](const claims::ClaimResult& result) {
        return std::ranges::find(job.claims, result.id) == job.claims.end();
    });
    return results;
}

std::unique_ptr<run::ChildBackend> child(const Machine& machine, run::ChildKind kind, bool serial,
                                         const std::shared_ptr<run::Departure>& departure) {
    run::ChildConfig config = machine.config();
    config.kind = kind;
    config.departure = departure;
    if (serial)
        config.extraArguments = {"--serial-kernels"};
    return std::make_unique<run::ChildBackend>(config);
}

claims::ClaimsResults measured(const claims::ClaimsJob& job, const Arguments& arguments,
                               const Machine& machine, const RunControl& control) {
    const auto departure = run::makeDeparture();
    const auto traced = child(machine, run::ChildKind::Traced, arguments.has("--serial-tracing"), departure);
    const auto serial = child(machine, run::ChildKind::Traced, true, departure);
    const auto plain = child(machine, run::ChildKind::Plain, false, departure);
    claims::ClaimsResults results =
        claims::runClaims(job, {traced.get(), serial.get(), plain.get(), false}, control);
    traced->settle(control);
    return results;
}

claims::ClaimsResults simulated(const claims::ClaimsJob& job, const Machine& machine,
                                const RunControl& control) {
    std::unique_ptr<experiment::Backend> simulator = std::make_unique<sim::SimBackend>();
    if (machine.isElsewhere()) {
        run::ChildConfig config = machine.config();
        config.extraArguments = {"--sim"};
        simulator = std::make_unique<run::ChildBackend>(config);
    }
    return claims::runClaims(job, {simulator.get(), nullptr, nullptr, true}, control);
}

claims::ClaimsJob callsJob() {
    claims::ClaimsJob job;
    job.experiments = {std::string(claims::kCallsExperiment)};
    return job;
}

claims::ClaimsJob jobOf(const Arguments& arguments) {
    std::vector<std::string> ids = arguments.positional();
    std::erase(ids, "list");
    claims::ClaimsJob job = arguments.has("--calls") ? callsJob() : claims::claimsJob(ids);
    job.repeat = repeatOf(arguments);
    job.folder = arguments.value("--output");
    if (!job.folder.empty()) {
        makeFolder(job.folder, "--output");
        checkWritable(job.folder / "claims.json");
    }
    return job;
}

claims::ClaimsResults resultsOf(const Arguments& arguments) {
    const claims::ClaimsJob job = jobOf(arguments);
    const Console console;
    const RunControl control = console.control();
    const Machine machine(arguments, control);
    switch (whereOf(arguments, machine, control)) {
    case Where::Gpu:
        return measured(job, arguments, machine, control);
    case Where::Simulator:
        return simulated(job, machine, control);
    case Where::Recorded:
        break;
    }
    return recorded(job);
}

void deliver(const Arguments& arguments, const claims::ClaimsResults& results) {
    const bool calls = arguments.has("--calls");
    if (calls && claims::callTable(results).empty()) {
        const claims::LabResult* const experiment = claims::findLabResult(results, claims::kCallsExperiment);
        throw Error(
            ErrorKind::NoDevice, "no-calls",
            "There is no table of calls: " + (!experiment ? std::string("it was not measured.")
                                                          : experiment->missing + experiment->control),
            !experiment || experiment->control.empty() ? "Run it on a machine with a GPU."
                                                       : "Run it again while nothing else uses the GPU.");
    }
    if (calls && arguments.has("--json"))
        printJson(claims::callTableJson(results) + "\n");
    else if (calls && arguments.has("--markdown"))
        printJson(claims::callTableMarkdown(results));
    else if (calls)
        print(callsText(results));
    else if (arguments.has("--json"))
        printJson(claims::claimsToJson(results) + "\n");
    else
        print(claimsText(results));
}

int runClaimsCommand(const Arguments& arguments) {
    if (arguments.has("--list") || (!arguments.positional().empty() && arguments.positional()[0] == "list")) {
        std::vector<std::string> ids = arguments.positional();
        std::erase(ids, "list");
        print(listText(claims::claimsJob(ids).claims));
        return 0;
    }
    const claims::ClaimsResults results = resultsOf(arguments);
    if (arguments.has("--output"))
        writeFile(fs::path(arguments.value("--output")) / "claims.json",
                  claims::claimsToJson(results) + "\n");
    deliver(arguments, results);
    const bool failed = std::ranges::any_of(results.experiments, &claims::LabResult::failed);
    return failed ? static_cast<int>(ErrorKind::DeviceFailed) : 0;
}

} // namespace

extern const Command kClaimsCommand{"claims",
                                    "[ID...] [--list] [--calls] [--on HOST] [-o DIR] [--json]",
                                    "Tests what is said about asynchronous CUDA: 96 claims, measured.",
                                    kClaimsText,
                                    kClaimsOptions,
                                    0,
                                    200,
                                    runClaimsCommand};

} // namespace olab::cli
