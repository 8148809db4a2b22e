// The functions of the rule table, one per file, and what they share.
#pragma once

#include <olab/analysis/rules.h>

namespace olab {

RuleResult judgePageable(const Facts&);
RuleResult judgeSameStream(const Facts&);
RuleResult judgeNullStream(const Facts&);
RuleResult judgeMemsetFullGrid(const Facts&);
RuleResult judgeLaunchBound(const Facts&);
RuleResult judgeEngineBound(const Facts&);

/// A finding with the row's id and remedy.
Finding findingOf(std::string_view ruleId);
Abstention abstentionOf(std::string_view ruleId, std::string lacks);

/// Evidence: the activities that cost most, of any number of them.
class Evidence {
public:
    void add(Ns time, ActivityIndex activity) {
        ++m_count;
        if (m_worst.size() == kMaxEvidence && !isWorse({time, activity}, m_worst.front()))
            return;
        put({time, activity});
    }
    std::uint64_t count() const { return m_count; } ///< of all that were added
    bool empty() const { return m_count == 0; }
    /// Puts them into the finding, the costliest first, at most kMaxEvidence.
    void giveTo(Finding& finding);

private:
    struct Cost {
        Ns time = 0;
        ActivityIndex activity = kNoActivity;
    };
    /// Of equal costs the earlier activity comes first.
    static bool isWorse(const Cost& a, const Cost& b) {
        return a.time != b.time ? a.time > b.time : a.activity < b.activity;
    }
    void put(Cost cost);
    std::vector<Cost> m_worst; ///< a heap with the least of them on top
    std::uint64_t m_count = 0;
};

} // namespace olab
