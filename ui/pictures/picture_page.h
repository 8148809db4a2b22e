// A picture as a page of HTML that needs nothing but itself: the reader zooms, moves and asks for details.
// Its security policy lets no other script run and nothing be loaded.
#pragma once

#include <olab/ui/picture.h>

namespace olab::ui {

/// @throws Error kind Usage when there are more activities in the range than a page can hold
QByteArray picturePage(const view::ViewData& shown, const PictureRequest& request);

} // namespace olab::ui
