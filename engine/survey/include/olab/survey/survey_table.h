// A survey as a document: JSON, JSON lines, CSV. Any thread.
#pragma once

#include <olab/survey/standing.h>

#include <string>

namespace olab::survey {

struct Survey {
    std::vector<Column> columns;
    std::vector<Row> rows; ///< in display order
    std::vector<Group> groups;
    std::vector<Outlier> outliers;
    std::vector<History> histories; ///< of the column that orders the rows
    std::size_t by = 0;             ///< index of that column
};
/// Order of the rows: by a column, those without that number last; rows with a problem after all others.
struct RowOrder {
    std::size_t column = 0;
    bool ascending = false;
};
/// Whether `a` comes before `b`; equal rows keep the order of their files.
bool comesBefore(const Row& a, const Row& b, const RowOrder& order);
/// Sorts the rows and adds groups, outliers, and histories of the ordering column.
Survey surveyOf(std::vector<Row> rows, std::vector<Column> columns, const RowOrder& order);
/// The column with a head ("efficiency") or pointer; a new pointer is added.
/// @throws Error kind Usage for another word
std::size_t columnOf(std::vector<Column>& columns, const std::string& named);

/// Rows in output order.
using RowList = std::span<const Row* const>;
std::string rowsToJsonLines(const std::vector<Column>& columns, RowList rows); ///< a row each
std::string rowsToCsv(const std::vector<Column>& columns, RowList rows);

/// {"format": "olab-survey", "version": 1, ...}; at most `top` rows.
std::string surveyToJson(const Survey& survey, std::size_t top);
std::string surveyToJsonLines(const Survey& survey, std::size_t top);
std::string surveyToCsv(const Survey& survey, std::size_t top);

} // namespace olab::survey
