// What the file of a rule is written with. A judge is made once the facts in sum speak for its rule; the one
// pass over all activities then shows it those it is interested in, and at the end it gives its ruling. It
// gets what the records say (TraceFacts): no option, no preset.
#pragma once

#include <olab/analysis/rules.h>

#include <optional>
#include <vector>

namespace olab::analysis {

/// Which activities a judge wants to see. No class: none passes, since an index of the facts says it all.
struct Interest {
    ClassMask classes = kDeviceClasses;
    LossCauses causes = kAllLossCauses; ///< of the waits of device work; host activities have none
};

/// An activity on its way past the judges.
struct Passing {
    ActivityIndex row = 0;
    ActivityClass cls{};
    std::size_t number = 0; ///< of device work; meaningless for host activities
};

/// The activities that cost most, of any number of them, and the classes of all.
class Evidence {
public:
    void add(Ns time, const Passing& activity) {
        ++m_count;
        m_classes |= maskOf(activity.cls);
        if (m_worst.size() == kMaxEvidence && !isWorse({time, activity.row}, m_worst.front()))
            return;
        put({time, activity.row});
    }
    std::uint64_t count() const { return m_count; } ///< of all that were added
    bool empty() const { return m_count == 0; }
    ClassMask classes() const { return m_classes; }
    ActivityIndex worst() const; ///< kNoActivity where there is none
    /// The costliest first, at most kMaxEvidence.
    std::vector<ActivityIndex> activities() const;

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
    ClassMask m_classes = 0;
    std::uint64_t m_count = 0;
};

/// What a judge found.
struct Ruling {
    FindingStatus status = FindingStatus::Consistent; ///< Proved: a record shows it
    Ns lost = 0; ///< time it cost, as far as the rule can tell: of what ran at once only once
    Evidence evidence;
    std::string text; ///< one or two sentences with the numbers
};

class RuleJudge {
public:
    explicit RuleJudge(const TraceFacts& facts, Interest interest = {})
        : m_facts(facts)
        , m_interest(interest) {}
    RuleJudge(const RuleJudge&) = delete;
    RuleJudge& operator=(const RuleJudge&) = delete;
    virtual ~RuleJudge() = default;
    const Interest& interest() const { return m_interest; }

    /// Each that is of interest, in begin order.
    virtual void see(const Passing&) {}
    /// When all have passed. Nothing: it was not the cause.
    virtual std::optional<Ruling> rule() = 0;

protected:
    const TraceFacts& facts() const { return m_facts; }

private:
    const TraceFacts& m_facts;
    Interest m_interest;
};

// --- what several rules need of the records
std::string apiCalls(const TraceFacts& facts);
std::string streamsOfWork(const TraceFacts& facts);

} // namespace olab::analysis
