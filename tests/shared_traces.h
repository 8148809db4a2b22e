// Where the traces of other tools are that are no part of the sources: OLAB_TRACES names the folder, else it
// is beside them. It may be missing.
#pragma once

#include "test_places.h"

#include <cstdlib>
#include <filesystem>

namespace olab::test {

inline std::filesystem::path sharedTraces() {
    const char* named = std::getenv("OLAB_TRACES");
    return named && *named ? std::filesystem::path(named)
                           : std::filesystem::path(OLAB_SOURCE_DIR) / "../shared/traces";
}

} // namespace olab::test
