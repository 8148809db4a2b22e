// The device models as CMake built them in (built_in_models.cpp.in).
#pragma once

#include <span>
#include <string_view>

namespace olab::sim {

struct BuiltInModel {
    std::string_view name; ///< as sim.device has it
    std::string_view text; ///< JSON
};
std::span<const BuiltInModel> builtInModels();

} // namespace olab::sim
