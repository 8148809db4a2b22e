#include "recorder.h"

#include <olab/experiment/plan.h>
#include <olab/experiment/schedule.h>
#include <olab/sim/sim_backend.h>

#include <algorithm>
#include <array>

namespace olab::sim {
namespace {

constexpr Ns kClockStart = 1'000'000'000;
constexpr std::uint32_t kSoloSamples = 5;

std::uint64_t soloSeed(const experiment::Schedule& schedule, std::uint32_t solo, std::uint32_t sample) {
    return Jitter(static_cast<std::uint64_t>(schedule.seed) + (solo + 1) * 1000ull + sample).next();
}

Ns soloDuration(const experiment::Schedule& schedule, std::uint32_t solo, const DeviceModel& model,
                const RunControl& control) {
    std::array<Ns, kSoloSamples> durations{};
    for (std::uint32_t i = 0; i < kSoloSamples; ++i) {
        Program program = soloProgram(schedule, schedule.solos[solo], model);
        Simulator(model, program, soloSeed(schedule, solo, i), kClockStart).run({control.stop, {}});
        durations[i] = program.ops.front().end - program.ops.front().begin;
    }
    std::nth_element(durations.begin(), durations.begin() + kSoloSamples / 2, durations.end());
    return durations[kSoloSamples / 2];
}

void recordSolos(const experiment::Schedule& schedule, const DeviceModel& model, const Program& program,
                 RecordSink& out, const RunControl& control) {
    for (std::uint32_t i = 0; i < schedule.solos.size(); ++i) {
        const experiment::SoloOp& solo = schedule.solos[i];
        SoloRecord record;
        record.solo = i;
        record.cls = experiment::classOf(solo.kind).value();
        record.bytes = solo.bytes;
        record.duration = soloDuration(schedule, i, model, control);
        record.samples = kSoloSamples;
        if (isKernel(solo.kind)) {
            const Grid& grid = solo.grid == kNoNumber ? program.gridOf(solo.kind) : program.grids[solo.grid];
            record.blocks = grid.blocks;
            record.residentBlocks = grid.resident;
        }
        out.add(record);
    }
}

} // namespace

SimBackend::SimBackend(DeviceModel model)
    : m_model(std::move(model)) {}

/// No warm-up: a simulated device does not load code, has no first-touch costs and no clock ramp.
void SimBackend::run(const experiment::Plan& planned, const experiment::RunOptions& options, RecordSink& out,
                     const RunControl& control) {
    control.throwIfCancelled();
    if (!options.probe.empty())
        throw Error(ErrorKind::Usage, "no-probe",
                    "The simulator cannot tell what the probe '" + options.probe + "' measures.",
                    "Run it on a machine with a GPU.");
    const experiment::Schedule& schedule = planned;
    const DeviceModel model = withRates(
        modelFor(schedule.process, m_model ? *m_model : deviceModelNamed(schedule.simulator.device)),
        schedule.simulator.rates);
    experiment::refuseIfTooBig(static_cast<std::uint64_t>(schedule.deviceBytes / schedule.devices),
                               model.memoryBytes,
                               "device"); // which no other option value gives
    Program program = windowProgram(schedule, model);
    recordSurroundings(model, program, planned.experiment, out);
    const auto seed = static_cast<std::uint64_t>(schedule.seed);
    const Outcome outcome = Simulator(model, program, seed, kClockStart).run(control);
    recordWindow(schedule, program, outcome, out, control);
    if (options.solos)
        recordSolos(schedule, model, program, out, control);
    control.report(1.0, "simulated");
}

} // namespace olab::sim
