// The message for a recording of another tool without device work, and what to do about it. Pure function,
// any thread.
#pragma once

#include <olab/recording/recording.h>

#include <string>

namespace olab::recording {

/// One sentence; empty: there is device work, or the recording is not from another tool.
std::string noDeviceWorkText(const Recording& recording);

} // namespace olab::recording
