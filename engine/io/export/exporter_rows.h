// The exporters for other tools, one file each. Private to io.
#pragma once

#include <olab/io/formats.h>

#include <vector>

namespace olab::io::exported {

/// In the order in which they are listed.
std::vector<Exporter> rows();

} // namespace olab::io::exported
