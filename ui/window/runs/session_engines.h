// What the jobs of a session leave behind: backends for the next one, and results for the window.
#pragma once

#include <olab/io/folder_traces.h>
#include <olab/recording/experiment_job.h>
#include <olab/recording/tool_effect_memory.h>
#include <olab/run/child_backend.h>
#include <olab/ui/session.h>

#include <memory>
#include <optional>

namespace olab::ui {

/// Backends that live from run to run. Only the engine thread uses them once a job runs.
struct Session::Engines {
    std::unique_ptr<experiment::Backend> simulator;
    std::unique_ptr<run::ChildBackend> traced, plain;
    recording::ToolEffectMemory memory;
    view::ViewDataPtr preview; ///< on its way through the runner to the window

    recording::BackendPair pair(BackendChoice choice, const SessionBackends& backends) {
        if (choice == BackendChoice::Simulator) {
            if (!simulator)
                simulator = backends.simulator();
            return {simulator.get(), nullptr};
        }
        if (!traced || !plain) { // the second may have failed where the first did not
            const std::shared_ptr<run::Departure> departure = run::makeDeparture();
            traced = makeChild(backends, run::ChildKind::Traced, departure);
            plain = makeChild(backends, run::ChildKind::Plain, departure);
        }
        return {traced.get(), plain.get()};
    }

    static std::unique_ptr<run::ChildBackend> makeChild(const SessionBackends& backends, run::ChildKind kind,
                                                        const std::shared_ptr<run::Departure>& departure,
                                                        bool serialKernels = false) {
        run::ChildConfig config;
        config.program = backends.olab;
        config.kind = kind;
        config.extraArguments = backends.engineArguments;
        if (serialKernels)
            config.extraArguments.emplace_back("--serial-kernels");
        config.departure = departure;
        return std::make_unique<run::ChildBackend>(std::move(config));
    }

    /// For the next run, which will most likely be of the same kind.
    void makeReady(const experiment::Experiment& experiment, BackendChoice choice) {
        if (choice == BackendChoice::Gpu && traced && experiment::optionText(experiment, "trace") != "off")
            traced->makeReady(experiment);
    }

    void giveBack() {
        for (run::ChildBackend* child : {traced.get(), plain.get()})
            if (child)
                child->giveBack();
    }
};

/// What a job leaves for the GUI thread beside the recording; written before the runner posts it.
struct Session::Outcome {
    view::ViewDataPtr shown;
    view::ViewDataPtr before; ///< to compare with; lost with the job when it is cancelled or fails
    QString savedTo;
    FixPtr fix{};
    view::ViewDataPtr accounted{}, steady{};
    ClaimsNewsPtr claims{};
    std::optional<io::FolderTraces> found{};
    QString folder{}; ///< that they were found in
};

} // namespace olab::ui
