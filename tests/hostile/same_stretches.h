// A database read in stretches of a few rows on several threads, and in the usual ones on one thread: what
// comes out is the same, and so is what is said of it.
#pragma once

#include "import/table_scan.h"

#include <olab/trace/trace_builder.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace olab::test {

using DatabaseReader = io::RecordingData (*)(io::Source&, RecordSink&, const RunControl&,
                                             const io::imports::ScanSettings&);

struct ReadInStretches {
    Trace trace;
    std::string refusal; ///< empty: it was read
};

inline constexpr io::imports::ScanSettings kUsualStretches{.threads = 1};
inline constexpr io::imports::ScanSettings kTinyStretches{
    .rowsOfStretch = 3, .bytesOfStretch = 64, .threads = 1};
inline constexpr io::imports::ScanSettings kTinyOnThreads{
    .rowsOfStretch = 3, .bytesOfStretch = 64, .threads = 3};

inline ReadInStretches readInStretches(DatabaseReader reader, const std::filesystem::path& file,
                                       const io::imports::ScanSettings& settings) {
    const RunControl control;
    TraceBuilder builder;
    ReadInStretches result;
    try {
        io::Source source(file, control);
        reader(source, builder, control, settings);
        result.trace = builder.finish();
    } catch (const Error& error) {
        result.refusal = error.what();
    }
    return result;
}

/// Empty: there is none.
inline std::string differenceOfStretches(DatabaseReader reader, const std::filesystem::path& file) {
    const ReadInStretches usual = readInStretches(reader, file, kUsualStretches);
    std::string difference;
    for (const io::imports::ScanSettings& settings : {kTinyStretches, kTinyOnThreads}) {
        const ReadInStretches other = readInStretches(reader, file, settings);
        const auto said = [](const ReadInStretches& read) {
            std::string text = read.refusal + std::to_string(read.trace.counts().kept) + " kept";
            for (const Defect& defect : read.trace.defects())
                text += "; " + std::to_string(defect.count) + " x " + defect.text();
            return text;
        };
        if (!difference.empty() || (usual.refusal == other.refusal && usual.trace == other.trace))
            continue;
        difference =
            std::to_string(settings.threads) + " threads: " + said(other) + " | usual: " + said(usual);
    }
    return difference;
}

namespace same_stretches_detail {

inline bool makeText(const io::imports::RowCells& cells, io::imports::ScannedRow& row,
                     io::imports::ScannedRows& all) {
    std::string text;
    for (int i = 0; i < static_cast<int>(io::imports::RowCells::kMost); ++i)
        text += std::to_string(cells.isNull(i)) + ":" + std::to_string(cells.integer(i).value_or(-7)) + "'" +
                std::string(cells.bytes(i)) + "' ";
    all.setText(row, text);
    return true;
}

} // namespace same_stretches_detail

/// All rows of all tables as text, and what is wrong with each.
inline std::string allRows(io::imports::SqliteDatabase& database, const std::filesystem::path& file,
                           const io::imports::ScanSettings& settings) {
    std::vector<io::imports::ScannedTable> tables;
    std::vector<std::vector<std::string_view>> columns;
    std::string trouble;
    for (const std::string& name : database.names())
        if (const auto table = database.table(name, trouble))
            tables.push_back({.table = *table, .columns = {}, .make = same_stretches_detail::makeText});
    columns.reserve(tables.size());
    for (io::imports::ScannedTable& table : tables) {
        columns.emplace_back(table.table.columns.begin(), table.table.columns.end());
        columns.back().resize(std::min(columns.back().size(), io::imports::RowCells::kMost));
        table.columns = columns.back();
    }
    std::string text;
    const RunControl control;
    io::imports::scanTables(
        database, file, file, tables,
        [&](const io::imports::ScannedTable& table, io::imports::ScannedRows& rows) {
            for (std::size_t i = 0; i < rows.count; ++i)
                text += table.table.name + " " + std::string(rows.textOf(rows.rows[i])) + "\n";
            if (rows.tooLong > 0 || !rows.damage.empty())
                text += std::to_string(rows.tooLong) + " too long, " + rows.damage + "\n";
        },
        control, settings);
    return text;
}

} // namespace olab::test
