#include <olab/claims/claim_runs.h>

#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/recording/kernel_calibration.h>
#include <olab/trace/trace_builder.h>
#include <olab/trace/value_text.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>

namespace olab::claims {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Records what needs a bigger machine, and what failed.
RunEvidence without(const Error& error) {
    RunEvidence evidence;
    evidence.missing = error.what();
    evidence.notTestable = error.code() == "needs-two-gpus" || error.code() == "no-probe";
    return evidence;
}

class ClaimsRun {
public:
    ClaimsRun(const ClaimsJob& job, const ClaimBackends& backends, const RunControl& control)
        : m_job(job)
        , m_backends(backends)
        , m_control(control) {
        m_results.source = backends.simulated ? ClaimsSource::Simulated : ClaimsSource::Measured;
        m_results.recordedAt = isoTimeUtc();
    }

    ClaimsResults execute() {
        const Clock::time_point begin = Clock::now();
        const std::vector<const LabExperiment*> wanted = wantedExperiments();
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const double all = static_cast<double>(wanted.size());
            m_done = static_cast<double>(i) / all;
            m_part = 1 / (all * attemptsOf(*wanted[i]));
            run(*wanted[i]);
        }
        judge();
        m_results.seconds = secondsSince(begin);
        return std::move(m_results);
    }

private:
    std::vector<const LabExperiment*> wantedExperiments() const {
        std::set<std::string, std::less<>> ids(m_job.experiments.begin(), m_job.experiments.end());
        for (const std::string& id : m_job.claims)
            if (const ClaimRow* claim = findClaim(id); claim && claim->needs.empty())
                for (const std::string& experiment : experimentsOf(*claim))
                    ids.insert(experiment);
        for (const LabExperiment& experiment : labExperiments())
            if (!experiment.isProbe() && ids.contains(experiment.id))
                ids.insert(std::string(kControlsOfAll));
        std::vector<const LabExperiment*> wanted;
        for (const LabExperiment& experiment : labExperiments())
            if (ids.contains(experiment.id))
                wanted.push_back(&experiment);
        return wanted;
    }

    int roundsOf(const LabExperiment& experiment) const {
        return m_job.repeat > 0 ? m_job.repeat : experiment.repeat;
    }
    double attemptsOf(const LabExperiment& experiment) const {
        return experiment.isProbe() ? 1 : static_cast<double>(experiment.runs.size()) * roundsOf(experiment);
    }

    void run(const LabExperiment& experiment) {
        const Clock::time_point begin = Clock::now();
        LabResult result{experiment.id, experiment.title};
        if (experiment.isProbe())
            probe(experiment, result);
        else
            for (const LabRun& run : experiment.runs)
                measure(experiment, run, result);
        result.seconds = secondsSince(begin);
        if (m_job.done)
            m_job.done(result);
        m_results.experiments.push_back(std::move(result));
    }

    RunControl part(const std::string& what) const {
        RunControl inner;
        inner.stop = m_control.stop;
        inner.progress = [this, what](double share, std::string_view step) {
            m_control.report(m_done + m_part * std::clamp(share, 0.0, 1.0), what + ": " + std::string(step));
        };
        return inner;
    }

    /// Several experiments may use one probe.
    void probe(const LabExperiment& experiment, LabResult& result) {
        auto [at, isNew] = m_probes.try_emplace(experiment.probe);
        if (isNew)
            at->second = probed(experiment);
        RunEvidence& evidence = m_evidence[experiment.id] = at->second;
        result.missing = evidence.missing;
        result.failed = !evidence.missing.empty() && !evidence.notTestable;
        if (evidence.repeats.empty())
            return;
        const recording::RecordingPtr& recording = evidence.repeats.front()->recording();
        const auto numbers = assertion::numbersOf(recording->trace);
        result.numbers.insert(numbers.begin(), numbers.end());
        keep(recording, experiment.id, result);
    }

