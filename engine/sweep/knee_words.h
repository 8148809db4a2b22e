// Sentences on a line of a sweep.
#pragma once

#include <olab/sweep/knee.h>

namespace olab::sweep {

/// Of its shape, its knee and what holds the runs there. Empty: nothing can be said.
std::string lineText(const Sweep& sweep, const Line& line);
/// " (at h2d.bytes=16MiB; elsewhere between 2 and 6)". `through`: a cell of `line`.
std::string otherLinesText(const Sweep& sweep, const Line& line, std::size_t through);

} // namespace olab::sweep
