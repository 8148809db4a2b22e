// The importers of databases with the settings of their scan: importers use the defaults; tests use others,
// so that files with few rows are read on several threads, too. Private to io.
#pragma once

#include "table_scan.h"

#include <olab/io/formats.h>

namespace olab::io::imports {

/// As Importer::read.
RecordingData readNsys(Source& source, RecordSink& records, const RunControl& control,
                       const ScanSettings& settings);
RecordingData readNvprof(Source& source, RecordSink& records, const RunControl& control,
                         const ScanSettings& settings);

} // namespace olab::io::imports
