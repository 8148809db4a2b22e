// Where the programs of this product find each other, and nothing else: a program or library that lies in the
// folder one happens to be in is never started or loaded. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace olab {

/// The running program; empty where the system does not say.
std::filesystem::path ownProgram();
/// Beside this program, or in the absolute folders of PATH. Empty when it is not found.
std::filesystem::path findProgram(std::string_view name);
/// A list of folders such as PATH without those that are empty or relative, which mean the current folder.
std::string absoluteFolders(std::string_view list);

} // namespace olab
