// What CMake builds in of resources (built_in.cpp.in). Private to the module.
#pragma once

#include <span>
#include <string_view>

namespace olab::experiment::detail {

/// The preset files, in the order of kPresets.
std::span<const std::string_view> presetTexts();
/// The device models (resources/models): a new one is a file there. The default first; static storage.
std::span<const std::string_view> deviceModelNames();

} // namespace olab::experiment::detail
