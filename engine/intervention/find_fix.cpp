#include <olab/intervention/find_fix.h>

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/option_table.h>
#include <olab/experiment/planned_change.h>

#include <algorithm>
#include <cmath>

namespace olab::intervention {
namespace {

std::vector<std::string> valuesOf(const experiment::OptionRow& option,
                                  const experiment::Experiment& experiment) {
    if (option.fix.values)
        return option.fix.values(experiment);
    return {option.choices.begin(), option.choices.end()};
}

/// Keeps the total number of passes.
experiment::OptionChanges changeTo(const experiment::OptionRow& option, const std::string& value,
                                   const experiment::Experiment& experiment) {
    experiment::OptionChanges changes{{std::string(option.key), value}};
    if (option.key == "streams") {
        experiment::HeldExperiment changed = experiment;
        experiment::setOption(changed, "streams", value);
        const std::int64_t passes = experiment::optionNumber(experiment, "streams") *
                                    experiment::optionNumber(experiment, "iterations");
        changes.emplace_back("iterations",
                             std::to_string(passes / experiment::optionNumber(changed, "streams")));
    }
    return changes;
}

} // namespace

bool keepsWork(const experiment::OptionChanges& changes) {
    return std::ranges::all_of(changes, [](const auto& change) {
        const experiment::OptionRow* option = experiment::findOption(change.first);
        return option && option->fix.keptBecause.empty();
    });
}

std::vector<experiment::OptionChanges> singleChanges(const experiment::Experiment& experiment) {
    std::vector<experiment::OptionChanges> found;
    for (const experiment::OptionRow& option : experiment::optionTable()) {
        if (!option.fix.keptBecause.empty())
            continue;
        const std::string now = option.get(experiment);
        for (const std::string& value : valuesOf(option, experiment))
            if (value != now)
                found.push_back(changeTo(option, value, experiment));
    }
    return found;
}

namespace {

/// A change that gains less is not worth measuring: the simulator is not more accurate than that.
constexpr double kPromising = -0.01;
constexpr std::size_t kBeam = 5;    ///< how many are combined with every promising change
constexpr std::size_t kRounds = 3;  ///< combinations grow by one change per round
constexpr std::size_t kShown = 10;  ///< of the changes that were not measured
constexpr double kPredicting = 0.2; ///< share of the work, for the progress

double gainOf(const comparison::FixCandidate& candidate) {
    return candidate.predicted.value_or(0);
}

void sortByPrediction(std::vector<comparison::FixCandidate>& candidates) {
    std::ranges::stable_sort(candidates, {}, gainOf);
}

/// Without what countedAlike() added.
experiment::OptionChanges wantedOf(const comparison::FixCandidate& candidate) {
    experiment::OptionChanges wanted = candidate.changes;
    std::erase_if(wanted, [](const auto& change) { return change.first == "gate"; });
    return wanted;
}

bool sharesKey(const experiment::OptionChanges& a, const experiment::OptionChanges& b) {
    return std::ranges::any_of(a, [&](const auto& change) {
        return std::ranges::find(b, change.first, &experiment::OptionChanges::value_type::first) != b.end();
    });
}

experiment::OptionChanges together(experiment::OptionChanges a, const experiment::OptionChanges& b) {
    a.insert(a.end(), b.begin(), b.end());
    std::ranges::sort(a);
    return a;
}

class Search {
public:
    Search(const experiment::Experiment& experiment, const Predictors& predictors, const RunControl& control,
           comparison::Fix& fix)
        : m_plan(experiment::plan(experiment, predictors.simulator->deviceCount()))
        , m_simulator(*predictors.simulator)
        , m_control(control)
        , m_fix(fix)
        , m_share(shareThatTells(experiment, m_simulator.deviceCount()))
        , m_asItIs(simulatedMakespan(experiment, m_share, m_simulator, control)) {}

