#include "collective_match.h"

#include <olab/analysis/collectives.h>

#include <algorithm>
#include <map>

namespace olab::recording {
namespace {

__extension__ using Wide = __int128;

constexpr Ns kWindow = 100'000;      ///< ends of one collective lie closer than this, once aligned
constexpr std::size_t kProbes = 256; ///< collectives that vote
constexpr std::size_t kMostVotes = 1'000'000;
constexpr std::size_t kCandidates = 8; ///< shifts that are examined closely
constexpr std::uint64_t kLeast = 3;    ///< shared collectives prove nothing
constexpr double kLeastShare = 0.5;    ///< of those of the shorter recording
constexpr double kNearlyAsMany = 0.8;  ///< votes: then the residual decides
constexpr Ns kClearly = 4;             ///< times as exact as the next: not by chance
constexpr Ns kExact = 1'000;           ///< residuals below it are all equally good

using ByName = std::map<std::string_view, std::vector<Ns>>;

ByName endsByName(const std::vector<CollectiveEnd>& ends) {
    ByName by;
    for (const CollectiveEnd& end : ends)
        by[end.name].push_back(end.end);
    return by;
}

/// Pairs some dozens of collectives with all of the same name in the other: all vote for the true shift, few
/// for any other.
std::vector<Ns> votes(const ByName& reference, const std::vector<CollectiveEnd>& other) {
    std::size_t most = 1;
    for (const auto& [name, ends] : reference)
        most = std::max(most, ends.size());
    const std::size_t probes = std::clamp<std::size_t>(kMostVotes / most, 1, kProbes);
    std::vector<Ns> found;
    const std::size_t step = std::max<std::size_t>(1, other.size() / probes);
    for (std::size_t i = 0; i < other.size(); i += step)
        if (const auto same = reference.find(other[i].name); same != reference.end())
            for (const Ns end : same->second)
                if (Ns shift = 0; !__builtin_sub_overflow(end, other[i].end, &shift))
                    found.push_back(shift);
    std::ranges::sort(found);
    return found;
}

struct Candidate {
    Ns shift = 0;
    std::size_t votes = 0;
};

/// The shifts with most votes, far enough apart to be distinct.
std::vector<Candidate> candidates(const std::vector<Ns>& votes) {
    std::vector<Candidate> all;
    for (std::size_t from = 0, to = 0; from < votes.size(); ++from) {
        while (to < votes.size() && Wide{votes[to]} - votes[from] <= kWindow)
            ++to;
        all.push_back({votes[from + (to - from) / 2], to - from});
    }
    std::ranges::stable_sort(all, std::greater(), &Candidate::votes);
    std::vector<Candidate> best;
    for (const Candidate& each : all) {
        if (best.size() == kCandidates)
            break;
        const bool isNew = std::ranges::none_of(best, [&](const Candidate& b) {
            const Wide apart = Wide{b.shift} - each.shift;
            return apart < 2 * kWindow && apart > -2 * kWindow;
        });
        if (isNew)
            best.push_back(each);
    }
    return best;
}

/// All collectives with this shift: the median residual, and how far nine of ten lie from it.
std::optional<ClockMatch> closely(const ByName& reference, const ByName& other, Ns shift) {
    std::vector<Ns> left;
    for (const auto& [name, ends] : other) {
        const auto same = reference.find(name);
        if (same == reference.end())
            continue;
        for (const Ns end : ends) {
            Ns expected = 0;
            if (__builtin_add_overflow(end, shift, &expected))
                return std::nullopt;
            const auto after = std::ranges::lower_bound(same->second, expected);
            std::optional<Wide> nearest;
            for (auto at = after == same->second.begin() ? after : std::prev(after);
                 at != same->second.end() && at <= after; ++at)
                if (const Wide apart = Wide{*at} - expected;
                    !nearest || std::max(apart, -apart) < std::max(*nearest, -*nearest))
                    nearest = apart;
            if (nearest && *nearest <= kWindow && *nearest >= -kWindow)
                left.push_back(static_cast<Ns>(*nearest));
        }
    }
    if (left.size() < kLeast)
        return std::nullopt;
    std::ranges::sort(left);
    const Ns median = left[left.size() / 2];
    ClockMatch match{0, 0, left.size()};
    if (__builtin_add_overflow(shift, median, &match.shift))
        return std::nullopt;
    for (Ns& each : left)
        each = std::abs(each - median);
    std::ranges::sort(left);
    match.error = left[left.size() * 9 / 10];
    return match;
}

Wide distance(Ns a, Ns b) {
    const Wide apart = Wide{a} - b;
    return std::max(apart, -apart);
}

} // namespace

std::vector<CollectiveEnd> collectiveEnds(const Trace& trace) {
    std::vector<bool> is;
    for (const ActivityKind& kind : trace.kinds())
        is.push_back(kind.cls == ActivityClass::Kernel && analysis::isCollective(trace.text(kind.name)));
    if (std::ranges::find(is, true) == is.end())
        return {};
    std::vector<std::vector<CollectiveEnd>> ofDevice(trace.devices().size());
    for (ActivityIndex row = 0; row < trace.size(); ++row)
        if (is[trace.kindOf(row)])
            ofDevice[trace.device(row)].push_back(
                {analysis::collectiveName(trace.text(trace.nameOf(row))), trace.end(row)});
    auto most = std::ranges::max_element(ofDevice, {}, &std::vector<CollectiveEnd>::size);
    std::ranges::stable_sort(*most, {}, &CollectiveEnd::end);
    return std::move(*most);
}

std::optional<ClockMatch> matchCollectives(const std::vector<CollectiveEnd>& reference,
                                           const std::vector<CollectiveEnd>& other, std::optional<Ns> near) {
    const ByName there = endsByName(reference), here = endsByName(other);
    const std::vector<Candidate> possible = candidates(votes(there, other));
    std::vector<ClockMatch> fitting;
    for (const Candidate& each : possible)
        if (static_cast<double>(each.votes) >= kNearlyAsMany * static_cast<double>(possible.front().votes))
            if (const auto match = closely(there, here, each.shift))
                fitting.push_back(*match);
    const double least = kLeastShare * static_cast<double>(std::min(reference.size(), other.size()));
    std::erase_if(fitting, [&](const ClockMatch& m) { return static_cast<double>(m.shared) < least; });
    if (fitting.empty())
        return std::nullopt;
    std::ranges::sort(fitting, {}, [](const ClockMatch& m) { return std::max(m.error, kExact); });
    if (fitting.size() == 1 ||
        std::max(fitting[1].error, kExact) >= kClearly * std::max(fitting[0].error, kExact))
        return fitting.front();
    if (!near)
        return std::nullopt;
    std::ranges::sort(fitting, {}, [&](const ClockMatch& m) { return distance(m.shift, *near); });
    const bool isClear = distance(fitting[1].shift, *near) >=
                         kClearly * std::max<Wide>(distance(fitting[0].shift, *near), kExact);
    return isClear ? std::optional(fitting.front()) : std::nullopt;
}

} // namespace olab::recording
