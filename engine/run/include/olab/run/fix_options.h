// Which options a search for a faster pipeline may change, and to what. What it may not: what the pipeline
// computes (steps, sizes, passes, the kernel itself), orders that somebody asked for (deps, buffers), and how
// it is measured. Pure.
#pragma once

#include <olab/experiment/option_changes.h>
#include <olab/experiment/option_table.h>

#include <span>
#include <string_view>
#include <vector>

namespace olab {

struct FixOption {
    std::string_view key;
    std::string_view keptBecause; ///< why it stays as it is; empty: it may be changed
    /// The values to try for an experiment; null: all choices of the option's row.
    std::vector<std::string> (*values)(const Experiment&) = nullptr;
};
/// A row for each option of the table.
std::span<const FixOption> fixOptions();

/// No option among them has to stay as it is.
bool keepsWork(const OptionChanges& changes);

/// Every change of one option that does the same work, whether or not it can be or races: changeOf() says.
/// Another number of streams brings the number of iterations with it that keeps the passes in all.
std::vector<OptionChanges> singleChanges(const Experiment& experiment);

} // namespace olab
