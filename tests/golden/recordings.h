// The recordings the golden tests are about.
#pragma once

#include "test_places.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace olab::test {

inline std::filesystem::path recordingFile(const std::string& name) {
    return std::filesystem::path(OLAB_SOURCE_DIR) / "resources/recordings" / (name + ".olab");
}

/// Names of all recordings in a folder, without folder and extension, sorted.
inline std::vector<std::string> recordingNames(const char* folder = "resources/recordings") {
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(OLAB_SOURCE_DIR) / folder))
        if (entry.path().extension() == ".olab")
            names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace olab::test
