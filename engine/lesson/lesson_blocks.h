// The words that begin a block of a lesson. Private to the module.
#pragma once

#include <array>
#include <string_view>

namespace olab::lesson::detail {

inline constexpr std::array<std::string_view, 5> kBlockWords{"experiment", "predict", "bars", "check", "why"};

} // namespace olab::lesson::detail
