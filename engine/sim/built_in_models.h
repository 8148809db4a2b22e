// The device models as CMake built them in (built_in_models.cpp.in).
#pragma once

#include <string_view>

namespace olab::sim {

std::string_view h200ModelText();

} // namespace olab::sim
