// The importers and exporters, one file each. Private to io.
#pragma once

#include <olab/io/formats.h>

#include <vector>

namespace olab::io {

/// In the order in which they are tried.
std::vector<Importer> importerRows();
/// In the order in which they are listed.
std::vector<Exporter> exporterRows();

} // namespace olab::io
