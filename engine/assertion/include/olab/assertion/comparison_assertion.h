// The assertions of `olab compare`.
#pragma once

#include <olab/assertion/assertion.h>
#include <olab/comparison/comparison.h>

#include <string_view>

namespace olab {

/// `slower<=5%`: that the second run takes at most so much longer than the first, or that the difference is
/// within the spread of the runs. It fails closed: with an obstacle, or without both times, it never holds.
/// Any other expression is asked of the second run (assertion.h), where @A is the first; with an obstacle no
/// time of @A is held against one of the second. Where the comparison is `unjudged` nothing ever holds.
/// @throws Error kind Usage for an expression that cannot be read.
AssertionResult checkComparison(const Comparison& comparison, const Judged& before, const Judged& after,
                                std::string_view expression);

} // namespace olab
