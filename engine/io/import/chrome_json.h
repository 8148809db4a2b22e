// The importer of Chrome trace JSON: PyTorch Profiler (Kineto) of every generation, TensorFlow 1 timelines,
// TensorFlow 2 and JAX, and what others write. Private to io.
#pragma once

#include <olab/io/formats.h>

namespace olab {

bool sniffChromeJson(std::span<const std::byte> head);
RecordingData readChromeJson(Source& source, RecordSink& records, const RunControl& control);

} // namespace olab
