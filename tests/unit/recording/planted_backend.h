// The simulator, in which chosen runs go wrong as they would on a device: their kernels do not wait for their
// data, or records are lost.
#pragma once

#include <olab/experiment/plan.h>
#include <olab/sim/sim_backend.h>

#include <functional>
#include <set>
#include <string>

namespace olab::test {

class PlantedBackend final : public experiment::Backend {
public:
    std::set<int> racing, losing; ///< which of its runs, from 1
    std::function<void(int)> onRun;
    std::string driver = "1"; ///< of the device it plays
    int runs = 0;

    void run(const experiment::Plan& schedule, const experiment::RunOptions& options, RecordSink& out,
             const RunControl& control) override {
        ++runs;
        if (onRun)
            onRun(runs);
        m_simulator.run(racing.contains(runs) ? racingPlanOf(schedule) : schedule, options, out, control);
        out.add(EnvironmentRecord{"driver", driver});
        if (losing.contains(runs))
            out.addDefect(DefectCode::DroppedRecords, 7, maskOf(ActivityClass::Kernel));
    }

private:
    /// The same ops; each kernel runs in the stream beside the one that has its data.
    static experiment::Plan racingPlanOf(const experiment::Plan& schedule) {
        experiment::HeldExperiment experiment = schedule.experiment;
        experiment::setOption(experiment, "kernel.stream=other");
        return experiment::plan(experiment);
    }
    sim::SimBackend m_simulator;
};

} // namespace olab::test
