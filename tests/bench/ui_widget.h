// What follows the mouse: hovering, exact overlap of any range, the numbers between two rulers.
#pragma once

#include "loaded.h"

#include <olab/view/view_data.h>

namespace olab::bench {

void benchOverlap(const Loaded& loaded);
/// The recording with its analysis, as the window shows it. Takes the trace out of `loaded`.
view::ViewDataPtr analysed(Loaded&& loaded);
/// The widget itself: the first picture, and what a move of the mouse costs.
void benchWidget(const view::ViewDataPtr& shown);

} // namespace olab::bench
