// The rows of the option table, group by group, in the order of the form. Private to the module.
#pragma once

#include <olab/experiment/option_row.h>

#include <array>
#include <vector>

namespace olab::experiment::detail {

inline constexpr std::string_view kSimulatorGroup = "Simulator"; ///< what only the simulator supports

extern const std::array<std::vector<OptionRow> (*)(), 10> kOptionGroups;

} // namespace olab::experiment::detail
