// The files of an SQLite database: how they are opened, only to be read, and what they hold.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace olab::io::imports {

/// The name of SQLite's own file access, except that it cannot write, and does not resolve links in names:
/// decompressed data is a file without a name, reached through /proc. Null: there is no memory left.
const char* onlyReading();
std::string uriOf(const std::filesystem::path& file, bool isImmutable);
/// The link's target if the name is a link: SQLite's log is next to the target.
std::filesystem::path realName(const std::filesystem::path& file);
/// Rows that are not in the database yet, and those that a write replaced.
std::filesystem::path logOf(const std::filesystem::path& database);
std::filesystem::path journalOf(const std::filesystem::path& database);

bool holdsSomething(const std::filesystem::path& file);
/// A journal with a zeroed header is finished: its writer keeps the file for reuse.
bool isUnfinished(const std::filesystem::path& journal);
/// Identity, size and modification time of the database and its log: they change when either is written.
std::string stateOf(const std::filesystem::path& database);
/// SQLite reads a truncated last page as if it were padded with zeros.
bool hasPartOfPage(const std::filesystem::path& database, std::uintmax_t bytes);

} // namespace olab::io::imports
