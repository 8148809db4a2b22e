#include <olab/survey/survey_table.h>

#include <olab/trace/error.h>
#include <olab/trace/value_text.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace olab::survey {
namespace {

using Json = nlohmann::ordered_json;
using Is = io::ReportValue::Is;

std::string written(const Json& json, int indent = -1) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json valueJson(const io::ReportValue& value) {
    return value.is == Is::Missing ? Json() : Json::parse(value.shown, nullptr, false);
}

Json valuesJson(const std::vector<Column>& columns, const Row& row) {
    Json values = Json::object();
    for (std::size_t i = 0; i < columns.size(); ++i)
        values[columns[i].pointer] = i < row.values.size() ? valueJson(row.values[i]) : Json();
    return values;
}

Json rowJson(const std::vector<Column>& columns, const Row& row) {
    if (!row.problem.empty())
        return {{"file", row.file.string()}, {"problem", row.problem}};
    return {{"file", row.file.string()},
            {"program", row.program},
            {"machine", row.machine},
            {"source", row.source},
            {"recorded_at", row.recordedAt},
            {"headline", row.headline},
            {"loss", row.loss},
            {"values", valuesJson(columns, row)}};
}

/// A number as JSON: integers stay integers.
Json numberJson(long double number) {
    constexpr long double kWhole = 9e15L;
    if (number == std::trunc(number) && std::abs(number) < kWhole)
        return static_cast<std::int64_t>(number);
    return static_cast<double>(number);
}

Json outlierJson(const Survey& survey, const Outlier& outlier) {
    return {{"file", survey.rows[outlier.row].file.string()},
            {"pointer", survey.columns[outlier.column].pointer},
            {"value", numberJson(outlier.value)},
            {"median", numberJson(outlier.median)},
            {"distance", outlier.distance},
            {"runs", outlier.runs}};
}

Json changeJson(const std::optional<comparison::Slowdown>& change) {
    if (!change || !change->low)
        return {};
    return {{"ratio", change->ratio}, {"low", *change->low}, {"high", *change->high}};
}

Json historyJson(const Survey& survey, const History& history, std::size_t column) {
    const Group& group = survey.groups[history.group];
    Json points = Json::array();
    for (const std::size_t row : history.rows)
        points.push_back({{"recorded_at", survey.rows[row].recordedAt},
                          {"file", survey.rows[row].file.string()},
                          {"value", valueJson(survey.rows[row].values[column])}});
    return {{"program", group.program},
            {"machine", group.machine},
            {"pointer", survey.columns[column].pointer},
            {"median", numberJson(history.median)},
            {"lowest", numberJson(history.lowest)},
            {"highest", numberJson(history.highest)},
            {"later_half", changeJson(history.change)},
            {"points", std::move(points)}};
}

template <typename List, typename ToJson>
Json listJson(const List& list, ToJson toJson) {
    Json json = Json::array();
    for (const auto& one : list)
        json.push_back(toJson(one));
    return json;
}

Json columnsJson(const std::vector<Column>& columns) {
    return listJson(columns, [](const Column& c) { return Json{{"head", c.head}, {"pointer", c.pointer}}; });
}

std::span<const Row> shownRows(const Survey& survey, std::size_t top) {
    return std::span(survey.rows).first(std::min(top, survey.rows.size()));
}

std::string csvOf(const io::ReportValue& value) {
    switch (value.is) {
    case Is::Number:
        return value.shown;
    case Is::Text:
        return csvText(value.text);
    case Is::Other:
        return csvText(value.shown);
    case Is::Missing:
    case Is::Null:
        break;
    }
    return {};
}

/// Order of rows: those with that number, those without, those that could not be judged.
enum class Standing : std::uint8_t { Number, None, Problem };
Standing standingOf(const Row& row, std::size_t column) {
    return !row.problem.empty() ? Standing::Problem : row.number(column) ? Standing::Number : Standing::None;
}

std::string textOf(const Row& row, std::size_t column) {
    return column < row.values.size() && row.values[column].is == Is::Text ? row.values[column].text : "";
}

std::vector<const Row*> listed(const Survey& survey, std::size_t top) {
    std::vector<const Row*> rows;
    for (const Row& row : shownRows(survey, top))
        rows.push_back(&row);
    return rows;
}

} // namespace

