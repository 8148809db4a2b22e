#include <olab/recording/rank_likeness.h>

#include "merge_names.h"

#include <olab/recording/last_seconds.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>

namespace olab::recording {
namespace {

/// A file name as its text between the numbers, and the numbers: "r#.json" and {"12"}.
struct NumberedName {
    std::string text;
    std::vector<std::string> numbers;
};

constexpr Ns kOneInstant = 500'000'000; // processes may be switched on slightly apart

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

NumberedName withoutNumbers(const std::string& name) {
    NumberedName made;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (!isDigit(name[i])) {
            made.text += name[i];
            continue;
        }
        if (i == 0 || !isDigit(name[i - 1])) {
            made.text += '#';
            made.numbers.emplace_back();
        }
        made.numbers.back() += name[i];
    }
    return made;
}

/// A candidate: the recording at `at`, with the number that would be its rank.
struct MaybeRank {
    std::size_t at = 0;
    std::int64_t rank = 0;
    std::optional<Interval> wall;
};
using Group = std::vector<MaybeRank>;

/// Splits those of a known time into groups of overlapping ones. The others are one group.
std::vector<Group> byTime(Group all) {
    std::vector<Group> groups(1);
    const auto unknown = std::stable_partition(all.begin(), all.end(), // not of ranges: clang 14
                                               [](const MaybeRank& c) { return !!c.wall; });
    groups.back().assign(unknown, all.end());
    all.erase(unknown, all.end());
    std::ranges::sort(all, {}, [](const MaybeRank& c) { return c.wall->begin; });
    Ns end = 0;
    for (const MaybeRank& c : all) {
        if (c.wall->begin >= end || groups.size() == 1)
            groups.emplace_back();
        groups.back().push_back(c);
        end = groups.back().size() == 1 ? c.wall->end : std::max(end, c.wall->end);
    }
    return groups;
}

/// Nothing if one rank is there twice: these are several runs.
void addRanks(Group group, std::vector<std::vector<std::size_t>>& into) {
    std::ranges::sort(group, {}, &MaybeRank::rank);
    if (group.size() < 2 || std::ranges::adjacent_find(group, {}, &MaybeRank::rank) != group.end())
        return;
    into.emplace_back();
    for (const MaybeRank& c : group)
        into.back().push_back(c.at);
}

/// What all ranks of one run have in common.
std::string runKey(const RankSigns& signs) {
    const std::string size = signs.ranks ? std::to_string(*signs.ranks) : "";
    return signs.format + '\n' + size + '\n' + (signs.rank ? "said" : withoutNumbers(signs.name).text);
}

std::optional<std::int64_t> knownRank(const RankSigns& signs) {
    return signs.rank ? signs.rank : rankInName(signs.name);
}

void addKnownRanks(const std::vector<RankSigns>& all, std::vector<std::vector<std::size_t>>& into) {
    std::map<std::string, Group> runs;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (const auto rank = knownRank(all[i]))
            runs[runKey(all[i])].push_back({i, *rank, all[i].wall});
    for (auto& [key, group] : runs)
        for (Group& part : byTime(std::move(group)))
            addRanks(std::move(part), into);
}

/// The one place in which the numbers of these names differ; nothing if there are several or none.
std::optional<std::size_t> onlyDifference(const std::vector<NumberedName>& names) {
    std::set<std::size_t> places;
    for (const NumberedName& name : names)
        for (std::size_t i = 0; i < name.numbers.size(); ++i)
            if (name.numbers[i] != names.front().numbers[i])
                places.insert(i);
    return places.size() == 1 ? std::optional(*places.begin()) : std::nullopt;
}

void addNumbered(const std::vector<RankSigns>& all, const Group& group,
                 std::vector<std::vector<std::size_t>>& into) {
    std::vector<NumberedName> names;
    for (const MaybeRank& c : group)
        names.push_back(withoutNumbers(all[c.at].name));
    const auto place = onlyDifference(names);
    if (!place)
        return;
    Group numbered = group;
    for (std::size_t i = 0; i < numbered.size(); ++i) {
        const std::string& text = names[i].numbers[*place];
        std::from_chars(text.data(), text.data() + text.size(), numbered[i].rank);
    }
    addRanks(std::move(numbered), into);
}

/// True if it is in a group already.
bool isGrouped(std::size_t at, const std::vector<std::vector<std::size_t>>& groups) {
    return std::ranges::any_of(
        groups, [at](const auto& group) { return std::ranges::find(group, at) != group.end(); });
}

void addLikeNames(const std::vector<RankSigns>& all, std::vector<std::vector<std::size_t>>& into) {
    std::map<std::string, Group> runs;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!knownRank(all[i]) && all[i].wall)
            runs[runKey(all[i])].push_back({i, 0, all[i].wall});
    for (auto& [key, group] : runs)
        for (const Group& part : byTime(std::move(group)))
            if (part.size() > 1)
                addNumbered(all, part, into);
}

