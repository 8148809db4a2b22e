#include "engines.h"

#include "command.h"

#include <olab/experiment/plan.h>
#include <olab/experiment/presets.h>
#include <olab/run/programs.h>
#include <olab/sim/sim_backend.h>
#include <olab/sweep/sweep_store.h>
#include <olab/trace/error.h>
#include <olab/trace/input_file.h>

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

namespace {

namespace fs = std::filesystem;

experiment::HeldExperiment startingPoint(const Arguments& arguments, const RunControl& control) {
    if (arguments.positional().empty())
        return {};
    const std::string& name = arguments.positional().front();
    if (const experiment::Preset* preset = experiment::findPreset(name))
        return preset->experiment;
    std::error_code ignored;
    if (fs::exists(name, ignored)) // also a pipe: <(...)
        return experiment::experimentFromJson(readTextFile(name, control));
    throw Error(ErrorKind::Usage, "bad-preset", "'" + name + "' is neither a preset nor a file.",
                "'olab presets' lists the presets; a file holds a JSON object of option keys.");
}

/// What only the simulator can play must not be measured by mistake. @throws Error
void refuseOnGpu(const std::vector<std::string>& simulated) {
    if (!simulated.empty())
        throw Error(ErrorKind::Usage, "simulator-only", simulated.front() + " exists only in the simulator.",
                    "Add --backend sim, or leave " + simulated.front() + " out.");
}

void refuseAssertions(const Arguments& arguments) {
    if (arguments.has("--assert"))
        throw Error(ErrorKind::Usage, "assert-on-simulator",
                    "An assertion about a simulated run must be asked for.",
                    "Add --backend sim, or run on a machine with a GPU.");
}

/// True: the GPU; false: the simulator. @throws Error
bool useCuda(const Arguments& arguments, const experiment::Experiment& experiment, const Machine& machine,
             const RunControl& control, std::string& device) {
    const std::string wanted = arguments.has("--backend") ? arguments.value("--backend") : "auto";
    if (wanted == "sim")
        return false;
    if (wanted != "auto" && wanted != "cuda")
        throw Error(ErrorKind::Usage, "bad-backend", "There is no backend '" + wanted + "'.",
                    "The backends are auto, cuda and sim.");
    const std::vector<std::string> simulated = experiment::simulatorOnly(experiment);
    const bool mustMeasure = wanted == "cuda" || machine.isElsewhere();
    if (mustMeasure)
        refuseOnGpu(simulated);
    if (!simulated.empty()) {
        say(Printed() << "This is SIMULATED: " << simulated.front() << " exists only in the simulator.");
        refuseAssertions(arguments);
        return false;
    }
    const run::EngineProbe probe = machine.probe(control);
    device = probe.what;
    if (probe.usable)
        return true;
    if (mustMeasure)
        machine.refuse(probe);
    say(Printed() << "No GPU can be used, so this is SIMULATED: " << probe.why);
    refuseAssertions(arguments);
    return false;
}

/// Not for people: the simulator in child processes, so that all that lies between them and the report can be
/// tried where there is no GPU.
/// And the simulator of another machine, in children there.
bool simulatesInChildren(const Arguments& arguments, const Machine& machine) {
    return arguments.value("--backend") == "sim-engine" ||
           (arguments.value("--backend") == "sim" && machine.isElsewhere());
}

} // namespace

fs::path engineProgram() {
    const fs::path self = run::ownProgram();
    return self.empty() ? run::findOlab() : self;
}

experiment::HeldExperiment experimentOf(const Arguments& arguments, const RunControl& control) {
    experiment::HeldExperiment experiment = startingPoint(arguments, control);
    for (const std::string& assignment : arguments.values("--set"))
        experiment::setOption(experiment, assignment);
    experiment::plan(experiment,
                     2); // refuses what cannot be before anything starts; the number of devices is seen then
    return experiment;
}

std::string titleOf(const Arguments& arguments) {
    return arguments.positional().empty() ? "defaults"
                                          : fs::path(arguments.positional().front()).filename().string();
}

Engines::Engines(const Arguments& arguments, const experiment::Experiment& experiment, const fs::path& raw,
                 const RunControl& control)
    : m_simulator(std::make_unique<sim::SimBackend>()) {
    const Machine machine(arguments, control);
    m_where = machine.isElsewhere() ? " on " + arguments.value("--on") : "";
    const bool simulates = simulatesInChildren(arguments, machine);
    if (machine.isElsewhere() && !raw.empty())
        throw Error(ErrorKind::Usage, "no-raw", "The CUPTI buffers of another machine are not kept.",
                    "Leave out --keep-raw, or run it there.");
    if (!simulates && !useCuda(arguments, experiment, machine, control, m_device))
        return;
    run::ChildConfig config = machine.config();
    if (simulates)
        config.extraArguments = {"--sim"};
    config.kind = run::ChildKind::Plain;
    config.departure = run::makeDeparture();
    m_plain = std::make_unique<run::ChildBackend>(config);
    config.kind = run::ChildKind::Traced;
    config.rawCuptiFile = raw;
    m_traced = std::make_unique<run::ChildBackend>(config);
}

recording::BackendPair Engines::pair() const {
    return m_traced ? recording::BackendPair{m_traced.get(), m_plain.get()}
                    : recording::BackendPair{m_simulator.get(), nullptr};
}

std::string Engines::machine() const {
    if (!m_traced)
        return {};
    return (m_device.empty() ? std::string(sweep::kSimulatedMachine) : m_device) + m_where;
}

intervention::ChosenModel Engines::model(const experiment::Experiment& experiment) const {
    if (m_device.empty())
        return intervention::simulatedModel(experiment);
    return intervention::nearestModel(m_device, experiment::optionText(experiment, "sim.device"));
}

void Engines::settle(const RunControl& control) const {
    if (m_traced)
        m_traced->settle(control);
}

} // namespace olab::cli
