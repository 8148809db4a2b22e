// Nsight Systems' SQLite exports of 2020 to 2026 (nsys export --type sqlite). Private to io.
//
// Schemas: facts that were measured on exports of nsys 2020, 2022.2, 2023.4, 2024.5, 2025.5, 2026.1 and
// 2026.2; NVIDIA's "Nsight Systems Exporter" documentation: tables are created lazily, so any may be missing.
#pragma once

#include "sqlite_database.h"

#include <olab/io/recording_file.h>
#include <olab/io/source.h>

namespace olab {

/// A table of texts that only these have.
bool isNsys(Source& source, const RunControl& control);
/// @throws Error "cannot-read", or when cancelled
RecordingData readNsys(Source& source, RecordSink& records, const RunControl& control);

} // namespace olab
