#include <olab/intervention/alternation.h>

#include <olab/analysis/analyze.h>
#include <olab/experiment/plan.h>
#include <olab/recording/kernel_calibration.h>
#include <olab/trace/trace_builder.h>

#include <algorithm>
#include <map>

namespace olab::intervention {
namespace {

Ns windowOf(const Trace& trace) {
    return trace.windows().empty() ? trace.deviceSpan().length()
                                   : trace.windows().front().end - trace.windows().front().begin;
}

std::string troubleText(const std::vector<Defect>& defects, bool& raced) {
    std::string lost;
    for (const Defect& defect : defects) {
        if (defect.code == DefectCode::DataMismatch) {
            raced = true;
            return "A run raced: what came out is wrong, and its times are those of a broken program.";
        }
        if (defect.severity() != Severity::Notice && lost.empty())
            lost = "A run is not whole: " + defect.text();
    }
    return lost;
}

class Alternation {
public:
    Alternation(const AlternationPlan& wanted, recording::BackendPair backends, const RunControl& control)
        : m_wanted(wanted)
        , m_backends(backends)
        , m_control(control)
        , m_kinds(kindsOf(wanted, backends))
        , m_solos(wanted.experiments.size()) {
        m_made.of.resize(wanted.experiments.size());
        m_made.untraced = !m_kinds.front();
    }

    Alternated execute() {
        for (int round = 0; round < m_wanted.rounds; ++round) {
            for (const bool traced : m_kinds)
                for (std::size_t i = 0; i < m_made.of.size(); ++i)
                    executeOne(round % 2 == 0 ? i : m_made.of.size() - 1 - i, round, traced);
            if (m_wanted.roundDone)
                m_wanted.roundDone(m_made, round + 1);
        }
        return std::move(m_made);
    }

private:
    /// Untraced ones first: they show how long it takes.
    static std::vector<bool> kindsOf(const AlternationPlan& wanted, recording::BackendPair backends) {
        const std::string mode = experiment::optionText(wanted.experiments.front(), "trace");
        std::vector<bool> kinds;
        if (backends.plain && mode != "on")
            kinds.push_back(false);
        if (backends.traced && (kinds.empty() || (wanted.wantsNumbers && mode != "off")))
            kinds.push_back(true);
        return kinds;
    }

    /// Each round has its own seed, the same for all: so the simulator's random numbers vary from round to
    /// round as real runs do, and so does the data of a device. With trace=both no child is used twice.
    experiment::HeldExperiment experimentFor(std::size_t which, int round) const {
        experiment::HeldExperiment experiment = m_wanted.experiments[which];
        experiment::setOption(experiment, "repeat=1");
        experiment::setNumber(experiment, "seed",
                              (experiment::optionNumber(experiment, "seed") + round) %
                                  (std::int64_t{1} << 31));
        if (m_kinds.size() > 1 || !m_kinds.front() || experiment::optionText(experiment, "trace") == "off")
            experiment::setOption(experiment, "trace=both");
        return experiment;
    }

    void executeOne(std::size_t which, int round, bool traced) {
        m_control.throwIfCancelled();
        experiment::Backend& backend = traced ? *m_backends.traced : *m_backends.plain;
        const experiment::HeldExperiment experiment = experimentFor(which, round);
        const experiment::Plan planned = experiment::plan(experiment, backend.deviceCount());
        std::int64_t& loops = m_loops[recording::kernelShapeOf(experiment)];
        auto& solos = m_solos[which];
        experiment::RunOptions options;
        options.solos = traced && m_wanted.wantsNumbers && !solos;
        options.calibratedLoops = loops;
        TraceBuilder builder;
        backend.run(planned, options, builder, partControl(which, round, traced));
        if (traced && solos)
            for (const SoloRecord& solo : *solos)
                builder.add(solo);
        Trace trace = builder.finish();
        if (loops == 0)
            loops = recording::calibratedLoops(trace);
        if (options.solos)
            solos.emplace(trace.solos().begin(), trace.solos().end());
        take(which, traced, planned, std::move(trace));
    }

    void take(std::size_t which, bool traced, const experiment::Plan& planned, Trace trace) {
        AlternatedRuns& runs = m_made.of[which];
        const Ns makespan = windowOf(trace);
        m_made.simulated = m_made.simulated || trace.provenance().source == SourceKind::Simulated;
        if (runs.trouble.empty())
            runs.trouble = troubleText(analysis::troubleOf(trace, &planned), runs.raced);
        if (traced)
            runs.tracedMakespans.push_back(makespan);
        if (traced != m_made.untraced)
            runs.makespans.push_back(makespan);
        if (!traced || !m_wanted.wantsNumbers)
            return;
        RunControl quiet;
        quiet.stop = m_control.stop;
        io::RecordingData data{std::move(trace), experiment::shareExperiment(planned.experiment), {}};
        runs.numbers.push_back(comparison::numbersOf(
            recording::makeRecording(std::move(data), "", true, quiet)->report, m_wanted.finding));
    }

    RunControl partControl(std::size_t which, int round, bool traced) const {
        RunControl part;
        part.stop = m_control.stop;
        const double perRound = static_cast<double>(m_kinds.size() * m_made.of.size());
        const double done = doneRuns(round, perRound);
        const std::string text = "round " + std::to_string(round + 1) + " of " +
                                 std::to_string(m_wanted.rounds) + ", " +
                                 (which == 0              ? "as it is"
                                  : m_made.of.size() == 2 ? "changed"
                                                          : "change " + std::to_string(which)) +
                                 (m_kinds.size() > 1 && !traced ? ", untraced: " : ": ");
        part.progress = [this, text, done, perRound](double share, std::string_view what) {
            m_control.report((done + std::clamp(share, 0.0, 1.0)) / (perRound * m_wanted.rounds),
                             text + std::string(what));
        };
        return part;
    }
    double doneRuns(int round, double perRound) const {
        double done = 0;
        for (const AlternatedRuns& runs : m_made.of)
            done += static_cast<double>(runs.tracedMakespans.size()) +
                    (m_made.untraced ? static_cast<double>(runs.makespans.size()) : 0.0);
        return std::max(done, perRound * round);
    }

    const AlternationPlan& m_wanted;
    recording::BackendPair m_backends;
    const RunControl& m_control;
    std::vector<bool> m_kinds; ///< of each experiment in a round: traced or not
    std::vector<std::optional<std::vector<SoloRecord>>> m_solos;
    std::map<recording::KernelShape, std::int64_t> m_loops;
    Alternated m_made;
};

} // namespace

Alternated alternate(const AlternationPlan& plan, recording::BackendPair backends,
                     const RunControl& control) {
    if ((!backends.traced && !backends.plain) || plan.experiments.empty())
        throw Error(ErrorKind::Internal, "no-backend", "There is nothing to run the experiments on.",
                    "Choose the simulator, or a machine with a GPU.");
    return Alternation(plan, backends, control).execute();
}

} // namespace olab::intervention
