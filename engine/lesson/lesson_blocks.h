// The words that begin a block of a lesson. Private to the module.
#pragma once

#include <array>
#include <string_view>

namespace olab::lesson::detail {

inline constexpr std::array<std::string_view, 10> kBlockWords{
    "experiment", "predict", "bars", "myth", "check", "why", "exercise", "write", "code", "figure"};

} // namespace olab::lesson::detail
