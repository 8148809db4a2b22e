// A recording as a stranger's tool would have made it: what ran when, and nothing of what was planned. For
// files to hand on, and to try that verdicts and accounts need no more.
#pragma once

#include <olab/io/recording_file.h>

namespace olab {

/// Without experiment, notes, bookmarks, environment and the numbers of planned ops; solo runs and the
/// measured window stay.
RecordingData recordsOnly(const RecordingData& recording);

} // namespace olab
