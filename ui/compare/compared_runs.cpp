#include "compare/compared_runs.h"

#include <algorithm>
#include <limits>

namespace olab::ui {

using comparison::OperationChange;
using comparison::OperationFate;

namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

} // namespace

view::ColourNumber colourOfFate(OperationFate fate) {
    constexpr auto nth = [](int n) { return static_cast<view::ColourNumber>(view::kFirstChange + n); };
    switch (fate) {
    case OperationFate::Shorter:
        return nth(0);
    case OperationFate::Longer:
        return nth(1);
    case OperationFate::Moved:
        return nth(2);
    case OperationFate::Gone:
    case OperationFate::New:
        return nth(3);
    case OperationFate::Same:
        break;
    }
    return view::kOtherColour;
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

std::vector<view::ColourNumber> ComparedRuns::coloursOf(std::size_t side, std::size_t inUse) const {
    std::vector<view::ColourNumber> colours(m_runs[side]->trace().size(), view::kOtherColour);
    for (const OperationChange& change : changesOf(side == 0 ? inUse : side).all)
        if (const auto activity = side == 0 ? change.before : change.after)
            colours[*activity] = colourOfFate(change.fate);
    return colours;
}

std::optional<Ns> ComparedRuns::nextDifference(std::size_t side, Ns after, int direction) const {
    const auto placeIn = [&](std::size_t run, const std::optional<ActivityIndex>& activity) {
        return activity ? m_runs[run]->trace().begin(*activity) - m_alignment.places[run].zero
                        : std::numeric_limits<Ns>::min();
    };
    const auto timeOf = [&](const OperationChange& change) {
        return std::max(placeIn(0, change.before), placeIn(side, change.after));
    };
    std::optional<Ns> best;
    for (const OperationChange& change : changesOf(side).all) {
        if (change.fate == OperationFate::Same)
            continue;
        const Ns time = timeOf(change);
        if (direction > 0 ? time > after && (!best || time < *best) : time < after && (!best || time > *best))
            best = time;
    }
    return best;
}

} // namespace olab::ui
