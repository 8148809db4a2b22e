// Presets: option values with a title, a source and a paragraph. They consist of option keys only, without
// code. They are the JSON files in resources/presets, built in at configure time.
#pragma once

#include <olab/experiment/held_experiment.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace olab::experiment {

/// A statement in the text of a preset, and what decides it: assertions (olab/assertion/assertion.h) about a
/// run of the preset, which must all hold. @NAME in them is a run of the preset with that id.
struct PresetClaim {
    std::string says;
    std::vector<std::string> holds;
};

struct Preset {
    std::string id;
    std::string group; ///< heading in menus; presets of one group are adjacent
    std::string title, source, text;
    HeldExperiment experiment;
    /// Words of `text` that refer to another preset, and its id: "version 1" -> "blog-v1".
    std::vector<std::pair<std::string, std::string>> related{};
    std::vector<PresetClaim> claims{};
    std::string shows{}; ///< of a demonstration: what is seen in it, for the start page; empty: it is none
};
std::span<const Preset> presets();
/// Null for an unknown id.
const Preset* findPreset(std::string_view id);
std::string presetsJson(); ///< as `olab presets --json` prints it

} // namespace olab::experiment
