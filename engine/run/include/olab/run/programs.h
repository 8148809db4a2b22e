// How the programs of this product find each other. A program or library in the working directory is never
// started or loaded. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace olab::run {

/// The path of the running program; empty if the system does not provide it.
std::filesystem::path ownProgram();
/// Next to this program, or in the absolute folders of PATH. Empty if not found.
std::filesystem::path findProgram(std::string_view name);
/// A list of folders such as PATH without those that are empty or relative, which mean the current folder.
std::string absoluteFolders(std::string_view list);

} // namespace olab::run
