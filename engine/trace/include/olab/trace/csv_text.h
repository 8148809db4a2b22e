// A text as a field of CSV (RFC 4180), safe to be opened in a spreadsheet: names come from files of others.
// One that a spreadsheet would take for a formula ("=cmd|...", "+", "-", "@", also in full width, behind a
// tab or the end of a line) has an apostrophe before it, by which spreadsheets know a text; what acts on the
// order of reading, and other control characters but tab and line feed, are written out as by visibleText().
// For texts alone: numbers are written as they are, so that they stay numbers. Any thread.
//
// Which begins are formulas: OWASP, "CSV Injection", https://owasp.org/www-community/attacks/CSV_Injection
#pragma once

#include <string>
#include <string_view>

namespace olab {

/// Quoted where it must be.
std::string csvText(std::string_view text);

} // namespace olab
