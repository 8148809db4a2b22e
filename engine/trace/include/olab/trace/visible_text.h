// Text from a file (names, notes, devices, versions, paths), made safe to show on a terminal, in a picture or
// in a message: always valid UTF-8 on one line, without active characters. Characters that would affect a
// terminal, a browser or the reading order are written out: "\x1b" for a control byte or one that is not
// UTF-8, "<U+202E>" for a control character beyond ASCII, a bidirectional control (Unicode UAX #9), a line
// separator, an invisible tag or a noncharacter, which XML forbids, too. All other characters, and text
// without any of these, stay unchanged. Any thread; fails only for lack of memory.
#pragma once

#include <string>
#include <string_view>

namespace olab {

std::string visibleText(std::string_view text);

/// The same for text of several lines: line feeds and tabs stay. Only for text whose lines are our own: a
/// foreign name in it could contain a line feed and fake a line.
std::string visibleLines(std::string_view text);

/// For files that other tools read as UTF-8: each invalid byte becomes U+FFFD, all characters stay.
std::string validUtf8(std::string_view text);

} // namespace olab