bool comesBefore(const Row& a, const Row& b, const RowOrder& by) {
    const Standing x = standingOf(a, by.column), y = standingOf(b, by.column);
    if (x != y)
        return x < y;
    if (x == Standing::None)
        return textOf(a, by.column) < textOf(b, by.column);
    return x == Standing::Number && (by.ascending ? *a.number(by.column) < *b.number(by.column)
                                                  : *a.number(by.column) > *b.number(by.column));
}

Survey surveyOf(std::vector<Row> rows, std::vector<Column> columns, const RowOrder& by) {
    Survey survey;
    survey.columns = std::move(columns);
    survey.rows = std::move(rows);
    std::ranges::stable_sort(survey.rows, [&](const Row& a, const Row& b) { return comesBefore(a, b, by); });
    survey.groups = groupsOf(survey.rows);
    survey.outliers = outliersOf(survey.rows, survey.groups, survey.columns.size());
    survey.histories = historiesOf(survey.rows, survey.groups, by.column);
    survey.by = by.column;
    return survey;
}

std::size_t columnOf(std::vector<Column>& columns, const std::string& named) {
    const bool isPointer = named.starts_with('/');
    const auto at = std::ranges::find(columns, named, isPointer ? &Column::pointer : &Column::head);
    if (at != columns.end())
        return static_cast<std::size_t>(at - columns.begin());
    const std::vector<Column> known = namedColumns();
    if (const auto it = std::ranges::find(known, named, &Column::head); it != known.end()) {
        columns.push_back(*it);
        return columns.size() - 1;
    }
    if (!isPointer)
        throw Error(ErrorKind::Usage, "no-column", "There is no column '" + named + "'.",
                    "Write the JSON pointer of a number of the report, as in /bounds/efficiency.");
    columns.push_back({named.substr(named.rfind('/') + 1), named});
    return columns.size() - 1;
}

std::string surveyToJson(const Survey& survey, std::size_t top) {
    const auto problems = std::ranges::count_if(survey.rows, [](const Row& r) { return !r.problem.empty(); });
    const Json json{
        {"format", "olab-survey"},
        {"version", 1},
        {"columns", columnsJson(survey.columns)},
        {"files", survey.rows.size()},
        {"problems", problems},
        {"rows",
         listJson(shownRows(survey, top), [&](const Row& row) { return rowJson(survey.columns, row); })},
        {"outliers", listJson(survey.outliers, [&](const Outlier& o) { return outlierJson(survey, o); })},
        {"history",
         listJson(survey.histories, [&](const History& h) { return historyJson(survey, h, survey.by); })}};
    return written(json, 2) + "\n";
}

std::string rowsToJsonLines(const std::vector<Column>& columns, RowList rows) {
    std::string text;
    for (const Row* const row : rows)
        text += written(rowJson(columns, *row)) + "\n";
    return text;
}

std::string rowsToCsv(const std::vector<Column>& columns, RowList rows) {
    std::string text = "file,problem,loss,program,machine,source,recorded_at,headline";
    for (const Column& column : columns)
        text += "," + csvText(column.pointer);
    text += "\n";
    for (const Row* const row : rows) {
        for (const std::string& one : {row->file.string(), row->problem, row->loss, row->program,
                                       row->machine, row->source, row->recordedAt})
            text += csvText(one) + ",";
        text += csvText(row->headline);
        for (std::size_t i = 0; i < columns.size(); ++i)
            text += "," + (i < row->values.size() ? csvOf(row->values[i]) : std::string());
        text += "\n";
    }
    return text;
}

std::string surveyToJsonLines(const Survey& survey, std::size_t top) {
    return rowsToJsonLines(survey.columns, listed(survey, top));
}

std::string surveyToCsv(const Survey& survey, std::size_t top) {
    return rowsToCsv(survey.columns, listed(survey, top));
}

} // namespace olab::survey
