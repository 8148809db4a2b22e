// What the table of recordings knows: a row each, which of them lie far from the others of their program and
// machine, and how one number went on. No recording is kept. Any thread that nobody writes beside.
#pragma once

#include <olab/survey/survey_table.h>

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace olab::ui {

struct RecordingsRows {
    std::vector<survey::Column> columns;
    std::vector<survey::Row> rows;   ///< as they came
    std::vector<std::size_t> places; ///< of each row among the files, which are ordered by name
};
using RecordingsRowsPtr = std::shared_ptr<RecordingsRows>;

/// Of which program and machine the chart shows which number; nothing: of the most recordings.
struct HistoryWish {
    std::string program, machine;
    bool isChosen = false; ///< false: the group of the most recordings
    std::size_t column = 0;
};

struct RecordingsStanding {
    std::vector<survey::Group> groups;
    std::vector<survey::Outlier> outliers;                           ///< the farthest first
    std::unordered_map<std::size_t, std::vector<std::size_t>> ofRow; ///< numbers of the outliers of a row
    std::size_t group = 0, column = 0;                               ///< of what follows; no group: none
    std::optional<survey::History> history; ///< nothing: fewer than two of that group have number and date
    /// Of that number, null: it is none.
    const survey::Outlier* outlierOf(std::size_t row, std::size_t ofColumn) const;
    const survey::Outlier* farthestOf(std::size_t row) const; ///< null: it has none
};
using RecordingsStandingPtr = std::shared_ptr<const RecordingsStanding>;

RecordingsStandingPtr standingOf(const RecordingsRows& rows, const HistoryWish& wish);
/// The same groups and outliers, with another history.
RecordingsStandingPtr withHistory(const RecordingsStanding& standing, const RecordingsRows& rows,
                                  const HistoryWish& wish);

} // namespace olab::ui
