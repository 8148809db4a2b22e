// Files of other tools that cannot be read here, known by their content: what each is and what to do about
// it. Private to io.
#pragma once

#include <olab/io/source.h>

#include <string>
#include <string_view>

namespace olab {

struct ForeignFile {
    std::string is;   ///< "a report of Nsight Systems in its own format"
    std::string hint; ///< what to do, one sentence or two
};
/// JSON of rocprofv3, which begins like that of a Chrome trace.
bool isRocprofilerJson(std::string_view head);
/// Empty where nobody knows it.
std::optional<ForeignFile> foreignFile(Source& source, const RunControl& control);

} // namespace olab
