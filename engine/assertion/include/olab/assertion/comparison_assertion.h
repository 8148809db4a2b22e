// The assertions of `olab compare`.
#pragma once

#include <olab/assertion/assertion.h>
#include <olab/comparison/comparison.h>

#include <string_view>

namespace olab::assertion {

/// `slower<=5%` is about the interval of the slowdown (slowdown.h): it holds if the whole interval is at or
/// below the limit, fails if it is completely above, and is undecided in between, or without an interval.
/// `slower_per_iteration<=5%` is the same for one iteration that both repeat any number of times. It fails
/// closed: with an obstacle, or without both times, it never holds. Any other expression is evaluated for the
/// second run (assertion.h), with @A as the first; with an obstacle, times of @A are not compared with those
/// of the second. If the comparison is `unjudged`, only slower_per_iteration can hold. @throws Error kind
/// Usage for an invalid expression.
AssertionResult checkComparison(const comparison::Comparison& comparison, const Judged& before,
                                const Judged& after, std::string_view expression);

} // namespace olab::assertion
