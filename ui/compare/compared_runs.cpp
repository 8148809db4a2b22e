#include "compare/compared_runs.h"

#include "base/plain_text.h"

#include <olab/analysis/steady_state.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace olab::ui {

namespace {

Interval joined(const Interval& a, const Interval& b) {
    return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

Interval since(const Interval& time, Ns zero) {
    return {time.begin - zero, time.end - zero};
}

Alignment atFirstWork(const std::vector<view::ViewDataPtr>& runs) {
    Alignment made{tr("first device work"), {}};
    for (const view::ViewDataPtr& run : runs)
        made.places.push_back(comparison::alignedAtFirstWork(run->trace()));
    return made;
}

/// The typical one of each; empty: one of them repeats none.
Alignment atIterations(const std::vector<view::ViewDataPtr>& runs) {
    Alignment made{tr("typical iteration"), {}};
    for (const view::ViewDataPtr& run : runs) {
        const auto steady = run->steadyState();
        if (!steady || steady->typical >= steady->iterations.size())
            return {};
        const Interval time = steady->iterations[steady->typical];
        made.places.push_back({time.begin, time});
    }
    return made;
}

const io::Bookmark* called(const std::vector<io::Bookmark>& all, const std::string& title) {
    const auto at = std::ranges::find_if(
        all, [&](const io::Bookmark& bookmark) { return io::titleOf(bookmark) == title; });
    return at == all.end() ? nullptr : &*at;
}

/// At the bookmarks that all of them have, by their notes.
void addBookmarks(std::vector<Alignment>& ways, const std::vector<view::ViewDataPtr>& runs,
                  const BookmarksOf& bookmarksOf) {
    std::vector<std::vector<io::Bookmark>> all;
    for (const view::ViewDataPtr& run : runs)
        all.push_back(bookmarksOf(run));
    for (const io::Bookmark& first : all.front()) {
        const std::string title = io::titleOf(first);
        Alignment made{tr("bookmark %1").arg(cutText(fromText(title), kLongestLine)), {}, true};
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (const io::Bookmark* bookmark = called(all[i], title))
                made.places.push_back(comparison::alignedAtMoment(runs[i]->trace(), bookmark->time.begin));
        if (!title.empty() && made.places.size() == runs.size())
            ways.push_back(std::move(made));
    }
}

} // namespace

std::vector<Alignment> alignmentsOf(const std::vector<view::ViewDataPtr>& runs,
                                    const BookmarksOf& bookmarks) {
    std::vector<Alignment> ways{atFirstWork(runs)};
    if (Alignment iterations = atIterations(runs); !iterations.places.empty())
        ways.push_back(std::move(iterations));
    if (bookmarks)
        addBookmarks(ways, runs, bookmarks);
    return ways;
}

Alignment alignedAt(const std::vector<view::ViewDataPtr>& runs,
                    const std::vector<ActivityIndex>& activities) {
    Alignment made{tr("selected operation"), {}, true};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Trace& trace = runs[i]->trace();
        made.places.push_back(comparison::alignedAtMoment(trace, trace.begin(activities[i])));
    }
    return made;
}

Interval commonLimits(const std::vector<view::ViewDataPtr>& runs, const Alignment& alignment) {
    Interval all = since(runs.front()->limits(), alignment.places.front().zero);
    for (std::size_t i = 1; i < runs.size(); ++i)
        all = joined(all, since(runs[i]->limits(), alignment.places[i].zero));
    return all;
}

Interval commonSpan(const Alignment& alignment) {
    Interval all = since(alignment.places.front().span, alignment.places.front().zero);
    for (const comparison::AlignedSpan& place : alignment.places)
        all = joined(all, since(place.span, place.zero));
    const Ns air = std::max<Ns>(all.length() / 50, 1);
    return {all.begin - air, all.end + air};
}

using comparison::OperationChange;
using comparison::OperationFate;

namespace {

constexpr Ns kLeastDifference = 1000; // a part of the first run
constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

} // namespace

view::ColourNumber colourOfFate(OperationFate fate) {
    return static_cast<view::ColourNumber>(view::kFirstChange + (fate == OperationFate::Shorter  ? 0
                                                                 : fate == OperationFate::Longer ? 1
                                                                                                 : 2));
}

