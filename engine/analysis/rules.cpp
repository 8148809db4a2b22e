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

void addEvidence(Finding& finding, std::vector<Cost>& costs) {
    const std::size_t kept = std::min(costs.size(), kMaxEvidence);
    std::partial_sort(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(kept), costs.end(),
                      [](const Cost& a, const Cost& b) {
                          return a.time != b.time ? a.time > b.time : a.activity < b.activity;
                      });
    for (std::size_t i = 0; i < kept; ++i)
        finding.activities.push_back(costs[i].activity);
}

} // namespace olab
