// Options changed together, as a finding offers them or a person asks for them. Pure.
#pragma once

#include <olab/experiment/held_experiment.h>

#include <string>
#include <utility>
#include <vector>

namespace olab {

using OptionChanges = std::vector<std::pair<std::string, std::string>>; ///< key, value

/// The experiment with these options changed. @throws Error kind Usage for an unknown key, a value that
/// cannot be, or options that cannot be together ("conflict")
HeldExperiment withChanges(HeldExperiment experiment, const OptionChanges& changes);

} // namespace olab