ComparedRuns::ComparedRuns(std::vector<view::ViewDataPtr> runs, Alignment alignment,
                           const RunControl& control)
    : m_runs(std::move(runs))
    , m_alignment(std::move(alignment)) {
    for (std::size_t side = 1; side < m_runs.size(); ++side) {
        control.throwIfCancelled();
        m_changes.push_back(comparison::operationChanges(m_runs.front()->trace(), m_alignment.places.front(),
                                                         m_runs[side]->trace(), m_alignment.places[side]));
        Places places{std::vector<std::uint32_t>(m_runs.front()->trace().size(), kNowhere),
                      std::vector<std::uint32_t>(m_runs[side]->trace().size(), kNowhere)};
        std::uint32_t at = 0;
        for (const OperationChange& change : m_changes.back().all) {
            if (change.before)
                places.before[*change.before] = at;
            if (change.after)
                places.after[*change.after] = at;
            ++at;
        }
        m_places.push_back(std::move(places));
    }
}

const OperationChange* ComparedRuns::changeOf(std::size_t side, ActivityIndex activity,
                                              std::size_t inUse) const {
    const std::size_t of = side == 0 ? inUse : side;
    const Places& places = m_places[of - 1];
    const std::vector<std::uint32_t>& all = side == 0 ? places.before : places.after;
    if (activity >= all.size() || all[activity] == kNowhere)
        return nullptr;
    return &changesOf(of).all[all[activity]];
}

std::optional<ActivityIndex> ComparedRuns::partnerOf(std::size_t from, ActivityIndex activity,
                                                     std::size_t to) const {
    std::optional<ActivityIndex> first = activity; // of the first run
    if (from > 0) {
        const OperationChange* change = changeOf(from, activity, from);
        first = change ? change->before : std::nullopt;
    }
    if (to == 0 || !first)
        return first;
    const std::vector<std::uint32_t>& places = m_places[to - 1].before;
    const std::uint32_t at = *first < places.size() ? places[*first] : kNowhere;
    return at == kNowhere ? std::nullopt : changesOf(to).all[at].after;
}

Ns ComparedRuns::leastDifference() const {
    return m_alignment.places.front().span.length() / kLeastDifference;
}

std::vector<const OperationChange*> ComparedRuns::differences(std::size_t side) const {
    std::vector<const OperationChange*> all;
    for (const OperationChange& change : changesOf(side).all)
        if (isOutlined(change) || std::abs(change.idleLonger) >= leastDifference())
            all.push_back(&change);
    std::ranges::stable_sort(all, std::greater(), [](const OperationChange* change) {
        return std::max(std::abs(change->longer), std::abs(change->idleLonger));
    });
    return all;
}

/// What takes another time itself; an idle time before it is seen as such.
bool ComparedRuns::isOutlined(const OperationChange& change) const {
    return change.fate != OperationFate::Same && change.fate != OperationFate::Moved &&
           std::abs(change.longer) >= leastDifference();
}

std::vector<OutlinedActivity> ComparedRuns::outlinedOf(std::size_t side, std::size_t inUse) const {
    std::vector<OutlinedActivity> outlined;
    for (const OperationChange& change : changesOf(side == 0 ? inUse : side).all)
        if (const auto activity = side == 0 ? change.before : change.after; activity && isOutlined(change))
            outlined.push_back({*activity, colourOfFate(change.fate)});
    const Trace& trace = m_runs[side]->trace();
    std::ranges::sort(outlined, {}, [&](const OutlinedActivity& each) { return trace.begin(each.activity); });
    return outlined;
}

Interval ComparedRuns::placeOf(const OperationChange& change, std::size_t side) const {
    const auto timeIn = [&](std::size_t run, ActivityIndex activity) {
        const Interval time = m_runs[run]->trace().time(activity);
        const Ns zero = m_alignment.places[run].zero;
        return Interval{time.begin - zero, time.end - zero};
    };
    const Interval one = change.before ? timeIn(0, *change.before) : timeIn(side, *change.after);
    const Interval other = change.after ? timeIn(side, *change.after) : one;
    const Ns idle = std::abs(change.idleLonger);
    const Interval both = joined(one, other);
    return {both.begin - (idle > std::abs(change.longer) ? idle : 0), both.end};
}

} // namespace olab::ui
