// Files of other tools that cannot be read here, known by their content: what each is and what to do about
// it. Private to io.
#pragma once

#include <olab/io/source.h>

#include <string>

namespace olab {

struct ForeignFile {
    std::string is;   ///< "a report of Nsight Systems in its own format"
    std::string hint; ///< what to do, one sentence or two
};
/// Empty where nobody knows it.
std::optional<ForeignFile> foreignFile(Source& source, const RunControl& control);

} // namespace olab
