// Words for the shell of another machine or of a user's own command.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace olab::run {

/// One word as a POSIX shell reads it back, whatever is in it: 'it'\''s'. A plain one stays as it is.
std::string shellQuoted(std::string_view word);
/// The same of several, with spaces between them.
std::string shellQuoted(std::span<const std::string> words);

} // namespace olab::run
