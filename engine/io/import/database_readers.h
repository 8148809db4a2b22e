// What the importers of databases do, with the settings of their scan: the importers' rows read with the
// default ones; tests with others, so that files of a few rows are read on several threads too. Private to
// io.
#pragma once

#include "table_scan.h"

#include <olab/io/formats.h>

namespace olab::imports {

/// As Importer::read.
RecordingData readNsys(Source& source, RecordSink& records, const RunControl& control,
                       const ScanSettings& settings);
RecordingData readNvprof(Source& source, RecordSink& records, const RunControl& control,
                         const ScanSettings& settings);

} // namespace olab::imports
