// What one can do with the op, or the gap, that is picked: the entries of the canvas's context menu.
#pragma once

#include <olab/ui/timeline_canvas.h>

namespace olab::ui {

/// Of the selected activity.
void addOpActions(QMenu& menu, TimelineCanvas& canvas, ActivityIndex op);
/// Of the selected gap.
void addGapActions(QMenu& menu, TimelineCanvas& canvas);

} // namespace olab::ui
