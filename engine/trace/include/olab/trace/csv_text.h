// A text as a field of CSV (RFC 4180), safe to open in a spreadsheet: names come from untrusted files. A text
// that a spreadsheet would take for a formula ("=cmd|...", "+", "-", "@", also in full width, after a tab or
// a line end) gets an apostrophe in front, which marks text in spreadsheets; bidirectional and other control
// characters except tab and line feed are written out as by visibleText(). For texts only: numbers are
// written unchanged, so that they stay numbers. Any thread.
//
// Which characters start a formula: OWASP, "CSV Injection",
// https://owasp.org/www-community/attacks/CSV_Injection
#pragma once

#include <string>
#include <string_view>

namespace olab {

/// Quoted if necessary.
std::string csvText(std::string_view text);

} // namespace olab
