#include "experiment/preset_fit.h"

#include <olab/experiment/held_experiment.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QStringList>

namespace olab::ui {

PresetFit fitOf(const experiment::Experiment& experiment, const PresetMachine& machine) {
    if (const auto refused = experiment::conflicts(experiment); !refused.empty())
        return {false, tr("cannot run"), sentence(refused.front())};
    if (const auto simulated = experiment::simulatorOnly(experiment); !simulated.empty()) {
        QStringList what;
        for (const std::string& assignment : simulated)
            what << fromText(assignment);
        return {true, tr("simulator only"),
                tr("No GPU can be this (%1): it is simulated, also where a GPU is chosen.")
                    .arg(what.join(QStringLiteral(", ")))};
    }
    if (experiment::optionText(experiment, "devices") == "all" && machine.gpus < 2)
        return {false, tr("needs two GPUs"),
                machine.gpus == 1 ? tr("This machine has one GPU: there is no second one to run beside it.")
                                  : tr("It shows what two GPUs do side by side, and none was found here.")};
    if (machine.simulates || machine.gpus == 0)
        return {true, tr("simulated here"), tr("It runs on the simulator: nothing is measured.")};
    return {true, tr("runs here"), tr("It runs on the GPU of this machine.")};
}

} // namespace olab::ui
