#include <olab/experiment/held_experiment.h>
#include <olab/intervention/intervention.h>

namespace olab::intervention {

comparison::ComparedRun comparedRun(const recording::Recording& recording) {
    return {recording.title, recording.trace, recording.report,
            recording.experiment ? &*recording.experiment : nullptr, &recording.times};
}

Intervention intervene(recording::RecordingPtr before, const experiment::OptionChanges& changes,
                       recording::BackendPair backends, std::string title, const RunControl& control,
                       const recording::ExperimentHooks& hooks) {
    if (!before->experiment)
        throw Error(ErrorKind::Usage, "no-experiment", "The options of " + before->title + " are unknown.",
                    "Changes can be tried on runs of Overlap Lab, not on traces of other programs.");
    const experiment::HeldExperiment changed = experiment::withChanges(*before->experiment, changes);
    Intervention made{
        before, recording::runExperiment(changed, backends, std::move(title), control, hooks), {}};
    made.comparison = comparison::compare(comparedRun(*made.before), comparedRun(*made.after));
    return made;
}

} // namespace olab::intervention
