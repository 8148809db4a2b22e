// Judges many recordings one by one, one row each: the requested numbers of their reports, what ran, where
// and when. An unreadable file gets a row with the reason. All cores work; memory is bounded by the few
// largest files. Any thread.
#pragma once

#include <olab/io/report_document.h>
#include <olab/trace/run_control.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace olab::survey {

/// A number or text of the report, by its JSON pointer.
struct Column {
    std::string head;    ///< "efficiency"
    std::string pointer; ///< "/bounds/efficiency"
    friend bool operator==(const Column&, const Column&) = default;
};
/// Run time, ideal, efficiency, first cause, its cost.
std::vector<Column> usualColumns();
/// All columns that have a word as head: the usual ones, what was lost, the worst verdict, its pair, its
/// overlap, how much of the copies is hidden behind kernels, defects (/survey/...).
std::vector<Column> namedColumns();

struct Row {
    std::filesystem::path file;
    std::string problem;    ///< why it could not be judged; then only the file is known
    std::string loss;       ///< what was lost, so that its numbers are incomplete; empty: it is complete
    std::string program;    ///< what ran: non-default options, the command, or the file's name
    std::string machine;    ///< where: the device, and which one of its kind
    std::string source;     ///< "cuda", "simulated", "imported", ...
    std::string recordedAt; ///< ISO 8601; empty: unknown
    std::string headline;   ///< of its account; may be empty
    std::vector<io::ReportValue> values; ///< of each column
    /// The number of the column; nothing if it is no number.
    std::optional<long double> number(std::size_t column) const;
};

struct FoundFiles {
    std::vector<std::filesystem::path> files; ///< sorted by name, with embedded numbers by value
    bool stopped = false;                     ///< a folder has more entries than the limit
};
/// The named files, and in named folders the traces and files that are named like recordings.
/// @throws Error if a folder cannot be read
FoundFiles filesIn(std::span<const std::filesystem::path> places, const RunControl& control);

struct SurveyPlan {
    std::vector<std::filesystem::path> files;
    std::vector<Column> columns = usualColumns();
    /// Up to this many operations the account is computed; larger recordings lack its numbers.
    std::size_t accountUpTo = 200'000;
    /// Files are read at once while what they may take is less than that; a larger one is read alone.
    std::uint64_t memory = std::uint64_t{768} << 20;
    unsigned workers = 0; ///< 0: as many as there are processors
    /// The largest first is done soonest; the smallest first has rows soonest.
    bool smallestFirst = false;
    /// Given, it gets each row as it is judged, with its place in `files`, and survey() keeps none. Called on
    /// several threads at once.
    std::function<void(std::size_t file, Row row)> judged{};
    /// The report of a row that has been judged, before its row. Called on several threads at once.
    std::function<void(const Row& row, const io::ReportDocument& report)> reported{};
};
/// In the order of the files; none with plan.judged. @throws Error when cancelled; for a pointer that is none
std::vector<Row> survey(const SurveyPlan& plan, const RunControl& control);

/// What reading and judging the file may take at most, by its size and kind; an estimate.
std::uint64_t memoryFor(const std::filesystem::path& file);

/// Which numbers the reports of a set of recordings have, to choose columns from: of the first recordings of
/// each program and machine. Any thread, several at once.
class NumberNames {
public:
    struct Number {
        std::string pointer; ///< "/devices/0/idle_ns"
        std::string example; ///< of the first recording that has it, as its report writes it
    };
    void add(const Row& row, const io::ReportDocument& report);
    std::vector<Number> all() const; ///< by pointer

private:
    static constexpr std::size_t kMostPrograms = 200, kMostNumbers = 20'000;
    mutable std::mutex m_mutex;
    std::set<std::pair<std::string, std::string>> m_seen; ///< programs and machines
    std::map<std::string, std::string> m_examples;        ///< by pointer
};

} // namespace olab::survey
