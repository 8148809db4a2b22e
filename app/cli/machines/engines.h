// What an experiment of the command line is, and where it runs: on a GPU, in children, or on the simulator.
// Shared by the commands that run something.
#pragma once

#include "arguments.h"

#include <olab/intervention/prediction.h>
#include <olab/recording/experiment_job.h>
#include <olab/run/child_backend.h>
#include <olab/run/elsewhere.h>

#include <filesystem>

namespace olab::cli {

// The machine that runs: this one, or that of --on HOST.

inline constexpr OptionSpec kOnOption{
    "--on", "", "HOST",
    "run on this machine, which your own ssh reaches ('olab setup-host HOST' prepares it)"};

class Machine {
public:
    /// Connects if --on says so. @throws Error
    Machine(const Arguments& arguments, const RunControl& control);
    bool isElsewhere() const { return m_elsewhere != nullptr; }
    /// @throws Error when it cannot be reached
    run::EngineProbe probe(const RunControl& control) const;
    /// For its children.
    run::ChildConfig config() const;
    /// "No GPU can be used: ..." @throws Error (no-device), always
    [[noreturn]] void refuse(const run::EngineProbe& probe, std::string_view what = "used") const;

private:
    std::shared_ptr<const run::Elsewhere> m_elsewhere; ///< null: this one
};

/// The engine that the children are started from: this program.
std::filesystem::path engineProgram();

/// The preset or file that was named, the defaults else, with --set. @throws Error kind Usage, also for what
/// cannot be
experiment::HeldExperiment experimentOf(const Arguments& arguments, const RunControl& control);
/// "pageable", "mine.json", "defaults"
std::string titleOf(const Arguments& arguments);

/// The backends that --backend means; says on stderr where a run is simulated without having been asked for.
class Engines {
public:
    /// `raw`: where the raw CUPTI buffers go; empty: nowhere. @throws Error
    Engines(const Arguments& arguments, const experiment::Experiment& experiment,
            const std::filesystem::path& raw, const RunControl& control);
    recording::BackendPair pair() const;
    /// The one whose runs are traced.
    experiment::Backend& traced() const { return *pair().traced; }
    /// On this machine's GPU or, for tests, the simulator in children; false: the simulator in this process.
    bool inChildren() const { return m_traced != nullptr; }
    /// What the children run on, for people; empty: there are none.
    std::string machine() const;
    /// Who predicts: the simulator, whatever the experiment runs on.
    intervention::Predictors predictors() { return {m_simulator.get(), intervention::timeWithout}; }
    /// The model to predict with.
    intervention::ChosenModel model(const experiment::Experiment& experiment) const;
    /// What is measured next, perhaps by the next command, is not disturbed.
    void settle(const RunControl& control) const;

private:
    std::unique_ptr<experiment::Backend> m_simulator;
    std::unique_ptr<run::ChildBackend> m_traced, m_plain;
    std::string m_device; ///< what the probe said of the GPU
    std::string m_where;  ///< " on HOST"; empty: here
};

} // namespace olab::cli
