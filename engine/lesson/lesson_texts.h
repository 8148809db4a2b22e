// The lesson files as CMake built them in (lesson_texts.cpp.in), in their order. Private to the module.
#pragma once

#include <span>
#include <string_view>

namespace olab::lesson::detail {

struct ShippedText {
    std::string_view id, markdown;
};
std::span<const ShippedText> lessonTexts();
/// The pictures of lessons, as SVG: resources/lessons/*.svg.
std::span<const ShippedText> figureTexts();

} // namespace olab::lesson::detail
