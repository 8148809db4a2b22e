// Diamonds at the foot of the rows of streams: full where an event is recorded, hollow where a wait for one
// ends. The window and its pictures draw the same ones.
#pragma once

#include <olab/view/event_marks.h>

#include <QRect>

#include <functional>
#include <span>
#include <vector>

class QPainter;

namespace olab::ui {

struct Theme;

constexpr int kEventMarkSize = 7; // in usual type

/// An event that is recorded, or waited for, and where it is drawn.
struct SeenEvent {
    const view::EventMark* mark;
    QRect area;
};

/// Of all streams; none where there are too many calls to find them in a frame.
std::vector<view::EventMark> eventMarksOf(const analysis::Facts& facts);

/// The lanes that marks are drawn into, in pixels of the painter.
struct EventRow {
    QueueId queue; ///< the stream
    Interval visible;
    int left = 0, foot = 0; ///< of the lanes; of the row
    int size = 0;           ///< of a mark
};
/// Those of one stream; of marks that would touch only the first. `xOf`: must not fall with time.
/// O(width log n) whatever the number of marks.
std::vector<SeenEvent> seenEvents(std::span<const view::EventMark> marks, const EventRow& row,
                                  const std::function<int(Ns)>& xOf);

/// For a legend: a full one and a hollow one.
void paintEventSwatch(QPainter& painter, const QRect& area, const Theme& theme);
void paintEvents(QPainter& painter, std::span<const SeenEvent> events, const Theme& theme);

} // namespace olab::ui
