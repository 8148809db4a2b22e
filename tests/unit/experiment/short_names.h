// Ops and experiments as short texts, so that a test reads like the plan it expects.
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/schedule.h>

#include <initializer_list>
#include <string>

namespace olab::test {

/// "H0.1" = H2D copy of pipeline 0 in iteration 1; pipeline N: the NULL stream. Where an op is not in the
/// stream of its pipeline, that follows: "K0.1@N", "s0.1@*".
inline std::string shortName(const experiment::Op& op) {
    constexpr std::string_view kLetters = "HMKDCmkefdPrwsxXYZ";
    const auto place = [](std::int32_t p) {
        return p == experiment::kNullStream ? "N" : p == experiment::kAllStreams ? "*" : std::to_string(p);
    };
    std::string name =
        kLetters[static_cast<std::size_t>(op.kind)] + place(op.pipeline) + "." + std::to_string(op.iteration);
    return op.stream == op.pipeline ? name : name + "@" + place(op.stream);
}

inline experiment::HeldExperiment with(std::initializer_list<std::string_view> assignments) {
    return experiment::HeldExperiment(assignments);
}

} // namespace olab::test
