#include <olab/trace/text_limits.h>

namespace olab {

std::string_view cutText(std::string_view text, std::size_t most) {
    if (text.size() <= most)
        return text;
    constexpr std::size_t kLongestLetter = 4;
    std::size_t end = most;
    while (end > 0 && most - end < kLongestLetter && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
        --end;
    return text.substr(0, end);
}

} // namespace olab
