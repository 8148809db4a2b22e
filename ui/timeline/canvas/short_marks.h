// Work that is shorter than a pixel and has nothing of its kind beside it is easily overlooked: the memset of
// some microseconds in a run of milliseconds. A small arrow above the row points to it. The row itself stays
// as it is: what is drawn there is as wide as it lasts. Device pixels.
#pragma once

#include <olab/ui/bar_colours.h>

#include <QPolygon>

namespace olab::ui {

/// Short work that is closer to other short work is seen as it is: logical pixels.
inline constexpr int kShortApart = 12;

struct ShortMark {
    int column = 0;
    ActivityIndex activity = 0; ///< the first one there
};
/// Those with less than `apart` columns to the next short work have none. Empty for lanes of the host.
std::vector<ShortMark> shortMarks(const view::StripView& strip, const view::ViewColumns& columns, int apart);

/// `foot`: the first row of the strip; the arrow ends above it, and is `height` high.
QPolygon arrowAt(int x, int foot, int height);

} // namespace olab::ui
