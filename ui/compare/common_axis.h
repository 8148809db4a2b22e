// Where several runs lie on one axis: each has a moment that is the zero of all of them. Plain values; times
// are ns of the traces.
#pragma once

#include <olab/comparison/operation_changes.h>
#include <olab/io/bookmarks.h>
#include <olab/view/view_data.h>

#include <QString>

#include <functional>
#include <vector>

namespace olab::ui {

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

} // namespace olab::ui
