#include "plan_size.h"

namespace olab::detail {

std::int64_t passCount(const Experiment& e) {
    return issuesByPass(e) ? std::int64_t{e.streams} * e.iterations : e.iterations;
}

bool plansMoreThan(const Experiment& e, std::int64_t limit) {
    return kMostOpsPerPass * e.streams * e.iterations > limit && plannedOps(e, 1) > limit;
}

} // namespace olab::detail
