#include <olab/view/selection.h>

#include <olab/analysis/statistics_rows.h>
#include <olab/view/view_data.h>
#include <olab/view/view_data_ptr.h>

#include <algorithm>
#include <iterator>

namespace olab::view {

namespace {

constexpr std::size_t kMostLit = 2000; // outlined per op: a single call may have issued everything

} // namespace

void Selection::setShown(ViewDataPtr data) {
    *this = {};
    m_data = std::move(data);
}

void Selection::lightUp(std::vector<ActivityIndex> lit) {
    m_lit = std::move(lit);
    m_litLongest = 0;
    for (const ActivityIndex index : m_lit)
        m_litLongest = std::max(m_litLongest, m_data->trace().time(index).length());
}

void Selection::select(std::optional<ActivityIndex> index) {
    m_activity = index;
    m_place.reset();
    m_gap.reset();
    m_picked = Picked::Activity;
    m_links.clear();
    if (!index || !m_data)
        return lightUp({});
    lightUp(m_data->sameOp(*index));
    m_links = m_data->links.before(*index, m_data->waitOf(*index));
    const auto after = m_data->links.after(*index);
    m_links.insert(m_links.end(), after.begin(), after.end());
}

void Selection::selectGap(std::optional<Gap> gap) {
    select(std::nullopt);
    m_gap = gap;
    m_picked = Picked::Gap;
}

bool Selection::measure(std::optional<Interval> range) {
    if (range == m_range)
        return false;
    m_range = m_data ? range : std::nullopt;
    m_picked = m_range ? Picked::Range : m_gap ? Picked::Gap : Picked::Activity;
    return true;
}

void Selection::showPlace(const Place& place) {
    select(place.op);
    m_place = place;
}

Selection::Alike Selection::selectAlike(ActivityIndex index) {
    select(index);
    const Trace& trace = m_data->trace();
    const std::vector<bool> isAlike = analysis::kindsLike(trace, trace.kindOf(index));
    std::vector<ActivityIndex> alike;
    Ns sum = 0;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (isAlike[trace.kindOf(i)]) {
            alike.push_back(i);
            sum += trace.time(i).length();
        }
    lightUp(std::move(alike));
    return {m_lit.size(), sum};
}

void Selection::selectAll(std::vector<ActivityIndex> activities) {
    if (activities.empty() || !m_data)
        return;
    select(*std::ranges::max_element(
        activities, {}, [this](ActivityIndex index) { return m_data->trace().duration(index); }));
    lightUp(std::move(activities));
}

std::vector<ActivityIndex> Selection::litIn(Interval seen) const {
    std::vector<ActivityIndex> inView;
    if (!m_data)
        return inView;
    const auto begin = [this](ActivityIndex a) { return m_data->trace().time(a).begin; };
    const auto first = std::ranges::lower_bound(m_lit, seen.begin - m_litLongest, {}, begin);
    const auto last = std::ranges::upper_bound(first, m_lit.end(), seen.end, {}, begin);
    std::copy_if(first, last, std::back_inserter(inView),
                 [&](ActivityIndex a) { return m_data->trace().time(a).end >= seen.begin; });
    if (inView.size() <= kMostLit)
        return inView;
    for (std::size_t i = 0; i < kMostLit; ++i) // spread over the view
        inView[i] = inView[i * inView.size() / kMostLit];
    inView.resize(kMostLit);
    return inView;
}

std::optional<ActivityIndex> Selection::followed(int direction) const {
    std::optional<ActivityIndex> best;
    const auto later = [this](ActivityIndex a, ActivityIndex b) {
        return m_data->trace().time(a).end > m_data->trace().time(b).end;
    };
    for (const Link& link : m_links)
        if (direction < 0 && link.to == m_activity && (!best || later(link.from, *best)))
            best = link.from;
        else if (direction > 0 && link.from == m_activity && (!best || link.to < *best))
            best = link.to;
    return best;
}

} // namespace olab::view
