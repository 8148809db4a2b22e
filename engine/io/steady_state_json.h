// The steady state in a report.
#pragma once

#include <olab/analysis/steady_state.h>

#include <nlohmann/json.hpp>

#include <functional>

namespace olab {

/// Writes the parts of the report that an iteration and the whole have in common.
struct IterationWriters {
    std::function<nlohmann::ordered_json(const DeviceReport&)> device;
    std::function<nlohmann::ordered_json(const Verdict&)> verdict;
    std::function<nlohmann::ordered_json(const Bounds&)> bounds;
};

/// Null if it was not computed; with "missing" if there is none.
nlohmann::ordered_json steadyStateJson(const SteadyState* found, const IterationWriters& write);

} // namespace olab
