// What a person chooses for the whole window.
#pragma once

#include <cstdint>

namespace olab::ui {

/// What the next experiment runs on.
enum class BackendChoice : std::uint8_t { Gpu, Simulator };

/// How the window looks: as the system does, light or dark.
enum class ThemeChoice : std::uint8_t { System, Light, Dark };

} // namespace olab::ui
