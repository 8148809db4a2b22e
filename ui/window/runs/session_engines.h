// What the jobs of a session leave behind: backends for the next one, and results for the window.
#pragma once

#include <olab/recording/experiment_job.h>
#include <olab/recording/tool_effect_memory.h>
#include <olab/run/child_backend.h>
#include <olab/run/elsewhere.h>
#include <olab/ui/session.h>

namespace olab::ui {

/// Backends that live from run to run. Only the engine thread uses them once a job runs.
struct Session::Engines {
    std::unique_ptr<experiment::Backend> simulator;
    std::unique_ptr<run::ChildBackend> traced, plain;
    recording::ToolEffectMemory memory;
    view::ViewDataPtr preview; ///< on its way through the runner to the window

    /// For the job that begins: its children run on this machine; empty: here.
    void useHost(const std::string& host);
    recording::BackendPair pair(BackendChoice choice, const SessionBackends& backends,
                                const RunControl& control);
    /// Connects first, if it is to run on another machine. @throws Error
    std::unique_ptr<run::ChildBackend> makeChild(const SessionBackends& backends, run::ChildKind kind,
                                                 const std::shared_ptr<run::Departure>& departure,
                                                 const RunControl& control, bool serialKernels = false);
    /// What can be run on where the children run. @throws Error where nothing can be reached
    run::EngineProbe probe(const SessionBackends& backends, const RunControl& control);
    /// For the next run, which will most likely be of the same kind.
    void makeReady(const experiment::Experiment& experiment, BackendChoice choice);
    /// Ends the children, and the connection.
    void giveBack();
    /// Where an experiment was measured, for what is remembered of it.
    std::string placeOf(const SessionBackends& backends) const;
    /// " on HOST"; empty: here.
    std::string where() const { return m_host.empty() ? std::string() : " on " + m_host; }

private:
    void connect(const RunControl& control);

    std::string m_host;
    std::shared_ptr<const run::Elsewhere> m_elsewhere;
};

/// What a job leaves for the GUI thread beside the recording; written before the runner posts it.
struct Session::Outcome {
    view::ViewDataPtr shown;
    view::ViewDataPtr before; ///< to compare with; lost with the job when it is cancelled or fails
    QString savedTo;
    FixPtr fix{};
    view::ViewDataPtr accounted{}, steady{};
    ClaimsNewsPtr claims{};
};

} // namespace olab::ui
