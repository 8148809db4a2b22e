// Groups activities that count together, by the name of their kind.
#pragma once

#include <olab/analysis/statistics_rows.h>
#include <olab/trace/run_control.h>

namespace olab::analysis {

struct NameGroups {
    struct Group {
        std::string name, label;
        ActivityClass cls{};
    };
    std::vector<Group> groups;
    std::vector<std::uint32_t> ofKind; ///< by kind of activity; kNoNumber: not in this table
};

/// @throws Error only when cancelled
/// `eachNumber`: as StatisticsWish::eachNumber.
NameGroups groupsOf(const Trace& trace, StatisticsGroup by, bool eachNumber, const RunControl& control);

} // namespace olab::analysis
