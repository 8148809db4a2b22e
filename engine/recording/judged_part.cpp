#include "judged_part.h"

#include <algorithm>
#include <span>
#include <vector>

namespace olab::recording {
namespace {

using Iterations = std::span<const Interval>;

double mean(Iterations some) {
    return static_cast<double>(some.back().end - some.front().begin) / static_cast<double>(some.size());
}

bool takesMuchLonger(Interval iteration, Ns usual) {
    return 2 * iteration.length() > 3 * usual;
}

/// Per iteration: the number of operations that begin in it.
std::vector<std::size_t> operationsOf(Iterations all, const analysis::TraceFacts& facts) {
    std::vector<std::size_t> counts(all.size(), 0);
    std::size_t at = 0;
    for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) { // by begin
        const Ns begin = facts.trace().begin(facts.deviceWork().row(n));
        while (at < all.size() && begin >= all[at].end)
            ++at;
        if (at < all.size() && begin >= all[at].begin)
            ++counts[at];
    }
    return counts;
}

/// An iteration with more work, such as a checkpoint, is no accident.
bool noneDoesMore(Iterations all, const analysis::TraceFacts& facts) {
    constexpr double kMore = 1.02; ///< iteration borders may be off by an operation
    std::vector<std::size_t> counts = operationsOf(all, facts);
    const auto middle = counts.begin() + std::ssize(counts) / 2;
    std::ranges::nth_element(counts, middle);
    return static_cast<double>(*std::ranges::max_element(counts)) <= kMore * static_cast<double>(*middle) + 1;
}

/// Nor is it an accident if many take a little longer.
bool someTakeMuchLonger(Iterations all, Ns usual) {
    constexpr double kUnsteady = 1.03;
    return mean(all) > kUnsteady * static_cast<double>(usual) &&
           std::ranges::any_of(all, [&](Interval time) { return takesMuchLonger(time, usual); });
}

/// The longest run of iterations of which none takes much longer than usual, nor do they in total.
Iterations quietStretch(Iterations all, Ns usual) {
    constexpr double kTogether = 1.05;
    Iterations longest;
    for (std::size_t first = 0; first < all.size(); ++first)
        for (std::size_t last = first; last < all.size() && !takesMuchLonger(all[last], usual); ++last) {
            const Iterations some = all.subspan(first, last - first + 1);
            if (some.size() > longest.size() && mean(some) <= kTogether * static_cast<double>(usual))
                longest = some;
        }
    return longest;
}

/// Without the last one if that is cut short; each of the others lasts until the next.
Iterations wholeOnes(const analysis::SteadyState& found) {
    constexpr double kCut = 0.95;
    constexpr std::size_t kSpare = 4; ///< with fewer iterations none is left out
    const Iterations all = found.iterations;
    const bool isCut = static_cast<double>(all.back().length()) < kCut * static_cast<double>(found.period);
    return all.size() > kSpare && isCut ? all.first(all.size() - 1) : all;
}

} // namespace

analysis::JudgedPart steadyPartOf(const analysis::SteadyState& found) {
    const Iterations all = wholeOnes(found);
    analysis::JudgedPart part;
    part.time = {found.time.begin, all.size() < found.iterations.size() ? all.back().end : found.time.end};
    part.iterations = all.size();
    return part;
}

std::optional<analysis::JudgedPart> usualPartOf(const analysis::SteadyState& found,
                                                const analysis::TraceFacts& facts) {
    constexpr double kEnough = 0.4; // anything that occurs more often is no accident
    constexpr std::size_t kFewest = 4;
    constexpr std::size_t kMost = 2'000; // with so many, a few do not matter
    const Iterations all = wholeOnes(found);
    if (all.size() > kMost || !someTakeMuchLonger(all, found.period) || !noneDoesMore(all, facts))
        return std::nullopt;
    const Iterations usual = quietStretch(all, found.period);
    if (usual.size() < std::max(kFewest, static_cast<std::size_t>(kEnough * static_cast<double>(all.size()))))
        return std::nullopt;
    analysis::JudgedPart part;
    part.time = {usual.front().begin, usual.back().end};
    part.iterations = usual.size();
    part.unusual = all.size() - usual.size();
    part.longestUnusual = found.longest;
    return part;
}

} // namespace olab::recording
