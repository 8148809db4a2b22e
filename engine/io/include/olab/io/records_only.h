// A recording as another tool would have made it: what ran when, without the plan. For files to pass on, and
// to test that verdicts and accounts need no more.
#pragma once

#include <olab/io/recording_file.h>

namespace olab::io {

/// Without experiment, notes, bookmarks, environment and the numbers of planned ops; solo runs and the
/// measured window stay.
RecordingData recordsOnly(const RecordingData& recording);

} // namespace olab::io
