// The importers of foreign formats, one file each. Private to io.
#pragma once

#include <olab/io/formats.h>

#include <vector>

namespace olab::io::imports {

/// In the order in which they are tried.
std::vector<Importer> rows();

} // namespace olab::io::imports
