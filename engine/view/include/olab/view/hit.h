// Which activity of a strip is drawn at a column of a view, and where one is drawn: the same answer as
// StripView's (strip_view.h), by binary search, so that it is fast with millions of activities. Device
// pixels.
#pragma once

#include <olab/view/timeline_index.h>
#include <olab/view/viewport.h>

#include <optional>

namespace olab::view {

/// What is drawn in column `px`; else the nearest activity, up to `reach` columns away.
std::optional<ActivityIndex> hitIn(const Strip& strip, const Viewport& view, int px, int reach);

/// Columns [x0, x1), not clipped to the view.
struct DrawnColumns {
    std::int64_t x0 = 0, x1 = 0;
};
/// Nothing if the activity is not in the strip.
std::optional<DrawnColumns> drawnColumns(const Strip& strip, const Viewport& view, ActivityIndex index);

} // namespace olab::view
