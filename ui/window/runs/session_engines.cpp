#include "window/runs/session_engines.h"

#include <olab/experiment/held_experiment.h>

namespace olab::ui {

void Session::Engines::useHost(const std::string& host) {
    if (host == m_host)
        return;
    m_host = host;
    traced.reset();
    plain.reset();
    m_elsewhere.reset();
}

recording::BackendPair Session::Engines::pair(BackendChoice choice, const SessionBackends& backends,
                                              const RunControl& control) {
    if (choice == BackendChoice::Simulator) {
        if (!simulator)
            simulator = backends.simulator();
        return {simulator.get(), nullptr};
    }
    if (!traced || !plain) { // the second may have failed where the first did not
        const std::shared_ptr<run::Departure> departure = run::makeDeparture();
        traced = makeChild(backends, run::ChildKind::Traced, departure, control);
        plain = makeChild(backends, run::ChildKind::Plain, departure, control);
    }
    return {traced.get(), plain.get()};
}

std::unique_ptr<run::ChildBackend>
Session::Engines::makeChild(const SessionBackends& backends, run::ChildKind kind,
                            const std::shared_ptr<run::Departure>& departure, const RunControl& control,
                            bool serialKernels) {
    connect(control);
    run::ChildConfig config;
    config.program = backends.olab;
    config.kind = kind;
    config.extraArguments = backends.engineArguments;
    if (serialKernels)
        config.extraArguments.emplace_back("--serial-kernels");
    config.departure = departure;
    config.elsewhere = m_elsewhere;
    return std::make_unique<run::ChildBackend>(std::move(config));
}

void Session::Engines::connect(const RunControl& control) {
    if (!m_host.empty() && !m_elsewhere)
        m_elsewhere = std::make_shared<run::Elsewhere>(m_host, run::Need::Olab, false, control);
}

run::EngineProbe Session::Engines::probe(const SessionBackends& backends, const RunControl& control) {
    connect(control);
    return m_elsewhere ? run::probeEngine(backends.olab, *m_elsewhere, control)
                       : run::probeEngine(backends.olab, control);
}

void Session::Engines::makeReady(const experiment::Experiment& experiment, BackendChoice choice) {
    if (choice == BackendChoice::Gpu && traced && experiment::optionText(experiment, "trace") != "off")
        traced->makeReady(experiment);
}

void Session::Engines::giveBack() {
    for (run::ChildBackend* child : {traced.get(), plain.get()})
        if (child)
            child->giveBack();
    if (!m_elsewhere)
        return;
    traced.reset();
    plain.reset();
    m_elsewhere.reset();
}

std::string Session::Engines::placeOf(const SessionBackends& backends) const {
    return recording::ToolEffectMemory::placeOf(backends.olab) + "\n" + m_host;
}

} // namespace olab::ui
