// What of each activity of a device counts in a part of a recording, and the sums of many.
#pragma once

#include <olab/analysis/explained_wait.h>
#include <olab/analysis/statistics_rows.h>

#include <limits>
#include <memory>
#include <utility>

namespace olab::analysis {

/// Everything, where there is no part.
inline Interval partOf(const std::optional<Interval>& part) {
    return part.value_or(Interval{std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()});
}

/// How much of it lies in the part.
inline Interval cutTo(Interval time, Interval part) {
    const Ns begin = std::clamp(time.begin, part.begin, part.end);
    return {begin, std::max(begin, std::min(time.end, part.end))};
}

/// Of one activity.
struct WorkPart {
    Ns time = 0, overlapped = 0;
    Ns waited = 0;     ///< 0 where nothing held it up
    LossCause cause{}; ///< of that
    std::int64_t bytes = 0;
};

class WorkParts {
public:
    WorkParts(const TraceFacts& facts, const ExplainedWaits& waits, const std::optional<Interval>& part);
    /// Of device work by its number; any order, ascending is fastest. Nothing: it does not touch the part.
    std::optional<WorkPart> of(std::size_t number);

private:
    struct Others { // of a class: what else its device did
        explicit Others(IntervalSet all)
            : set(std::move(all))
            , cursor(set) {}
        IntervalSet set;
        CoverageCursor cursor;
    };
    Others* othersOf(ActivityIndex row);
    void addWait(std::size_t number, WorkPart& counted) const;
    const TraceFacts& m_facts;
    const ExplainedWaits& m_waits;
    Interval m_part;
    std::vector<std::unique_ptr<Others>> m_others; ///< by device and class, once it was asked for
};

/// Adds up what belongs to a name.
class WorkSum {
public:
    void add(const WorkPart& part);
    void addWait(LossCause cause, Ns waited);
    NamedWork& sums() { return m_sums; }
    NamedWork result() const;

private:
    NamedWork m_sums;
    std::vector<std::pair<LossCause, Ns>> m_waits; ///< few
};

} // namespace olab::analysis
