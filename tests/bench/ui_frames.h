// Frames of the timeline into an image, and beside them painters that draw each activity.
#pragma once

#include "loaded.h"

namespace olab::bench {

void benchFrames(const Loaded& loaded);

} // namespace olab::bench
