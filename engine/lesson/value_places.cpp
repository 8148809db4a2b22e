#include "value_places.h"

namespace olab::lesson::detail {
namespace {

std::string_view trimmedPlace(std::string_view text) {
    const auto first = text.find_first_not_of(' ');
    return first == text.npos ? std::string_view()
                              : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

ValuePlace placeIn(std::string_view text) {
    constexpr std::string_view kPercent = "percent ";
    ValuePlace place;
    text = trimmedPlace(text);
    place.isPercent = text.starts_with(kPercent);
    if (place.isPercent)
        text.remove_prefix(kPercent.size());
    place.other = otherOf(text);
    place.left = trimmedPlace(text.substr(0, text.find('@')));
    return place;
}

} // namespace

std::string withValues(std::string_view text, const std::function<std::string(const ValuePlace&)>& say) {
    std::string made;
    for (;;) {
        const auto open = text.find("{{"), close = text.find("}}", open == text.npos ? open : open + 2);
        if (close == text.npos)
            return made + std::string(text);
        made += text.substr(0, open);
        made += say(placeIn(text.substr(open + 2, close - open - 2)));
        text.remove_prefix(close + 2);
    }
}

std::string_view otherOf(std::string_view assertion) {
    const auto at = assertion.find('@');
    if (at == assertion.npos)
        return {};
    const std::string_view rest = assertion.substr(at + 1);
    return rest.substr(
        0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"));
}

} // namespace olab::lesson::detail
