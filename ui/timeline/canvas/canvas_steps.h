// Steps from what is selected in the timeline to the next thing: what keys, menus and screen readers do.
#pragma once

#include <olab/trace/types.h>

#include <cstdint>

namespace olab::ui {

class TimelineCanvas;

/// Selects the next (+1) or previous (-1) activity of the row in use.
void stepActivity(TimelineCanvas& canvas, int direction);
/// Selects the next (+1) or previous (-1) gap of the row, or of the first engine.
void stepGap(TimelineCanvas& canvas, int direction);
/// Selects a time in which nothing ran on a device, in the row of an engine, and zooms to it.
void showIdle(TimelineCanvas& canvas, std::uint8_t device, Interval time);
/// Selects what the selected activity waited for longest (-1), or what began first of all that waited for it
/// (+1).
void followLink(TimelineCanvas& canvas, int direction);
/// What is selected fills a good part of the view; all of the run where nothing is.
void fitSelection(TimelineCanvas& canvas);

} // namespace olab::ui
