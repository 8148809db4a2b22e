// The assertions of `olab compare`.
#pragma once

#include <olab/assertion/assertion.h>
#include <olab/comparison/comparison.h>

#include <string_view>

namespace olab::assertion {

/// `slower<=5%`: the second run takes at most that much longer than the first, or the difference is within
/// the spread of the runs. It fails closed: with an obstacle, or without both times, it never holds. Any
/// other expression is evaluated for the second run (assertion.h), with @A as the first; with an obstacle no
/// time of @A is compared with one of the second. If the comparison is `unjudged`, nothing ever holds.
/// @throws Error kind Usage for an expression that cannot be read.
AssertionResult checkComparison(const comparison::Comparison& comparison, const Judged& before,
                                const Judged& after, std::string_view expression);

} // namespace olab::assertion
