// Copies that the records say ended later than they can have. CUPTI 130001 gives now and then one of
// thousands of device-to-device copies an end that is milliseconds to seconds late (seen on an H200 in 8 of
// 230 recordings). Its begin is right.
#pragma once

#include <olab/analysis/facts.h>

#include <vector>

namespace olab::analysis {

struct LateEnd {
    ActivityIndex row = kNoActivity;
    Ns end = 0; ///< when the next work of its stream began: it had ended by then
};

/// In the order of rows. Copies that a call of their own put into their stream, whose recorded end lies
/// behind the begin of the next work of that stream; not those of graphs, whose branches may run side by
/// side, nor pages of managed memory, which are in no stream.
std::vector<LateEnd> findLateEnds(const TraceFacts& facts);

/// The same rows, those of `late` with the ends that are given there.
Trace withEnds(const Trace& trace, const std::vector<LateEnd>& late);

} // namespace olab::analysis
