// What is painted faintly beside the bars of a lane: the wait before each op in the look of its cause, and
// below the bars the same work in the ideal run. Device pixels.
#pragma once

#include <olab/ui/theme.h>
#include <olab/view/account.h>

#include <QImage>

namespace olab::ui {

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
