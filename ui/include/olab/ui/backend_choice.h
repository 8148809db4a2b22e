// What the next experiment runs on.
#pragma once

#include <cstdint>

namespace olab::ui {

enum class BackendChoice : std::uint8_t { Gpu, Simulator };

} // namespace olab::ui