    /// The best first; unpromising ones last.
    std::vector<comparison::FixCandidate> execute() {
        if (!m_asItIs)
            return {};
        std::vector<experiment::OptionChanges> singles = singleChanges(m_plan.experiment);
        addRemedies(singles);
        for (std::size_t i = 0; i < singles.size(); ++i) {
            m_control.report(kPredicting * static_cast<double>(i) / static_cast<double>(singles.size()),
                             "predicting " + comparison::changesText(singles[i]));
            consider(singles[i], m_found);
        }
        sortByPrediction(m_found);
        const std::vector<comparison::FixCandidate> promising = promisingOf(m_found);
        std::vector<comparison::FixCandidate> last = promising;
        for (std::size_t round = 1; round < kRounds && !last.empty(); ++round)
            last = extend(last, promising);
        sortByPrediction(m_found);
        return m_found;
    }

private:
    /// The offers of the simulated run's findings, which may be several changes that only help together.
    void addRemedies(std::vector<experiment::OptionChanges>& to) {
        RunControl quiet;
        quiet.stop = m_control.stop;
        experiment::HeldExperiment experiment = m_plan.experiment;
        experiment::setOption(experiment, "trace=on");
        experiment::setOption(experiment, "repeat=1");
        experiment::setNumber(
            experiment, "iterations",
            std::max(1, static_cast<int>(experiment::optionNumber(experiment, "iterations") * m_share)));
        const recording::RecordingPtr seen =
            recording::runExperiment(experiment, {&m_simulator, nullptr}, "as it is", quiet);
        for (const analysis::Finding& finding : seen->report.findings)
            if (finding.tryChanges.size() > 1 && keepsWork(finding.tryChanges))
                to.push_back(together({}, finding.tryChanges));
    }

    static std::vector<comparison::FixCandidate>
    promisingOf(const std::vector<comparison::FixCandidate>& sorted) {
        std::vector<comparison::FixCandidate> found;
        std::ranges::copy_if(sorted, std::back_inserter(found),
                             [](const comparison::FixCandidate& c) { return gainOf(c) < kPromising; });
        return found;
    }

    /// Combinations that are better than each change alone.
    std::vector<comparison::FixCandidate> extend(const std::vector<comparison::FixCandidate>& last,
                                                 const std::vector<comparison::FixCandidate>& promising) {
        std::vector<comparison::FixCandidate> made;
        for (std::size_t i = 0; i < std::min(kBeam, last.size()); ++i)
            for (std::size_t j = 0; j < std::min(2 * kBeam, promising.size()); ++j) {
                const experiment::OptionChanges more = wantedOf(promising[j]);
                if (sharesKey(wantedOf(last[i]), more))
                    continue;
                const experiment::OptionChanges both = together(wantedOf(last[i]), more);
                const bool isNew = std::ranges::find(made, both, wantedOf) == made.end() &&
                                   std::ranges::find(m_found, both, wantedOf) == m_found.end();
                std::vector<comparison::FixCandidate> one;
                m_control.report(kPredicting, "predicting " + comparison::changesText(both));
                if (isNew && consider(both, one) &&
                    gainOf(one.front()) < std::min(gainOf(last[i]), gainOf(promising[j])) + kPromising)
                    made.push_back(one.front());
            }
        sortByPrediction(made);
        m_found.insert(m_found.end(), made.begin(), made.end());
        return made;
    }

    bool consider(const experiment::OptionChanges& wanted, std::vector<comparison::FixCandidate>& to) {
        m_control.throwIfCancelled();
        const experiment::PlannedChange change = experiment::changeOf(m_plan, wanted);
        if (change.outcome != experiment::PlannedChange::Outcome::Works ||
            change.changes.size() != wanted.size()) {
            ++m_fix.leftOut;
            return false;
        }
        comparison::FixCandidate candidate;
        candidate.changes = countedAlike(m_plan.experiment, change.changes, m_plan.devices);
        const auto time = simulatedMakespan(experiment::withChanges(m_plan.experiment, candidate.changes),
                                            m_share, m_simulator, m_control);
        if (!time) {
            ++m_fix.leftOut;
            return false;
        }
        ++m_fix.considered;
        candidate.predicted = static_cast<double>(*time) / static_cast<double>(*m_asItIs) - 1;
        to.push_back(std::move(candidate));
        return true;
    }

