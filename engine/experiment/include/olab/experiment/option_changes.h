// Options changed together, as offered by a finding or requested by the user. Pure.
#pragma once

#include <olab/experiment/held_experiment.h>

#include <string>
#include <utility>
#include <vector>

namespace olab::experiment {

using OptionChanges = std::vector<std::pair<std::string, std::string>>; ///< key, value

/// The experiment with these options changed. @throws Error kind Usage for an unknown key, an invalid value,
/// or incompatible options ("conflict")
HeldExperiment withChanges(HeldExperiment experiment, const OptionChanges& changes);

} // namespace olab::experiment
