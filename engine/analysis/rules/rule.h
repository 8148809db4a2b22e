// Common includes and helpers for the file of a rule. A rule first looks at the sums of the facts, at no cost
// per activity, and looks at the activities only if the sums suggest it. It gets what the records say
// (TraceFacts): no option, no preset.
#pragma once

#include <olab/analysis/rules.h>

#include <optional>
#include <vector>

namespace olab::analysis {

/// Keeps the most expensive of any number of activities, and the classes of all.
class Evidence {
public:
    void add(Ns time, ActivityIndex row, ActivityClass cls) {
        ++m_count;
        m_classes |= maskOf(cls);
        if (m_worst.size() == kMaxEvidence && !isWorse({time, row}, m_worst.front()))
            return;
        put({time, row});
    }
    std::uint64_t count() const { return m_count; } ///< all that were added
    bool empty() const { return m_count == 0; }
    ClassMask classes() const { return m_classes; }
    ActivityIndex worst() const; ///< kNoActivity: none
    /// The most expensive first, at most kMaxEvidence.
    std::vector<ActivityIndex> activities() const;

private:
    struct Cost {
        Ns time = 0;
        ActivityIndex activity = kNoActivity;
    };
    /// Of equal costs, the earlier activity comes first.
    static bool isWorse(const Cost& a, const Cost& b) {
        return a.time != b.time ? a.time > b.time : a.activity < b.activity;
    }
    void put(Cost cost);
    std::vector<Cost> m_worst; ///< a heap with the least of them on top
    ClassMask m_classes = 0;
    std::uint64_t m_count = 0;
};

/// What a rule found.
struct RuleResult {
    FindingStatus status = FindingStatus::Consistent; ///< Proved: a record shows it
    Ns lost = 0; ///< time it cost, as far as the rule can tell; concurrent losses count once
    Evidence evidence;
    std::string text; ///< one or two sentences with the numbers
};

/// The waits with this cause; nothing if there are none.
std::optional<RuleResult> waitsOf(const TraceFacts& facts, LossCause cause);

// --- what several rules need from the records
std::string apiCalls(const TraceFacts& facts);
std::string streamsOfWork(const TraceFacts& facts);

} // namespace olab::analysis
