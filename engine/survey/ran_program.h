// What ran, and where: by that recordings belong together.
#pragma once

#include <olab/recording/recording.h>

#include <string>

namespace olab::survey {

/// Of the lab's runs the options that differ from the defaults, without those that only say how often and how
/// it was recorded; of traced programs their command; of other files their name, numbers in it as *.
std::string programOf(const recording::Recording& recording);
/// "NVIDIA H200 (GPU-b09213ec)".
std::string machineOf(const recording::Recording& recording);

} // namespace olab::survey