    RunEvidence probed(const LabExperiment& experiment) {
        if (!m_backends.probes)
            return {{}, "This needs a GPU: the simulator does not know what it would measure.", true};
        experiment::HeldExperiment any;
        experiment::setOption(any, "trace=both"); // a fresh child: a probe may leave its process in any state
        experiment::RunOptions options;
        options.solos = false;
        options.probe = experiment.probe;
        return attempt(*m_backends.probes, any, options, experiment.id);
    }

    void measure(const LabExperiment& experiment, const LabRun& run, LabResult& result) {
        const std::string name = experiment.id + "." + run.name;
        RunEvidence& evidence = m_evidence[name];
        experiment::Backend* const backend = run.serialKernels ? m_backends.serial : m_backends.traced;
        if (!backend) {
            evidence = {{}, "This needs a GPU: only there is anything traced.", true};
        } else {
            const int rounds = roundsOf(experiment);
            for (int round = 0; round < rounds && evidence.missing.empty(); ++round)
                measureOnce(*backend, run, name, round, evidence);
        }
        if (!evidence.missing.empty())
            result.missing += (result.missing.empty() ? "" : " ") + run.name + ": " + evidence.missing;
        result.failed = result.failed || (!evidence.missing.empty() && !evidence.notTestable);
        if (evidence.repeats.empty())
            return;
        const recording::RecordingPtr& shown = evidence.repeats.front()->recording();
        if (const auto& makespan = shown->report.bounds.measured)
            result.numbers.emplace(run.name + ".makespan", static_cast<double>(*makespan));
        keep(shown, name, result);
    }

    void measureOnce(experiment::Backend& backend, const LabRun& run, const std::string& name, int round,
                     RunEvidence& evidence) {
        experiment::HeldExperiment experiment = run.experiment;
        experiment::setOption(experiment, "repeat=1");
        experiment::setOption(experiment, "trace=on");
        experiment::setNumber(experiment, "seed",
                              (experiment::optionNumber(experiment, "seed") + round) %
                                  (std::int64_t{1} << 31));
        experiment::RunOptions options;
        options.solos = round == 0;
        options.calibratedLoops = m_loops[recording::kernelShapeOf(experiment)];
        RunEvidence once = attempt(backend, experiment, options, name + ", run " + std::to_string(round + 1));
        if (once.repeats.empty()) {
            evidence.missing = once.missing;
            evidence.notTestable = once.notTestable;
            evidence.repeats.clear();
            return;
        }
        const Trace& trace = once.repeats.front()->recording()->trace;
        if (std::int64_t& loops = m_loops[recording::kernelShapeOf(experiment)]; loops == 0)
            loops = recording::calibratedLoops(trace);
        if (round == 0)
            m_solos.assign(trace.solos().begin(), trace.solos().end());
        evidence.repeats.push_back(once.repeats.front());
    }

