// The preset files as CMake built them in (preset_texts.cpp.in), in the order of kPresets. Private to the
// module.
#pragma once

#include <span>
#include <string_view>

namespace olab::experiment::detail {

std::span<const std::string_view> presetTexts();

} // namespace olab::experiment::detail
