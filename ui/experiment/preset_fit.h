// Whether this machine can run an experiment as it is meant, in a word and a sentence. Pure.
#pragma once

#include <olab/experiment/held_experiment.h>

#include <QString>

namespace olab::ui {

/// What is known of the machine the window runs on.
struct PresetMachine {
    int gpus = 0;          ///< that can be used; 0: none, or not known yet
    bool simulates = true; ///< the simulator is chosen
    friend bool operator==(const PresetMachine&, const PresetMachine&) = default;
};

struct PresetFit {
    bool runs = true; ///< as it is meant
    QString word;     ///< "simulator only", "needs two GPUs", "runs here"
    QString why;      ///< a sentence
};
PresetFit fitOf(const experiment::Experiment& experiment, const PresetMachine& machine);

} // namespace olab::ui
