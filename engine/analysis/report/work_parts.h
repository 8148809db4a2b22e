// The share of each device activity that lies in a part of a recording, and sums of these shares.
#pragma once

#include <olab/analysis/explained_wait.h>
#include <olab/analysis/statistics_rows.h>

#include <limits>
#include <memory>
#include <utility>

namespace olab::analysis {

/// The whole time axis if no part is given.
inline Interval partOf(const std::optional<Interval>& part) {
    return part.value_or(Interval{std::numeric_limits<Ns>::min(), std::numeric_limits<Ns>::max()});
}

/// The piece of `time` that lies in the part.
inline Interval cutTo(Interval time, Interval part) {
    const Ns begin = std::clamp(time.begin, part.begin, part.end);
    return {begin, std::max(begin, std::min(time.end, part.end))};
}

/// The share of one activity.
struct WorkPart {
    Ns time = 0, overlapped = 0;
    Ns waited = 0;     ///< 0: nothing held it up
    LossCause cause{}; ///< cause of the wait
    std::int64_t bytes = 0;
};

class WorkParts {
public:
    WorkParts(const TraceFacts& facts, const ExplainedWaits& waits, const std::optional<Interval>& part);
    /// `number`: of device work; any order, ascending is fastest. Nothing: it does not touch the part.
    std::optional<WorkPart> of(std::size_t number);

private:
    struct Others { // other work of the device, beside a class
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
    std::vector<std::unique_ptr<Others>> m_others; ///< by device and class, created on first use
};

/// Sums up the work of one name.
class WorkSum {
public:
    void add(const WorkPart& part);
    void addWait(LossCause cause, Ns waited);
    NamedWork& sums() { return m_sums; }
    NamedWork result() const;

private:
    NamedWork m_sums;
    std::vector<std::pair<LossCause, Ns>> m_waits; ///< a few entries
};

} // namespace olab::analysis
