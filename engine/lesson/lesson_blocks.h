// The words that begin a block of a lesson. Private to the module.
#pragma once

#include <array>
#include <string_view>

namespace olab::detail {

inline constexpr std::array<std::string_view, 4> kBlockWords{"experiment", "predict", "check", "why"};

} // namespace olab::detail
