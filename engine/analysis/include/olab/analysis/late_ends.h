// Copies with a recorded end that is too late. CUPTI 130001 occasionally gives one of thousands of
// device-to-device copies an end that is milliseconds to seconds late (seen on an H200 in 8 of 230
// recordings). The begin is right.
#pragma once

#include <olab/analysis/facts.h>

#include <vector>

namespace olab::analysis {

struct LateEnd {
    ActivityIndex row = kNoActivity;
    Ns end = 0; ///< begin of the next work of its stream: the copy had ended by then
};

/// In the order of rows: copies issued by a call of their own whose recorded end is after the begin of the
/// next work of their stream. Excludes copies in graphs, whose branches may run in parallel, and pages of
/// managed memory, which are in no stream.
std::vector<LateEnd> findLateEnds(const TraceFacts& facts);

/// The same rows, with the ends given in `late`.
Trace withEnds(const Trace& trace, const std::vector<LateEnd>& late);

} // namespace olab::analysis
