// How the window looks: as the system does, light or dark.
#pragma once

#include <cstdint>

namespace olab::ui {

enum class ThemeChoice : std::uint8_t { System, Light, Dark };

} // namespace olab::ui
