// What is drawn over the bars: marks of events and of short work, waits and the ideal run.
#pragma once

#include <olab/ui/strip_painter.h>
#include <olab/ui/theme.h>
#include <olab/view/account.h>
#include <olab/view/event_marks.h>

#include <QImage>
#include <QPolygon>
#include <QRect>

#include <functional>
#include <span>
#include <vector>

class QPainter;

namespace olab::ui {

// Work that is shorter than a pixel and has nothing of its kind beside it is easily overlooked: the memset of
// some microseconds in a run of milliseconds. A small arrow above the row points to it. The row itself stays
// as it is: what is drawn there is as wide as it lasts. Device pixels.

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

// Diamonds at the foot of the rows of streams: full where an event is recorded, hollow where a wait for one
// ends. The window and its pictures draw the same ones.

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

// What is painted faintly beside the bars of a lane: the wait before each op in the look of its cause, and
// below the bars the same work in the ideal run. Device pixels.

/// Of a wait over [y, y + height) of a strip: thin, in its middle.
struct GhostBand {
    int y = 0, height = 0;
};
GhostBand waitBand(int y, int height);
/// Of the room of a lane's last strip what the ideal run takes, at its foot.
int idealHeight(int stripHeight);

/// Half way between the look of a cause and nothing at all.
QColor ghostFill(const QColor& colour, const Theme& theme);

/// `left`: of the first column; `line`: width of an edge.
void paintWaits(QImage& image, int left, const std::vector<view::DrawnWait>& waits, GhostBand band,
                const Theme& theme, int line);
void paintIdeal(QImage& image, int left, const std::vector<view::DrawnIdeal>& ideal, GhostBand band,
                const Theme& theme);

} // namespace olab::ui
