// Compares recordings of one program on one machine: outliers, and how a number changed with time. Pure
// functions, any thread.
#pragma once

#include <olab/comparison/slowdown.h>
#include <olab/survey/survey.h>

#include <string>

namespace olab::survey {

/// Rows of one program on one machine, by the time of their recording (unknown ones first, by name).
struct Group {
    std::string program, machine;
    std::vector<std::size_t> rows;
};
/// The largest first. Without rows that have a problem or lost something.
std::vector<Group> groupsOf(std::span<const Row> rows);

/// A number far from the others of its group.
struct Outlier {
    std::size_t row = 0, column = 0;
    long double value = 0, median = 0;
    double distance = 0;  ///< in standard deviations, estimated from the median deviation
    std::size_t runs = 0; ///< runs of the group with that number
};
inline constexpr std::size_t kFewestInGroup = 5;
/// 3.5 (Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993), and at least 2 % of the median.
inline constexpr double kFarAway = 3.5, kLeastShare = 0.02;
/// For all columns of numbers, the farthest first.
std::vector<Outlier> outliersOf(std::span<const Row> rows, std::span<const Group> groups,
                                std::size_t columns);

/// How a column's number developed, for a group with known recording times.
struct History {
    std::size_t group = 0;
    std::vector<std::size_t> rows; ///< those with that number and a time, in order of time
    std::string first, last;       ///< times
    long double median = 0, lowest = 0, highest = 0;
    /// The later half compared with the earlier one; nothing with fewer than ten, or if a number is not above
    /// 0.
    std::optional<comparison::Slowdown> change;
};
std::vector<History> historiesOf(std::span<const Row> rows, std::span<const Group> groups,
                                 std::size_t column);

// Texts for the numbers of a survey, its outliers and changes: the same in the window and on the command
// line. Pure functions, any thread.

bool isTime(const Column& column);                                   ///< its numbers are nanoseconds
bool isShare(const Column& column);                                  ///< its numbers are shares: 0.98 is 98 %
std::string numberText(const Column& column, long double number);    ///< "33.4 ms", "98 %", "0.9714"
std::string valueText(const Column& column, const io::ReportValue&); ///< "-": no value
/// "time 56 % more", "lost 2.1 times as much".
std::string shortOutlierText(const Outlier& outlier, const Column& column);
/// "time 52.1 ms, typical is 33.4 ms (24 runs): 56 % more, 8.2 deviations away".
std::string outlierText(const Outlier& outlier, const Column& column);
/// "time of the later half +3.1 % (+1.0 to +5.2)"; empty: too few to tell.
std::string changeText(const History& history, const Column& column);

} // namespace olab::survey
