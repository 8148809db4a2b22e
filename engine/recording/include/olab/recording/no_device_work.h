// What is said of a recording of another tool in which no device worked, and what to do about it. Pure
// function, any thread.
#pragma once

#include <olab/recording/recording.h>

#include <string>

namespace olab {

/// One sentence; empty: a device worked, or the recording is not another tool's.
std::string noDeviceWorkText(const Recording& recording);

} // namespace olab
