// Many recordings judged one by one, a row each: the numbers of their reports that were asked for, what ran,
// where and when. A file that cannot be read is a row that says why. All cores work; what is in memory at
// once is bounded by the largest few files. Any thread.
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
/// All that have a word for a head: the usual ones, and what was lost, the worst verdict, its pair, how much
/// of it overlapped, how much of the copies is hidden behind kernels, defects (/survey/...).
std::vector<Column> namedColumns();

struct Row {
    std::filesystem::path file;
    std::string problem;    ///< why it could not be judged; then only the file is known
    std::string loss;       ///< what of it was lost: its numbers are those of a part; empty: it is whole
    std::string program;    ///< what ran: options unlike the defaults, the command, the file's name
    std::string machine;    ///< where: the device, and which of its kind
    std::string source;     ///< "cuda", "simulated", "imported", ...
    std::string recordedAt; ///< ISO 8601; empty: unknown
    std::string headline;   ///< of its account; may be empty
    std::vector<io::ReportValue> values; ///< of each column
    /// Of the column; nothing where it is no number.
    std::optional<long double> number(std::size_t column) const;
};

struct FoundFiles {
    std::vector<std::filesystem::path> files; ///< by name, numbers in them by value
    bool stopped = false;                     ///< a folder has more entries than were looked at
};
/// The files named, and in the folders named the traces, and files that are named as recordings but are none.
/// @throws Error if a folder cannot be read
FoundFiles filesIn(std::span<const std::filesystem::path> places, const RunControl& control);

struct SurveyPlan {
    std::vector<std::filesystem::path> files;
    std::vector<Column> columns = usualColumns();
    /// Of up to so many operations the account is made; its numbers are missing in larger ones.
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
