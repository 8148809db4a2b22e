#include "recordings/recordings_rows.h"

#include <algorithm>

namespace olab::ui {

namespace {

std::size_t groupWanted(const std::vector<survey::Group>& groups, const HistoryWish& wish) {
    const auto at = std::ranges::find_if(groups, [&](const survey::Group& group) {
        return wish.isChosen && group.program == wish.program && group.machine == wish.machine;
    });
    return at == groups.end() ? 0 : static_cast<std::size_t>(at - groups.begin());
}

} // namespace

const survey::Outlier* RecordingsStanding::outlierOf(std::size_t row, std::size_t ofColumn) const {
    const auto at = ofRow.find(row);
    if (at == ofRow.end())
        return nullptr;
    for (const std::size_t number : at->second)
        if (outliers[number].column == ofColumn)
            return &outliers[number];
    return nullptr;
}

const survey::Outlier* RecordingsStanding::farthestOf(std::size_t row) const {
    const auto at = ofRow.find(row);
    return at == ofRow.end() ? nullptr : &outliers[at->second.front()];
}

RecordingsStandingPtr standingOf(const RecordingsRows& rows, const HistoryWish& wish) {
    RecordingsStanding standing;
    standing.groups = survey::groupsOf(rows.rows);
    standing.outliers = survey::outliersOf(rows.rows, standing.groups, rows.columns.size());
    for (std::size_t i = 0; i < standing.outliers.size(); ++i)
        standing.ofRow[standing.outliers[i].row].push_back(i);
    return withHistory(standing, rows, wish);
}

RecordingsStandingPtr withHistory(const RecordingsStanding& standing, const RecordingsRows& rows,
                                  const HistoryWish& wish) {
    auto made = std::make_shared<RecordingsStanding>(standing);
    made->column = wish.column;
    made->history.reset();
    if (made->groups.empty())
        return made;
    made->group = groupWanted(made->groups, wish);
    const std::span<const survey::Group> one(&made->groups[made->group], 1);
    auto histories = survey::historiesOf(rows.rows, one, wish.column);
    if (!histories.empty())
        made->history = std::move(histories.front());
    return made;
}

} // namespace olab::ui
