// What a preset's text says to do next, as links: another preset, or this one with options changed. Found
// in the words themselves ("kernel.blocks=64", "kernel.us=800 with kernel.blocks=fill:1") and in what the
// preset says they mean. Pure.
#pragma once

#include <olab/experiment/presets.h>

#include <string>
#include <vector>

namespace olab::ui {

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

} // namespace olab::ui
