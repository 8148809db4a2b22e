// Compares bars that the learner dragged to where operations will run with where they ran: pair by pair,
// whether the two overlap, and if not, which came first. The distance between them does not matter. Pure; any
// thread.
#pragma once

#include <olab/lesson/lesson.h>
#include <olab/trace/interval.h>
#include <olab/trace/trace.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace olab::lesson {

/// Nothing: the run has no operation of this number.
std::optional<ActivityIndex> findOp(const LessonOp& op, const Trace& trace);

/// Where the operations ran, in the order of the bars.
struct BarTimes {
    std::vector<Interval> times;
    std::string missing{}; ///< why there are none: "the run has no third memset"
};
BarTimes barTimes(const LessonBars& bars, const Trace& trace);

/// Two bars overlap if they share at least this part of the shorter one.
inline constexpr double kTogether = 0.2;

struct BarSpan {
    double begin = 0, end = 0; ///< in any unit
};
bool areTogether(const BarSpan& a, const BarSpan& b);

enum class BarOrder : std::uint8_t { Together, AFirst, BFirst };
BarOrder orderOf(const BarSpan& a, const BarSpan& b);

struct BarPair {
    std::size_t a = 0, b = 0; ///< of the bars
    BarOrder predicted{}, ran{};
    bool right() const { return predicted == ran; }
};
/// All pairs. Empty if the numbers of spans and times differ.
std::vector<BarPair> barPairs(const std::vector<BarSpan>& predicted, const std::vector<Interval>& ran);
/// "5 of 6 pairs right."
std::string scoreText(const std::vector<BarPair>& pairs);
/// "H2D 2 and kernel 1: you had them apart; they ran together."
std::string pairText(const LessonBars& bars, const BarPair& pair);

} // namespace olab::lesson
