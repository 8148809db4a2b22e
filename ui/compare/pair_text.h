// What is said of an operation and of the same one in another run.
#pragma once

#include "compare/compared_runs.h"

#include <QString>

namespace olab::ui {

/// "vectorAdd: 1.20 ms before, 3.40 ms after (+2.20 ms), begins 0.30 ms later".
/// Of an operation of the first run: what became of it in the run `inUse`.
QString textOfPair(const ComparedRuns& runs, std::size_t side, ActivityIndex activity, std::size_t inUse);

} // namespace olab::ui
