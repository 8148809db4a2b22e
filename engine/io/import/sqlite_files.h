// The files of an SQLite database: how they are opened, only to be read, what they hold, and what of its log
// SQLite ignores. Private to io.
#pragma once

#include <olab/trace/run_control.h>

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

// Finds the part of a write-ahead log that SQLite silently ignores: it reads the log up to the last complete
// transaction before the first invalid frame.
//
// The format: https://www.sqlite.org/fileformat2.html, section 4.

/// Empty: everything is used, except leftovers of an earlier use of the file.
/// @throws Error when cancelled
std::string unusedOfLog(const std::filesystem::path& log, const RunControl& control);

} // namespace olab::io::imports
