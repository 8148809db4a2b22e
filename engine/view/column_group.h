// Items of a strip that lie close together, as ColumnCover adds them: 64 at a time.
#pragma once

#include "column_cover.h"

#include <array>
#include <cstdint>

namespace olab::view {

struct ColumnCover::Group {
    Times::Near times;
    std::size_t first = 0, count = 0; ///< items of the strip
    std::size_t column = 0;           ///< the first that they can be in
    std::array<std::uint8_t, StripTable::kManyLayers> layers;
};
static_assert(StripTable::kManyLayers == Times::kMostRead);

} // namespace olab::view
