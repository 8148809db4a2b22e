#include <olab/experiment/held_experiment.h>
#include <olab/intervention/intervention.h>

namespace olab {

ComparedRun comparedRun(const Recording& recording) {
    return {recording.title, recording.trace, recording.report,
            recording.experiment ? &*recording.experiment : nullptr, &recording.times};
}

Intervention intervene(RecordingPtr before, const OptionChanges& changes, BackendPair backends,
                       std::string title, const RunControl& control, const ExperimentHooks& hooks) {
    if (!before->experiment)
        throw Error(ErrorKind::Usage, "no-experiment", "The options of " + before->title + " are unknown.",
                    "Changes can be tried on runs of Overlap Lab, not on traces of other programs.");
    const HeldExperiment changed = withChanges(*before->experiment, changes);
    Intervention made{before, runExperiment(changed, backends, std::move(title), control, hooks), {}};
    made.comparison = compare(comparedRun(*made.before), comparedRun(*made.after));
    return made;
}

} // namespace olab
