#include "report/repetition.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

namespace olab::analysis {
namespace {

constexpr std::size_t kMostLags = 32;  ///< candidates from single numbers
constexpr std::size_t kMostOfRuns = 8; ///< candidates from runs of numbers, per length
constexpr std::array<std::size_t, 2> kRuns{6, 24};
constexpr std::size_t kMostWithRuns = std::size_t{1} << 20; ///< longer sequences do without
constexpr std::int64_t kMismatch = 24;                      ///< a mismatch outweighs this many matches
constexpr double kNearlyAsLong = 0.97;                      ///< above this the shorter period is chosen
constexpr double kMostDiffer = 0.02;                        ///< share of the repeating part
constexpr double kComparable = 0.6;                         ///< above this the later part is chosen

using Votes = std::vector<std::pair<std::size_t, std::size_t>>; ///< count of numbers, and the lag

/// Candidate periods: for a rare number the usual distance between two occurrences. Numbers that occur
/// several times per iteration vote for fractions of it.
Votes votesOf(std::span<const std::uint32_t> sequence, std::size_t times) {
    std::uint32_t most = 0;
    for (const std::uint32_t each : sequence)
        most = std::max(most, each);
    std::vector<std::size_t> last(std::size_t{most} + 1, sequence.size());
    std::vector<std::vector<std::size_t>> distances(last.size());
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        std::size_t& before = last[sequence[i]];
        if (before != sequence.size())
            distances[sequence[i]].push_back(i - before);
        before = i;
    }
    std::map<std::size_t, std::size_t> votes; // by lag: numbers
    for (std::vector<std::size_t>& of : distances) {
        if (of.size() + 1 < times)
            continue;
        const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
        std::ranges::nth_element(of, middle);
        ++votes[*middle];
    }
    Votes byLag;
    for (const auto& [lag, count] : votes)
        byLag.emplace_back(count, lag);
    return byLag;
}

/// The lags with most votes, and the longest ones.
void choose(Votes votes, std::size_t most, std::vector<std::size_t>& lags) {
    const auto takeFirst = [&] {
        for (std::size_t i = 0; i < votes.size() && i < most / 2; ++i)
            lags.push_back(votes[i].second);
    };
    std::ranges::sort(votes, std::greater());
    takeFirst();
    std::ranges::sort(votes, std::greater(), &Votes::value_type::second);
    takeFirst();
}

/// Per place: an id for the run of `length` numbers that begins there. A run may occur once per iteration
/// although each of its numbers occurs more often.
std::vector<std::uint32_t> runsOf(std::span<const std::uint32_t> sequence, std::size_t length) {
    constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;
    std::uint64_t oldest = 1, hash = 0;
    for (std::size_t i = 0; i < length; ++i)
        oldest *= kFactor;
    std::unordered_map<std::uint64_t, std::uint32_t> ids;
    std::vector<std::uint32_t> runs;
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        hash = hash * kFactor + sequence[i] + 1;
        if (i >= length)
            hash -= oldest * (sequence[i - length] + 1);
        if (i + 1 >= length)
            runs.push_back(ids.try_emplace(hash, static_cast<std::uint32_t>(ids.size())).first->second);
    }
    return runs;
}

std::vector<std::size_t> lagsOf(std::span<const std::uint32_t> sequence, std::size_t times) {
    std::vector<std::size_t> lags;
    choose(votesOf(sequence, times), kMostLags, lags);
    if (sequence.size() <= kMostWithRuns)
        for (const std::size_t length : kRuns)
            choose(votesOf(runsOf(sequence, length), times), kMostOfRuns, lags);
    std::ranges::sort(lags);
    lags.erase(std::unique(lags.begin(), lags.end()), lags.end());
    return lags;
}

struct Part {
    std::size_t begin = 0, end = 0, differ = 0;
    std::int64_t worth = 0;
};

/// The part in which almost every number equals the one a lag earlier.
Part bestPart(std::span<const std::uint32_t> sequence, std::size_t lag) {
    Part best, here;
    for (std::size_t i = lag; i < sequence.size(); ++i) {
        const bool same = sequence[i] == sequence[i - lag];
        here.worth += same ? 1 : -kMismatch;
        here.differ += same ? 0 : 1;
        here.end = i + 1;
        if (here.worth <= 0)
            here = {i + 1, i + 1, 0, 0};
        else if (here.worth > best.worth)
            best = here;
    }
    return best;
}

using Found = std::vector<std::pair<std::size_t, Part>>; ///< by period

const Part& mostOf(const Found& found) {
    return std::ranges::max_element(found, {}, [](const auto& each) { return each.second.worth; })->second;
}

/// Repetition at program start (compilers try variants of a kernel one after the other) precedes the main
/// loop: of two parts of comparable length the later one counts.
void keepLatest(Found& found) {
    while (!found.empty()) {
        const Part most = mostOf(found);
        Found later;
        for (const auto& each : found)
            if (each.second.begin >= most.end &&
                static_cast<double>(each.second.worth) >= kComparable * static_cast<double>(most.worth))
                later.push_back(each);
        if (later.empty())
            return;
        found = std::move(later);
    }
}

} // namespace

Repetition repetitionOf(std::span<const std::uint32_t> sequence, std::size_t times) {
    Found found;
    for (const std::size_t lag : lagsOf(sequence, times)) {
        const Part part = bestPart(sequence, lag);
        const std::size_t length = part.end - part.begin;
        const bool isFew = length < (times - 1) * lag;
        const bool isVague = static_cast<double>(part.differ) > kMostDiffer * static_cast<double>(length);
        if (length == 0 || isFew || isVague)
            continue;
        found.emplace_back(lag, part);
    }
    keepLatest(found);
    const auto most = found.empty() ? 0.0 : static_cast<double>(mostOf(found).worth);
    for (const auto& [lag, part] : found)
        if (static_cast<double>(part.worth) >= kNearlyAsLong * most)
            return {lag, part.begin - std::min(part.begin, lag), part.end};
    return {};
}

} // namespace olab::analysis
