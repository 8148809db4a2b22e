// A run of the simulator with everything that analysis makes of it.
#pragma once

#include "made_trace.h"

#include <olab/experiment/plan.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/lanes_of.h>

namespace olab::test {

struct SimulatedRun {
    explicit SimulatedRun(const Experiment& experiment)
        : schedule(plan(experiment))
        , trace(traceOf(schedule))
        , lanes(lanesOf(trace))
        , facts(gatherFacts({trace, *lanes, &schedule}))
        , report(judge(*facts, {}, {})) {}
    /// "key=value" of what differs from the defaults.
    explicit SimulatedRun(const std::vector<std::string>& options)
        : SimulatedRun(experimentOf(options)) {}
    SimulatedRun(const SimulatedRun&) = delete;
    SimulatedRun& operator=(const SimulatedRun&) = delete;

    static HeldExperiment experimentOf(const std::vector<std::string>& options) {
        HeldExperiment experiment;
        for (const std::string& option : options)
            setOption(experiment, option);
        return experiment;
    }

    Plan schedule;
    Trace trace;
    std::shared_ptr<const LaneSet> lanes;
    FactsPtr facts;
    Report report;

private:
    static Trace traceOf(const Plan& schedule) {
        TraceBuilder builder;
        SimBackend().run(schedule, {}, builder, {});
        return builder.finish();
    }
};

} // namespace olab::test
