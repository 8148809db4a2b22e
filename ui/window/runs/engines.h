// Backends that live from job to job of a session. Once a job runs only the engine thread uses them.
#pragma once

#include <olab/recording/experiment_job.h>
#include <olab/recording/tool_effect_memory.h>
#include <olab/run/child_backend.h>
#include <olab/run/elsewhere.h>
#include <olab/ui/session.h>

namespace olab::ui {

class Engines {
public:
    explicit Engines(const SessionBackends& backends)
        : m_backends(backends) {}
    const SessionBackends& backends() const { return m_backends; }
    /// For the job that begins: its children run on this machine; empty: here.
    void useHost(const std::string& host);
    recording::BackendPair pair(BackendChoice choice, const RunControl& control);
    /// Connects first, if it is to run on another machine. @throws Error
    std::unique_ptr<run::ChildBackend> makeChild(run::ChildKind kind,
                                                 const std::shared_ptr<run::Departure>& departure,
                                                 const RunControl& control, bool serialKernels = false);
    /// What can be run on where the children run. @throws Error where nothing can be reached
    run::EngineProbe probe(const RunControl& control);
    /// For the next run, which will most likely be of the same kind.
    void makeReady(const experiment::Experiment& experiment, BackendChoice choice);
    /// Ends the children, and the connection.
    void giveBack();
    recording::ToolEffectMemory& memory() { return m_memory; }
    /// Where an experiment was measured, for what is remembered of it.
    std::string place() const;
    /// " on HOST"; empty: here.
    std::string where() const { return m_host.empty() ? std::string() : " on " + m_host; }

private:
    void connect(const RunControl& control);

    const SessionBackends& m_backends;
    std::unique_ptr<experiment::Backend> m_simulator;
    std::unique_ptr<run::ChildBackend> m_traced, m_plain;
    recording::ToolEffectMemory m_memory;
    std::string m_host;
    std::shared_ptr<const run::Elsewhere> m_elsewhere;
};

} // namespace olab::ui
