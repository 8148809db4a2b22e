// The rows of a picture: those a person chose in the window, without those in which nothing is to be seen,
// and where the height is given, without what tells least until the others fit.
#pragma once

#include "timeline/rows/row_layout.h"

#include <olab/ui/picture.h>

namespace olab::ui {

struct PictureLanes {
    DrawnRows lanes;
    RowLayout rows;
    int empty = 0;  ///< lanes that are left out: nothing happened in them in `visible`
    int noRoom = 0; ///< and these, because others tell more
    int lost = -1;  ///< what the best of those is worth; -1: none is left out so

    /// Few lanes grow to fill `wanted` logical pixels; none is omitted for space.
    static PictureLanes of(const view::ViewData& shown, const PictureRequest& request, Interval visible,
                           int wanted, const ViewStyle& style);
    /// In `height` pixels and no more, as far as the first lanes fit into that.
    static PictureLanes within(const view::ViewData& shown, const PictureRequest& request, Interval visible,
                               int height, const ViewStyle& style);
    /// What there is to see in them, in the order of ActivityClass.
    std::vector<ActivityClass> looksIn(const view::Looks& looks, Interval visible) const;
};

} // namespace olab::ui
