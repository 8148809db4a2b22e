// Databases of nvprof and the Visual Profiler (nvprof -o FILE): CUPTI's records as tables, with CUPTI's own
// numbers, by the wall clock. Private to io.
#pragma once

#include <olab/io/recording_file.h>
#include <olab/io/source.h>

namespace olab {

/// A table of texts that only these have.
bool isNvprof(Source& source, const RunControl& control);
/// @throws Error "cannot-read", or when cancelled
RecordingData readNvprof(Source& source, RecordSink& records, const RunControl& control);

} // namespace olab
