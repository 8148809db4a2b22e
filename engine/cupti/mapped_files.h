// What is mapped into this process, as the system tells it. Private to cupti.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace olab::cupti {

/// Each file once. `proc` is where maps are.
std::set<std::string> mappedFiles(const std::filesystem::path& proc = "/proc");

/// The file this very code is in: a program of ours, or a library in a program of somebody else's. Empty
/// where the system does not tell.
std::filesystem::path ownFile(const std::filesystem::path& proc = "/proc");

} // namespace olab::cupti
