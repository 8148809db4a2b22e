// Runs that are held against the first of them, operation by operation: which is which in the others, and
// what became of it. Plain values, made off the GUI thread for long recordings, then const.
#pragma once

#include "timeline/canvas/canvas_overlay.h"

#include <olab/comparison/operation_changes.h>
#include <olab/io/notes.h>
#include <olab/trace/run_control.h>
#include <olab/view/colouring.h>
#include <olab/view/view_data.h>

#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace olab::ui {

// Where several runs lie on one axis: each has a moment that is the zero of all of them. Plain values; times
// are ns of the traces.
using BookmarksOf = std::function<std::vector<io::Bookmark>(const view::ViewDataPtr&)>;

/// One way to lay them beside each other.
struct Alignment {
    QString name;                                ///< "typical iteration", for people
    std::vector<comparison::AlignedSpan> places; ///< of each run, in their order
    bool isOfMoment = false;                     ///< what was seen of the first run stays in view
};

/// All ways that these runs allow; the first one, by their first device work, is always there.
std::vector<Alignment> alignmentsOf(const std::vector<view::ViewDataPtr>& runs, const BookmarksOf& bookmarks);

/// At the begin of an activity of each, by their numbers.
Alignment alignedAt(const std::vector<view::ViewDataPtr>& runs, const std::vector<ActivityIndex>& activities);

/// What can be seen of all of them, counted from the common zero.
Interval commonLimits(const std::vector<view::ViewDataPtr>& runs, const Alignment& alignment);
/// What is compared, counted from the common zero, with a little air.
Interval commonSpan(const Alignment& alignment);

class ComparedRuns {
public:
    /// Two runs or more. @throws Error when cancelled
    ComparedRuns(std::vector<view::ViewDataPtr> runs, Alignment alignment, const RunControl& control = {});

    const std::vector<view::ViewDataPtr>& runs() const { return m_runs; }
    const Alignment& alignment() const { return m_alignment; }
    /// Of the run `side`, from 1 on, against the first.
    const comparison::OperationChanges& changesOf(std::size_t side) const { return m_changes[side - 1]; }
    /// The same operation in another run.
    std::optional<ActivityIndex> partnerOf(std::size_t from, ActivityIndex activity, std::size_t to) const;
    /// What became of it; null: it is no device work within what is compared. Of the first run: in the run
    /// `inUse`.
    const comparison::OperationChange* changeOf(std::size_t side, ActivityIndex activity,
                                                std::size_t inUse) const;
    /// Operations that take 5 % more or less time, are in one run only, or before which their stream is idle
    /// for another time, by a thousandth of the first run or more; the largest difference first.
    std::vector<const comparison::OperationChange*> differences(std::size_t side) const;
    /// Those of one run that take another time themselves, in the order of their begins, each in the colour
    /// of what became of it. Of the first run: in the run `inUse`.
    std::vector<OutlinedActivity> outlinedOf(std::size_t side, std::size_t inUse) const;
    /// Where it is in both runs, counted from the common zero.
    Interval placeOf(const comparison::OperationChange& change, std::size_t side) const;

private:
    Ns leastDifference() const;
    bool isOutlined(const comparison::OperationChange& change) const;
    /// Of a run against the first: the place in its changes, by activity.
    struct Places {
        std::vector<std::uint32_t> before, after;
    };
    std::vector<view::ViewDataPtr> m_runs;
    Alignment m_alignment;
    std::vector<comparison::OperationChanges> m_changes;
    std::vector<Places> m_places;
};
using ComparedRunsPtr = std::shared_ptr<const ComparedRuns>;

/// Of what is longer, of what is shorter, and of what is in one run only.
view::ColourNumber colourOfFate(comparison::OperationFate fate);

} // namespace olab::ui
