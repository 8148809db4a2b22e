#include <olab/analysis/statistics_rows.h>

#include <algorithm>
#include <array>

namespace olab::analysis {
namespace {

constexpr std::array<StatisticsGroupRow, 6> kGroupRows{{
    {StatisticsGroup::Work, "work", "All device work", "name"},
    {StatisticsGroup::Kernel, "kernel", "Kernels", "kernel"},
    {StatisticsGroup::Copy, "copy", "Copies and memsets", "copy"},
    {StatisticsGroup::Operator, "operator", "Operators", "operator"},
    {StatisticsGroup::Range, "range", "Named ranges", "range"},
    {StatisticsGroup::Call, "call", "API calls", "call"},
}};

} // namespace

std::span<const StatisticsGroupRow> statisticsGroups() {
    return {kGroupRows.data(), kGroupRows.size()};
}

const StatisticsGroupRow& statisticsGroupRow(StatisticsGroup group) {
    return kGroupRows[static_cast<std::size_t>(group)];
}

std::optional<StatisticsGroup> statisticsGroupOf(std::string_view id) {
    const auto row = std::ranges::find(kGroupRows, id, &StatisticsGroupRow::id);
    return row == kGroupRows.end() ? std::nullopt : std::optional(row->group);
}

std::optional<double> NamedWork::rate() const {
    if (bytes <= 0 || moving <= 0)
        return std::nullopt;
    return static_cast<double>(bytes) / static_cast<double>(moving);
}

double NamedWork::overlappedShare() const {
    return time > 0 ? static_cast<double>(overlapped) / static_cast<double>(time) : 0;
}

} // namespace olab::analysis
