// The steady state in a report.
#pragma once

#include <olab/analysis/steady_state.h>

#include <nlohmann/json.hpp>

#include <functional>

namespace olab::io {

/// Writes the parts of the report that an iteration and the whole have in common.
struct IterationWriters {
    std::function<nlohmann::ordered_json(const analysis::DeviceReport&)> device;
    std::function<nlohmann::ordered_json(const analysis::Verdict&)> verdict;
    std::function<nlohmann::ordered_json(const analysis::Bounds&)> bounds;
};

/// Null if it was not computed; with "missing" if there is none.
nlohmann::ordered_json steadyStateJson(const analysis::SteadyState* found, const IterationWriters& write);

} // namespace olab::io
