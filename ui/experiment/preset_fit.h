// Whether this machine can run an experiment as it is meant, in a word and a sentence. Pure.
#pragma once

#include <olab/experiment/held_experiment.h>
#include <olab/experiment/presets.h>

#include <QString>

#include <string>
#include <vector>

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

/// What a preset's text says to do next, as links: another preset, or this one with options changed. Found
/// in the words themselves ("kernel.blocks=64", "kernel.us=800 with kernel.blocks=fill:1") and in what the
/// preset says they mean. Pure.
struct PresetLink {
    std::size_t begin = 0, end = 0;             ///< in the preset's text
    const experiment::Preset* preset = nullptr; ///< which it leads to; null: the change below, of no preset
    std::string change; ///< "kernel.blocks=64", several with spaces between; empty: a preset
    experiment::HeldExperiment experiment;
};

/// In the order of the text, without two that overlap. Only what can run, and is not the preset itself.
std::vector<PresetLink> linksIn(const experiment::Preset& preset);
/// Does every word of `query` stand somewhere in its title, text, group, source or options? Upper and lower
/// case are the same.
bool matchesQuery(const experiment::Preset& preset, std::string_view query);

/// The recordings of real GPUs that come with the program: found by the names of their files, which say the
/// preset and the device ("full-grid-h200.olab"). Nothing is read until somebody looks at one. GUI thread.
struct ShippedRecording {
    QString path;
    QString name;                               ///< of the file, without its ending
    QString device;                             ///< "H200", by the name of the file
    const experiment::Preset* preset = nullptr; ///< which it is a run of
    bool exactly = false;                       ///< of that preset with no change
};

/// In the order of the presets, then of the names. Empty when there is no such folder.
std::vector<ShippedRecording> shippedRecordings(const QString& folder);
/// Null: there is none of exactly this preset.
const ShippedRecording* recordingOf(const std::vector<ShippedRecording>& all,
                                    const experiment::Preset* preset);
/// Of which preset these settings are; null: of none.
const experiment::Preset* presetWith(const experiment::Experiment& experiment);
/// A run with exactly these settings on this device ("NVIDIA H200"), of those of presets and of the lessons
/// of the program. Empty: none ships. No file is read.
QString shippedRunOf(const experiment::Experiment& experiment, const QString& device, const QString& folder);
/// "Open the H200's run".
QString openRunText(const ShippedRecording& recording);

} // namespace olab::ui
