// The typical and the worst iteration of a recording as two small boxes at the foot of the minimap, each with
// a line as long as it takes. Known by their letters, not by a colour.
#pragma once

#include <olab/view/view_data.h>
#include <olab/view/viewport.h>

#include <QFont>
#include <QRect>
#include <QString>

#include <vector>

class QPainter;

namespace olab::ui {

struct Theme;

struct IterationFlag {
    Interval time;
    QString letter, hint;
    QRect line, box;
};
/// Of what is shown; none where no iteration was found. `whole` is the map of the minimap, whose lanes begin
/// at `left`.
std::vector<IterationFlag> iterationFlags(const view::ViewData& shown, const view::Viewport& whole, int left,
                                          QSize room, const QFont& font);
void paintIterationFlags(QPainter& painter, const Theme& theme, const std::vector<IterationFlag>& flags);

} // namespace olab::ui
