// A sweep as the window asks for it, and the cells that have new numbers. Plain values, shared and const; any
// thread.
#pragma once

#include <olab/sweep/sweep.h>
#include <olab/ui/sweep_ptr.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace olab::ui {

struct SweepJob {
    sweep::Grid grid;
    int repeats = 1;
    /// Where runs are kept, and what is there is taken from. Empty: nothing is measured.
    std::filesystem::path folder;
    bool measures = true; ///< false: only what is there is shown, and predicted
};

struct SweepNews {
    std::vector<std::pair<std::size_t, sweep::Cell>> cells; ///< by their numbers
    bool untraced = false, simulated = false;
    std::string machine, basis;
};

} // namespace olab::ui
