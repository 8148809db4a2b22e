// The importers of what others write, each in a file of its own. Private to io.
#pragma once

#include <olab/io/formats.h>

#include <vector>

namespace olab::imports {

/// In the order in which a file is tried.
std::vector<Importer> rows();

} // namespace olab::imports
