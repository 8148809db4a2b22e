// The assertions of `olab compare`.
#pragma once

#include <olab/assertion/assertion.h>
#include <olab/comparison/comparison.h>

#include <string_view>

namespace olab::assertion {

/// `slower<=5%` is about the interval of the slowdown (slowdown.h): it holds where the whole interval is at
/// or below the limit, does not where all of it is above, and is undecided between, or without an interval.
/// `slower_per_iteration<=5%` is the same of one iteration that both repeat, however often. It fails closed:
/// with an obstacle, or without both times, it never holds. Any other expression is evaluated for the second
/// run (assertion.h), with @A as the first; with an obstacle no time of @A is compared with one of the
/// second. If the comparison is `unjudged`, nothing but slower_per_iteration ever holds.
/// @throws Error kind Usage for an expression that cannot be read.
AssertionResult checkComparison(const comparison::Comparison& comparison, const Judged& before,
                                const Judged& after, std::string_view expression);

} // namespace olab::assertion
