// A run of the simulator with everything that analysis makes of it.
#pragma once

#include "made_trace.h"

#include <olab/experiment/plan.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/lanes_of.h>

namespace olab::test {

struct SimulatedRun {
    explicit SimulatedRun(const experiment::Experiment& experiment)
        : schedule(experiment::plan(experiment))
        , trace(traceOf(schedule))
        , lanes(lanesOf(trace))
        , facts(analysis::gatherFacts({trace, *lanes, &schedule}))
        , report(analysis::reportOf(*facts)) {}
    /// "key=value" of what differs from the defaults.
    explicit SimulatedRun(const std::vector<std::string>& options)
        : SimulatedRun(experimentOf(options)) {}
    SimulatedRun(const SimulatedRun&) = delete;
    SimulatedRun& operator=(const SimulatedRun&) = delete;

    static experiment::HeldExperiment experimentOf(const std::vector<std::string>& options) {
        experiment::HeldExperiment experiment;
        for (const std::string& option : options)
            experiment::setOption(experiment, option);
        return experiment;
    }

    experiment::Plan schedule;
    Trace trace;
    std::shared_ptr<const LaneSet> lanes;
    analysis::FactsPtr facts;
    analysis::Report report;

private:
    static Trace traceOf(const experiment::Plan& schedule) {
        TraceBuilder builder;
        sim::SimBackend().run(schedule, {}, builder, {});
        return builder.finish();
    }
};

} // namespace olab::test