    experiment::Plan m_plan;
    experiment::Backend& m_simulator;
    const RunControl& m_control;
    comparison::Fix& m_fix;
    double m_share; ///< of its iterations is simulated
    std::optional<Ns> m_asItIs;
    std::vector<comparison::FixCandidate> m_found;
};

/// Fewer changes before more, and for each option the first values, which are the usual ones.
std::pair<std::size_t, std::ptrdiff_t> plainness(const comparison::FixCandidate& candidate) {
    std::ptrdiff_t places = 0;
    for (const auto& [key, value] : candidate.changes) {
        const auto& choices = experiment::findOption(key)->choices;
        const auto at = std::ranges::find(choices, value);
        places += at == choices.end() ? 0 : at - choices.begin();
    }
    return {candidate.changes.size(), places};
}

/// The best of all, but only the simplest of those with indistinguishable predictions.
std::vector<comparison::FixCandidate> chosenOf(std::vector<comparison::FixCandidate>& candidates,
                                               std::size_t most) {
    std::vector<comparison::FixCandidate> chosen, others;
    constexpr double kSame = 0.01; // of the unchanged run
    for (comparison::FixCandidate& candidate : candidates) {
        const auto same = std::ranges::find_if(chosen, [&](const comparison::FixCandidate& c) {
            return std::abs(gainOf(c) - gainOf(candidate)) < kSame;
        });
        if (gainOf(candidate) >= kPromising || (same == chosen.end() && chosen.size() == most)) {
            others.push_back(std::move(candidate));
        } else if (same == chosen.end()) {
            chosen.push_back(std::move(candidate));
        } else {
            if (plainness(candidate) < plainness(*same))
                std::swap(candidate, *same);
            others.push_back(std::move(candidate));
        }
    }
    candidates = std::move(others);
    return chosen;
}

RunControl measuringControl(const RunControl& whole) {
    RunControl part;
    part.stop = whole.stop;
    part.progress = [&whole](double share, std::string_view what) {
        whole.report(kPredicting + (1 - kPredicting) * std::clamp(share, 0.0, 1.0), what);
    };
    return part;
}

void measure(comparison::Fix& fix, const experiment::Experiment& experiment, recording::BackendPair backends,
             const RunControl& control, const FixOptions& options) {
    AlternationPlan plan;
    plan.experiments.push_back(experiment);
    for (const comparison::FixCandidate& candidate : fix.measured)
        plan.experiments.push_back(experiment::withChanges(experiment, candidate.changes));
    plan.rounds = options.pairs;
    plan.wantsNumbers = false;
    const RunControl part = measuringControl(control);
    const Alternated made = alternate(plan, backends, part);
    fix.simulated = made.simulated;
    fix.untraced = made.untraced;
    fix.pairs = options.pairs;
    for (std::size_t i = 0; i < fix.measured.size(); ++i) {
        fix.measured[i].makespan = comparison::pairedChange(made.of[0].makespans, made.of[i + 1].makespans);
        fix.measured[i].trouble =
            made.of[i + 1].trouble.empty() ? made.of[0].trouble : made.of[i + 1].trouble;
    }
}

} // namespace

comparison::Fix findFix(const experiment::Experiment& experiment, std::string title,
                        recording::BackendPair backends, const Predictors& predictors,
                        const RunControl& control, const FixOptions& options) {
    comparison::Fix fix;
    fix.title = std::move(title);
    experiment::HeldExperiment simulated = experiment;
    if (!options.model.simDevice.empty())
        experiment::setOption(simulated, "sim.device", options.model.simDevice);
    fix.basis =
        "Predicted by the simulator with " +
        (options.model.why.empty() ? experiment::optionText(simulated, "sim.device") : options.model.why) +
        ".";
    std::vector<comparison::FixCandidate> candidates = Search(simulated, predictors, control, fix).execute();
    fix.measured = chosenOf(candidates, static_cast<std::size_t>(options.measured));
    std::erase_if(candidates, [](const comparison::FixCandidate& c) { return gainOf(c) >= kPromising; });
    candidates.resize(std::min(candidates.size(), kShown));
    fix.predicted = std::move(candidates);
    if (!fix.measured.empty())
        measure(fix, experiment, backends, control, options);
    comparison::judgeFix(fix);
    fix.bestExperiment = experiment::experimentToJson(
        fix.best ? experiment::withChanges(experiment, fix.measured[*fix.best].changes)
                 : experiment::HeldExperiment(experiment));
    return fix;
}

} // namespace olab::intervention
