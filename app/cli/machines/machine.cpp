#include "machine.h"

#include "engines.h"

#include <olab/trace/error.h>

namespace olab::cli {

Machine::Machine(const Arguments& arguments, const RunControl& control) {
    if (arguments.has("--on"))
        m_elsewhere =
            std::make_shared<run::Elsewhere>(arguments.value("--on"), run::Need::Olab, true, control);
}

run::EngineProbe Machine::probe(const RunControl& control) const {
    return m_elsewhere ? run::probeEngine(engineProgram(), *m_elsewhere, control)
                       : run::probeEngine(engineProgram(), control);
}

run::ChildConfig Machine::config() const {
    run::ChildConfig config;
    config.program = engineProgram();
    config.elsewhere = m_elsewhere;
    return config;
}

void Machine::refuse(const run::EngineProbe& probe, std::string_view what) const {
    throw Error(ErrorKind::NoDevice, "no-device", "No GPU can be " + std::string(what) + ": " + probe.why,
                m_elsewhere ? "--backend sim simulates there." : probe.hint);
}

} // namespace olab::cli
