// What all recordings of two sides say together.
#pragma once

#include "compared_times.h"

#include <string>

namespace olab::comparison {

/// The first reason that `reasonOf` gives for the first recording and any other one of both sides.
template <typename ReasonOf>
std::string firstReason(ComparedRuns before, ComparedRuns after, ReasonOf reasonOf) {
    for (const ComparedRun& run : after)
        if (std::string reason = reasonOf(before.front(), run); !reason.empty())
            return reason;
    for (const ComparedRun& run : before.subspan(1))
        if (std::string reason = reasonOf(before.front(), run); !reason.empty())
            return reason;
    return {};
}

/// Slowdown, findings that came and went, and a sentence; of comparison.account, which causes are new in most
/// of the recordings.
void judgeSides(ComparedRuns before, ComparedRuns after, const ComparedTimes& times, Comparison& comparison);

} // namespace olab::comparison