    RunEvidence attempt(experiment::Backend& backend, const experiment::Experiment& experiment,
                        const experiment::RunOptions& options, const std::string& name) {
        m_control.throwIfCancelled();
        try {
            const experiment::Plan planned = experiment::plan(experiment, backend.deviceCount());
            TraceBuilder builder;
            backend.run(planned, options, builder, part(name));
            m_done += m_part;
            if (!options.solos && options.probe.empty())
                for (const SoloRecord& solo : m_solos) // solo durations are those of the first round
                    builder.add(solo);
            return judged(builder.finish(), planned, options, name);
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::Cancelled || error.kind() == ErrorKind::NoDevice)
                throw;
            return without(error);
        }
    }

    RunEvidence judged(Trace trace, const experiment::Plan& planned, const experiment::RunOptions& options,
                       const std::string& name) {
        if (m_results.environment.empty())
            m_results.environment = machineOf(trace);
        if (experiment::optionText(planned.experiment, "devices") == "all" && trace.devices().size() < 2)
            return {{}, "This needs two GPUs, and there is one.", true};
        io::RecordingData data{std::move(trace), nullptr, {}};
        if (options.probe.empty())
            data.experiment = experiment::shareExperiment(planned.experiment);
        RunControl quiet;
        quiet.stop = m_control.stop;
        RunEvidence evidence;
        evidence.repeats.push_back(std::make_shared<const assertion::JudgedRecording>(
            recording::makeRecording(std::move(data), name, !m_backends.simulated, quiet)));
        return evidence;
    }

    static std::map<std::string, std::string> machineOf(const Trace& trace) {
        std::map<std::string, std::string> machine;
        for (const char* key : {"device", "driver", "runtime", "cupti", "platform"})
            if (const auto at = trace.environment().find(key); at != trace.environment().end())
                machine.insert(*at);
        return machine;
    }

    void keep(const recording::RecordingPtr& recording, const std::string& name, LabResult& result) {
        if (m_job.recorded)
            m_job.recorded(name, recording);
        if (m_job.folder.empty())
            return;
        const std::filesystem::path file = m_job.folder / (name + ".olab");
        recording::saveRecording(*recording, file, m_control);
        result.files.push_back(file.filename().string());
    }

    void judge() {
        ClaimJudge judge(m_evidence);
        for (LabResult& result : m_results.experiments)
            if (const LabExperiment* experiment = findLabExperiment(result.id);
                experiment && result.missing.empty())
                result.control = judge.controlTrouble(*experiment);
        for (const ClaimRow& claim : claimTable())
            if (std::ranges::find(m_job.claims, claim.id) != m_job.claims.end())
                m_results.claims.push_back(judge.judge(claim));
    }

    const ClaimsJob& m_job;
    const ClaimBackends& m_backends;
    const RunControl& m_control;
    double m_done = 0, m_part = 1; ///< of all, and of one attempt
    std::map<recording::KernelShape, std::int64_t> m_loops;
    std::vector<SoloRecord> m_solos; ///< of the current run
    std::map<std::string, RunEvidence> m_probes;
    Evidence m_evidence;
    ClaimsResults m_results;
};

bool isSource(const std::string& id) {
    const auto sources = claimSources();
    return std::ranges::find(sources, id, &ClaimSource::id) != sources.end();
}

void addClaims(ClaimsJob& job, const std::function<bool(const ClaimRow&)>& wanted) {
    for (const ClaimRow& claim : claimTable())
        if (wanted(claim) && std::ranges::find(job.claims, claim.id) == job.claims.end())
            job.claims.push_back(claim.id);
}

bool decidedBy(const ClaimRow& claim, const std::string& experiment) {
    const auto all = experimentsOf(claim);
    return std::ranges::find(all, experiment) != all.end();
}

} // namespace

ClaimsJob claimsJob(const std::vector<std::string>& ids) {
    ClaimsJob job;
    if (ids.empty()) {
        addClaims(job, [](const ClaimRow&) { return true; });
        for (const LabExperiment& experiment : labExperiments())
            job.experiments.push_back(experiment.id);
    }
    for (const std::string& id : ids) {
        if (findClaim(id))
            addClaims(job, [&](const ClaimRow& claim) { return claim.id == id; });
        else if (isSource(id))
            addClaims(job, [&](const ClaimRow& claim) { return claim.source == id; });
        else if (findLabExperiment(id)) {
            job.experiments.push_back(id);
            addClaims(job, [&](const ClaimRow& claim) { return decidedBy(claim, id); });
        } else
            throw Error(ErrorKind::Usage, "bad-claim", "'" + id + "' is no claim, experiment or source text.",
                        "'olab claims --list' lists them: 001-9, E10, 003.");
    }
    return job;
}

ClaimsResults runClaims(const ClaimsJob& job, const ClaimBackends& backends, const RunControl& control) {
    return ClaimsRun(job, backends, control).execute();
}

} // namespace olab::claims
