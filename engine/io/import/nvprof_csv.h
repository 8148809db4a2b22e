// What nvprof --print-gpu-trace --csv prints (and with --print-api-trace the calls in between). Private to
// io.
#pragma once

#include <olab/io/recording_file.h>
#include <olab/io/source.h>

namespace olab {

bool sniffNvprofCsv(std::span<const std::byte> head);
/// @throws Error "cannot-read" when it holds no such table, or when cancelled
RecordingData readNvprofCsv(Source& source, RecordSink& records, const RunControl& control);

} // namespace olab
