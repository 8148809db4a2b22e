// The steady state in a report.
#pragma once

#include <olab/analysis/steady_state.h>

#include <nlohmann/json.hpp>

#include <functional>

namespace olab {

/// How the report writes what an iteration has in common with the whole.
struct IterationWriters {
    std::function<nlohmann::ordered_json(const DeviceReport&)> device;
    std::function<nlohmann::ordered_json(const Verdict&)> verdict;
    std::function<nlohmann::ordered_json(const Bounds&)> bounds;
};

/// Null where nobody looked for it; with "missing" where there is none.
nlohmann::ordered_json steadyStateJson(const SteadyState* found, const IterationWriters& write);

} // namespace olab