/// Recordings made together by olab trace that are in no group yet. `isOne` compares neighbours in the order
/// of `key`.
template <typename Key, typename IsOne>
void addTraced(const std::vector<RankSigns>& all, Key key, IsOne isOne,
               std::vector<std::vector<std::size_t>>& into) {
    std::vector<std::size_t> traced;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].wall && key(all[i]) && !isGrouped(i, into))
            traced.push_back(i);
    std::ranges::stable_sort(traced,
                             [&](std::size_t a, std::size_t b) { return *key(all[a]) < *key(all[b]); });
    for (std::size_t from = 0, to = 0; from < traced.size(); from = to) {
        Group group;
        do {
            group.push_back({traced[to], static_cast<std::int64_t>(traced[to]), all[traced[to]].wall});
        } while (++to < traced.size() && isOne(all[traced[to - 1]], all[traced[to]]));
        for (Group& part : byTime(std::move(group)))
            addRanks(std::move(part), into);
    }
}

void addTracedTogether(const std::vector<RankSigns>& all, std::vector<std::vector<std::size_t>>& into) {
    addTraced(
        all,
        [](const RankSigns& signs) {
            return signs.program.empty() ? std::nullopt : std::optional(signs.program);
        },
        [](const RankSigns& a, const RankSigns& b) { return a.program == b.program; }, into);
    addTraced(
        all, [](const RankSigns& signs) { return signs.switchedOn; },
        [](const RankSigns& a, const RankSigns& b) { return *b.switchedOn - *a.switchedOn <= kOneInstant; },
        into);
}

/// "app" of app.olab and of app.1234.olab.
std::string programOf(const std::string& name) {
    std::string stem = std::filesystem::path(name).stem().string();
    const std::size_t dot = stem.find_last_not_of("0123456789");
    if (dot != stem.npos && dot > 0 && dot + 1 < stem.size() && stem[dot] == '.')
        stem.resize(dot);
    return stem;
}

std::optional<Interval> wallSpan(const Trace& trace) {
    const auto base = wallOf(trace);
    if (!base)
        return std::nullopt;
    const Interval span = trace.deviceSpan().length() > 0 ? trace.deviceSpan() : trace.span();
    return Interval{span.begin + *base, span.end + *base};
}

} // namespace

RankSigns rankSigns(const Recording& recording) {
    RankSigns signs;
    signs.name = recording.file.filename().string();
    signs.format = recording.format.substr(0, recording.format.find(", packed"));
    signs.rank = recordedRank(recording.trace);
    signs.ranks = recordedRankCount(recording.trace);
    signs.wall = wallSpan(recording.trace);
    if (recording.trace.provenance().source != SourceKind::Traced)
        return signs;
    signs.program = programOf(signs.name);
    if (const auto noted = recording.trace.environment().find("recorded.spans");
        noted != recording.trace.environment().end())
        if (const auto spans = spansIn(noted->second); !spans.empty())
            signs.switchedOn = spans.front().begin;
    return signs;
}

std::vector<std::vector<std::size_t>> likelyRanks(const std::vector<RankSigns>& all) {
    std::vector<std::vector<std::size_t>> groups;
    addKnownRanks(all, groups);
    addLikeNames(all, groups);
    addTracedTogether(all, groups);
    return groups;
}

} // namespace olab::recording
