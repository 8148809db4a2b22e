// A survey as a document: JSON, JSON lines, CSV. Any thread.
#pragma once

#include <olab/survey/standing.h>

#include <string>

namespace olab::survey {

struct Survey {
    std::vector<Column> columns;
    std::vector<Row> rows; ///< in the order they are shown in
    std::vector<Group> groups;
    std::vector<Outlier> outliers;
    std::vector<History> histories; ///< of the column that they are ordered by
    std::size_t by = 0;             ///< that column
};
/// How rows are ordered: by a column, those without that number last; rows with a problem behind all.
struct RowOrder {
    std::size_t column = 0;
    bool ascending = false;
};
/// Whether `a` stands above `b`; rows of which neither does keep the order of their files.
bool comesBefore(const Row& a, const Row& b, const RowOrder& order);
/// In that order, with groups, outliers, and histories of the column they are ordered by.
Survey surveyOf(std::vector<Row> rows, std::vector<Column> columns, const RowOrder& order);
/// The column of a head ("efficiency") or a pointer; one of a pointer that is not there yet is added.
/// @throws Error kind Usage for another word
std::size_t columnOf(std::vector<Column>& columns, const std::string& named);

/// Rows in the order they are to stand in.
using RowList = std::span<const Row* const>;
std::string rowsToJsonLines(const std::vector<Column>& columns, RowList rows); ///< a row each
std::string rowsToCsv(const std::vector<Column>& columns, RowList rows);

/// {"format": "olab-survey", "version": 1, ...}; at most `top` rows.
std::string surveyToJson(const Survey& survey, std::size_t top);
std::string surveyToJsonLines(const Survey& survey, std::size_t top);
std::string surveyToCsv(const Survey& survey, std::size_t top);

} // namespace olab::survey
