#include "rules/rule.h"

#include <olab/trace/lanes.h>

#include <algorithm>

namespace olab::analysis {

void Evidence::put(Cost cost) {
    if (m_worst.size() == kMaxEvidence) {
        std::ranges::pop_heap(m_worst, isWorse);
        m_worst.back() = cost;
    } else
        m_worst.push_back(cost);
    std::ranges::push_heap(m_worst, isWorse);
}

ActivityIndex Evidence::worst() const {
    const auto worst = std::ranges::min_element(m_worst, isWorse);
    return worst == m_worst.end() ? kNoActivity : worst->activity;
}

std::vector<ActivityIndex> Evidence::activities() const {
    std::vector<Cost> sorted = m_worst;
    std::ranges::sort(sorted, isWorse);
    std::vector<ActivityIndex> activities;
    for (const Cost& cost : sorted)
        activities.push_back(cost.activity);
    return activities;
}

std::string apiCalls(const TraceFacts& facts) {
    return facts.hasApi() ? "" : "API records";
}

std::string streamsOfWork(const TraceFacts& facts) {
    const bool known = std::ranges::all_of(facts.lanes().lanes(), [&facts](const Lane& lane) {
        return lane.kind != LaneKind::Stream || facts.trace().queue(lane.queue).number != kNoNumber;
    });
    return known ? "" : "the streams of the operations";
}

} // namespace olab::analysis
