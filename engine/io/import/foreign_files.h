// Files of other tools that cannot be read here, recognised by content: what each is and what to do about it.
// Private to io.
#pragma once

#include <olab/io/source.h>

#include <string>
#include <string_view>

namespace olab::io {

struct ForeignFile {
    std::string is;   ///< "a report of Nsight Systems in its own format"
    std::string hint; ///< what to do, one sentence or two
};
/// JSON of rocprofv3, which begins like a Chrome trace.
bool isRocprofilerJson(std::string_view head);
/// Empty if unknown.
std::optional<ForeignFile> foreignFile(Source& source, const RunControl& control);

} // namespace olab::io
