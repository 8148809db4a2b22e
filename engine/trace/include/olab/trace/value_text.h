// Numbers as text, the same in every locale. The window uses the user's locale (QApplication calls
// setlocale), and printf would then write "32,1 ms" into sentences, pictures and files that must be
// byte-identical everywhere. Pure functions, safe from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace olab {

/// "32.10": `digits` after the point, as printf's %.*f in the C locale.
std::string fixedText(double value, int digits);
/// "0.875", "1e+06": at most `digits` significant digits, as printf's %.*g in the C locale.
std::string shortText(double value, int digits);

/// Small letters, of A to Z alone: other characters stay, in every locale.
std::string lowerText(std::string_view text);

// Dates and times as written in recordings.

/// Now, in UTC: "2026-11-20T14:56:55Z". Safe from any thread.
std::string isoTimeUtc();
/// From seconds since 1970; empty if it is not a valid calendar time.
std::string isoTimeUtc(std::int64_t seconds);

// A text as a field of CSV (RFC 4180), safe to open in a spreadsheet: names come from untrusted files. A text
// that a spreadsheet would take for a formula ("=cmd|...", "+", "-", "@", also in full width, after a tab or
// a line end) gets an apostrophe in front, which marks text in spreadsheets; bidirectional and other control
// characters except tab and line feed are written out as by visibleText(). For texts only: numbers are
// written unchanged, so that they stay numbers. Any thread.
//
// Which characters start a formula: OWASP, "CSV Injection",
// https://owasp.org/www-community/attacks/CSV_Injection

/// Quoted if necessary.
std::string csvText(std::string_view text);

// A GPU's UUID as nvidia-smi prints it: GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx.

std::string uuidText(const char (&bytes)[16]);

} // namespace olab
