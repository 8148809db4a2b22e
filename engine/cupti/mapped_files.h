// The files mapped into this process, as reported by the system. Private to cupti.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace olab::cupti {

/// Each file once. `proc` is where maps are.
std::set<std::string> mappedFiles(const std::filesystem::path& proc = "/proc");

/// The file that contains this code: one of our programs, or a library in another program. Empty if the
/// system does not provide it.
std::filesystem::path ownFile(const std::filesystem::path& proc = "/proc");

} // namespace olab::cupti
