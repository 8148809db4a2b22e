#include <olab/analysis/steady_state.h>

#include "facts/sentences.h"
#include "report/begins.h"
#include "report/host_loop.h"

#include <olab/analysis/waits.h>

#include <algorithm>

namespace olab::analysis {
namespace {

constexpr double kSlower = 1.2;        ///< relative to the median, at the begin: still warming up
constexpr Ns kScatters = 5;            ///< times the jitter: within normal scatter
constexpr std::size_t kMostRampUp = 4; ///< at most one in this many
constexpr Ns kMostTime = Ns{1} << 62;  ///< leaves room for sums and differences of two

Ns jitterOf(const std::vector<Interval>& iterations, Ns period) {
    std::vector<Ns> apart;
    for (const Interval& time : iterations)
        apart.push_back(std::abs(time.length() - period));
    return upperMedianOf(std::move(apart));
}

/// The first iterations are often slow: their loading and allocating is not part of the steady state.
void leaveOutRampUp(SteadyState& found) {
    const Ns period = upperMedianOf(lengthsOf(found.iterations));
    const Ns usual = std::max(static_cast<Ns>(kSlower * static_cast<double>(period)),
                              period + kScatters * jitterOf(found.iterations, period));
    const std::size_t fewest = std::min(found.iterations.size(), kFewestIterations);
    const std::size_t most =
        std::min(found.iterations.size() / kMostRampUp, found.iterations.size() - fewest);
    std::size_t slow = 0;
    while (slow < most && found.iterations[slow].length() > usual)
        ++slow;
    found.iterations.erase(found.iterations.begin(),
                           found.iterations.begin() + static_cast<std::ptrdiff_t>(slow));
    found.before = slow;
}

void measure(SteadyState& found, Interval device) {
    const auto lengths = lengthsOf(found.iterations);
    found.period = upperMedianOf(lengths);
    found.jitter = jitterOf(found.iterations, found.period);
    const auto nearest =
        std::ranges::min_element(lengths, {}, [&](Ns length) { return std::abs(length - found.period); });
    const auto longest = std::ranges::max_element(lengths);
    found.typical = static_cast<std::size_t>(nearest - lengths.begin());
    found.worst = static_cast<std::size_t>(longest - lengths.begin());
    found.shortest = *std::ranges::min_element(lengths);
    found.longest = *longest;
    found.time = {found.iterations.front().begin, found.iterations.back().end};
    found.rampUp = std::max<Ns>(0, found.time.begin - device.begin);
    found.rampDown = std::max<Ns>(0, device.end - found.time.end);
}

std::string textOf(const SteadyState& found) {
    const std::string by = found.mark == IterationMark::Pattern
                               ? "by the pattern of " + std::to_string(found.operations) + " operations"
                               : "by the ranges " + found.name;
    std::string text = std::to_string(found.iterations.size()) + " iterations, found " + by + ": " +
                       timeText(found.period) + " each, half of them within " + timeText(found.jitter) +
                       " of that; the worst takes " + timeText(found.longest) + ".";
    if (found.rampUp > found.period)
        text += " Not counted: " + timeText(found.rampUp) + " before them" +
                (found.before > 0 ? ", with " + std::to_string(found.before) + " that were slower." : ".");
    return text;
}

} // namespace

Ns upperMedianOf(std::vector<Ns> numbers) {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::ranges::nth_element(numbers, middle);
    return *middle;
}

std::vector<Ns> lengthsOf(const std::vector<Interval>& iterations) {
    std::vector<Ns> lengths;
    for (const Interval& time : iterations)
        lengths.push_back(time.length());
    return lengths;
}

std::string_view iterationMarkName(IterationMark mark) {
    constexpr std::string_view kNames[] = {"none", "steps", "ranges", "pattern"};
    return kNames[static_cast<std::size_t>(mark)];
}

SteadyState findSteadyState(const TraceFacts& facts, const RunControl& control) {
    SteadyState found;
    const Interval span = facts.trace().span();
    if (span.begin < -kMostTime || span.end > kMostTime) {
        found.missing = "Its times are too far from each other to be added up.";
        return found;
    }
    Begins begins = namedIterations(facts, control);
    if (begins.at.size() < fewestOf(begins.mark))
        begins = patternIterations(facts, control);
    if (begins.at.size() < fewestOf(begins.mark) && !facts.trace().hasTracedWindow())
        begins = hostLoop(facts, control);
    if (begins.at.size() < fewestOf(begins.mark)) {
        found.missing = "Nothing in it is repeated at least " + std::to_string(kFewestIterations) +
                        " times: no steps, no ranges, and no pattern of the operations of a stream.";
        return found;
    }
    found.mark = begins.mark, found.name = std::move(begins.name), found.operations = begins.operations;
    for (std::size_t i = 0; i < begins.at.size(); ++i) {
        const Ns end = i + 1 < begins.at.size() ? begins.at[i + 1] : begins.end;
        if (end > begins.at[i])
            found.iterations.push_back({begins.at[i], end});
    }
    if (found.iterations.size() < fewestOf(found.mark)) {
        SteadyState none;
        none.missing = "What is repeated in it takes no time: its begins are at the same moment.";
        return none;
    }
    leaveOutRampUp(found);
    measure(found, facts.trace().deviceSpan());
    found.text = textOf(found);
    return found;
}

} // namespace olab::analysis
