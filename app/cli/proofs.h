// `olab run --prove[=ID,...]`: the findings proved by intervention, and the table of what came of it.
#pragma once

#include "arguments.h"
#include "engines.h"
#include "printed.h"

#include <olab/comparison/fix.h>
#include <olab/recording/recording.h>

namespace olab::cli {

/// Refuses ids of no rule, before anything runs. @throws Error kind Usage
void checkProofs(const Arguments& arguments);
/// --pairs; kFewestPairs where it is not given. @throws Error kind Usage
int pairsOf(const Arguments& arguments);
/// The recording with a proof of each finding that offers a change, or of those that were named.
recording::RecordingPtr proved(const Arguments& arguments, const recording::RecordingPtr& recording,
                               Engines& engines, const RunControl& control);
/// Empty where there are none.
Printed proofsText(const recording::Recording& recording);
/// "  makespan        38.1 ms -> 13.4 ms   -24.7 ms (95 %: ...)"
Printed changeLine(Literal name, const std::optional<comparison::PairedChange>& change);

} // namespace olab::cli
