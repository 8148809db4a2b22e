#include <olab/experiment/experiment.h>
#include <olab/experiment/option_changes.h>

#include <olab/experiment/schedule.h>

namespace olab::experiment {

HeldExperiment withChanges(HeldExperiment experiment, const OptionChanges& changes) {
    for (const auto& [key, value] : changes)
        setOption(experiment, key, value);
    if (const auto reasons = conflicts(experiment); !reasons.empty())
        throw Error(ErrorKind::Usage, "conflict", reasons.front(),
                    "Change that first, run it, then try again.");
    return experiment;
}

} // namespace olab::experiment
