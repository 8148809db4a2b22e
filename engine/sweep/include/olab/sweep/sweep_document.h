// A sweep as files: JSON ("olab-sweep", version 1) and CSV, one line for each cell. Times are int64 ns;
// unknown values are null or empty, never 0. Any thread.
#pragma once

#include <olab/sweep/find_best.h>
#include <olab/sweep/sweep.h>

#include <string>
#include <vector>

namespace olab::sweep {

/// Indented with two spaces. `best` null: no search was made.
std::string sweepToJson(const Sweep& sweep, const BestFound* best = nullptr);
/// A line of names, then a line for each cell.
std::string sweepToCsv(const Sweep& sweep);
/// Statements about the whole sweep, one sentence each: a knee for each axis, prediction accuracy, noise and
/// drift, cells that could not run.
std::vector<std::string> sweepSentences(const Sweep& sweep);

} // namespace olab::sweep
