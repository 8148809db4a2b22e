// A sweep as files: JSON ("olab-sweep", version 1) and CSV, one line for each cell. Times are int64 ns; what
// is not known is null or empty, never 0. Any thread.
#pragma once

#include <olab/sweep/find_best.h>
#include <olab/sweep/sweep.h>

#include <string>
#include <vector>

namespace olab::sweep {

/// Indented with two spaces. `best` null: nobody searched.
std::string sweepToJson(const Sweep& sweep, const BestFound* best = nullptr);
/// A line of names, then a line for each cell.
std::string sweepToCsv(const Sweep& sweep);
/// What there is to say of the whole, sentence by sentence: a knee for each axis, how good the predictions
/// were, noise and drift, what could not run.
std::vector<std::string> sweepSentences(const Sweep& sweep);

} // namespace olab::sweep
