// What holds for a trace of another tool, whatever its bytes: what is read is kept or refused, it comes back
// the same from a file of our own, and can be judged.
#pragma once

#include "fuzz.h"

#include <string_view>

namespace olab::fuzz {

/// Reads the file with the importer of that id, if it takes it.
void tryImporter(std::string_view id, const std::filesystem::path& file);
/// A database: the bytes as they are where they begin as one, else what the text makes as SQL statements.
/// Empty: neither.
std::string databaseOf(std::string_view input);

} // namespace olab::fuzz
