// Cuts texts from users or files to the stored length. Private to io.
#pragma once

#include <cstddef>
#include <string>

namespace olab::io::detail {

/// Cut at a whole letter, so that it stays UTF-8.
inline std::string cutAtLetter(std::string text, std::size_t bytes) {
    if (text.size() <= bytes)
        return text;
    std::size_t end = bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) // inside a character
        --end;
    text.resize(end);
    return text;
}

} // namespace olab::io::detail
