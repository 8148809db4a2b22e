#include <olab/analysis/rules.h>

#include "rules/rule_functions.h"

#include <algorithm>

namespace olab {
namespace {

constexpr std::array kTable{
    RuleRow{"pageable", "Pageable host memory",
            "Allocate the host buffers pinned (cudaMallocHost or cudaHostRegister): only then is the copy "
            "asynchronous.",
            judgePageable},
    RuleRow{"same-stream", "Everything in one stream",
            "Put independent work into different streams: operations of one stream run one after the other.",
            judgeSameStream},
    RuleRow{"null-stream", "NULL-stream barrier",
            "Create the streams with cudaStreamNonBlocking, or keep work off the legacy NULL stream.",
            judgeNullStream},
    RuleRow{"memset-full-grid", "Memset behind a full grid",
            "Leave room on the SMs: a grid smaller than what the device holds at once, or memset before the "
            "kernel.",
            judgeMemsetFullGrid},
    RuleRow{"launch-bound", "Launch-bound host",
            "Issue fewer and larger operations, or launch them together as a CUDA graph.", judgeLaunchBound},
    RuleRow{"engine-bound", "One engine is the bound",
            "What helps now is less or faster work for that engine.", judgeEngineBound},
};

} // namespace

std::string_view findingStatusName(FindingStatus s) {
    switch (s) {
    case FindingStatus::Proved:
        return "proved";
    case FindingStatus::Confirmed:
        return "confirmed";
    case FindingStatus::Consistent:
        return "consistent";
    case FindingStatus::Refuted:
        return "refuted";
    }
    return "invalid";
}

std::span<const RuleRow> ruleTable() {
    return kTable;
}

Finding findingOf(std::string_view ruleId) {
    Finding finding;
    finding.id = ruleId;
    for (const RuleRow& row : kTable)
        if (row.id == ruleId)
            finding.remedy = row.remedy;
    return finding;
}

Abstention abstentionOf(std::string_view ruleId, std::string lacks) {
    return {std::string(ruleId), std::move(lacks)};
}

void Evidence::put(Cost cost) {
    if (m_worst.size() == kMaxEvidence) {
        std::ranges::pop_heap(m_worst, isWorse);
        m_worst.back() = cost;
    } else
        m_worst.push_back(cost);
    std::ranges::push_heap(m_worst, isWorse);
}

void Evidence::giveTo(Finding& finding) {
    std::ranges::sort(m_worst, isWorse);
    for (const Cost& cost : m_worst)
        finding.activities.push_back(cost.activity);
}

} // namespace olab
