// --picture: a picture of a recording without a window.
#pragma once

#include "start_options.h"

namespace olab::gui {

/// @returns the exit code. @throws Error
int makePicture(const StartOptions& options);

} // namespace olab::gui
