#include "compare/compared_runs.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>

namespace olab::ui {

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

std::vector<const OperationChange*> ComparedRuns::differences(std::size_t side) const {
    std::vector<const OperationChange*> all;
    const Ns least = m_alignment.places.front().span.length() / kLeastDifference;
    for (const OperationChange& change : changesOf(side).all)
        if (change.fate != OperationFate::Same && change.fate != OperationFate::Moved &&
            std::abs(change.longer) >= least)
            all.push_back(&change);
    std::ranges::stable_sort(all, std::greater(),
                             [](const OperationChange* change) { return std::abs(change->longer); });
    return all;
}

std::vector<OutlinedActivity> ComparedRuns::outlinedOf(std::size_t side, std::size_t inUse) const {
    std::vector<OutlinedActivity> outlined;
    for (const OperationChange* change : differences(side == 0 ? inUse : side))
        if (const auto activity = side == 0 ? change->before : change->after)
            outlined.push_back({*activity, colourOfFate(change->fate)});
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
    return {std::min(one.begin, other.begin), std::max(one.end, other.end)};
}

} // namespace olab::ui
