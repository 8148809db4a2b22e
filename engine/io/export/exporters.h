// Exporters for other tools. Private to io.
#pragma once

#include <olab/io/formats.h>

namespace olab::io {

/// Chrome trace JSON as PyTorch's profiler writes it: for Perfetto, chrome://tracing, speedscope and the
/// tools made for Kineto. Read again it gives the same numbers.
void exportKineto(const std::filesystem::path& path, const RecordingData& data, const RunControl& control);
/// One line per activity, one column per property.
void exportCsv(const std::filesystem::path& path, const RecordingData& data, const RunControl& control);

} // namespace olab::io
