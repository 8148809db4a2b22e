// Text of a file (names, notes, devices, versions, paths) as it may be shown to a person, on a terminal, in a
// picture or in a message: always valid UTF-8 on one line, in which nothing acts. What a terminal, a browser
// or the order of reading would obey is written out instead: "\x1b" for a control byte or one that is not
// UTF-8, "<U+202E>" for a control character beyond ASCII, a bidirectional control (Unicode UAX #9), a
// separator of lines, an invisible tag or a noncharacter, which XML forbids, too. All other letters stay as
// they are, and so does text that holds none of these. Any thread; never fails but for lack of memory.
#pragma once

#include <string>
#include <string_view>

namespace olab {

std::string visibleText(std::string_view text);

/// The same for what a program wrote in several lines: line feeds and tabs stay. Only for text whose lines
/// are ours: a name in it may hold a line feed, and would look like one of them.
std::string visibleLines(std::string_view text);

/// For files that other tools read as UTF-8: each byte that is none is U+FFFD, all letters stay.
std::string validUtf8(std::string_view text);

} // namespace olab
