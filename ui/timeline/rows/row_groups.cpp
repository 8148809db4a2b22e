#include "timeline/rows/row_groups.h"

#include "timeline/rows/row_names.h"

#include <olab/trace/lanes.h>
#include <olab/ui/format.h>

#include <algorithm>
#include <tuple>

namespace olab::ui {

namespace {

bool isBeneath(const Lane& lane, const RowGroup& group, const StreamRanges& ranges) {
    if (group.heads.empty())
        return false;
    const Lane& head = *group.items[group.heads.back()].lane;
    return isPartOf(lane, head) || ranges.streamOf(lane) == &head;
}

void addLane(RowGroup& group, const view::DrawnLanes& lanes, const Lane& lane, const QString& name,
             const StreamRanges& ranges) {
    if (!isBeneath(lane, group, ranges)) {
        group.heads.push_back(static_cast<std::uint32_t>(group.items.size()));
        group.names << name;
    }
    group.items.push_back(
        {&lane, name, ranges.streamOf(lane) ? streamRangesLabel() : rowLabel(lanes.index().trace(), lane)});
    for (const Lane& channel : lanes.channelsOf(lane.id))
        if (!lanes.isLeftOut(channel.id)) {
            const QString label = fromText(channel.label);
            group.items.push_back({&channel, name + QLatin1Char('/') + label, label});
        }
}

} // namespace

std::span<const RowItem> RowGroup::block(std::size_t number) const {
    const std::size_t first = heads[number],
                      end = number + 1 < heads.size() ? heads[number + 1] : items.size();
    return std::span(items).subspan(first, end - first);
}

bool RowGroup::startsFolded() const {
    return showsValue(first().kind);
}

namespace {

/// Those of the index and those of values, in the order of the view.
std::vector<const Lane*> inOrder(const view::TimelineIndex& index, const StreamRanges& ranges) {
    std::vector<const Lane*> all;
    for (const auto lanes : {index.lanes().lanes(), index.valueLanes()})
        for (const Lane& lane : lanes)
            all.push_back(&lane);
    // Threads have the order of their queues; ranges of a stream are behind it.
    std::ranges::stable_sort(all, {}, [&ranges](const Lane* lane) {
        if (const Lane* stream = ranges.streamOf(*lane))
            return std::tuple(false, std::uint8_t{stream->device}, LaneScope::Stream, stream->id.value, true);
        const LaneScope scope = std::min(scopeOf(lane->kind), LaneScope::Host);
        return std::tuple(!isOfDevice(scope), isOfDevice(scope) ? lane->device : std::uint8_t{0}, scope,
                          scope == LaneScope::Stream ? lane->id.value : 0, false);
    });
    return all;
}

} // namespace

RowGroups RowGroups::of(const view::DrawnLanes& lanes) {
    const Trace& trace = lanes.index().trace();
    const StreamRanges ranges(trace, lanes.index().lanes());
    const RowNames names(trace, lanes.index().lanes());
    RowGroups all;
    for (const Lane* lane : inOrder(lanes.index(), ranges)) {
        if (lanes.isLeftOut(lane->id))
            continue;
        const bool isValue = showsValue(lane->kind);
        const QString group = isValue ? RowNames::groupOfValue(trace, *lane) : names.groupOf(lane->id);
        if (all.groups.empty() || all.groups.back().name != group) {
            all.groups.push_back({group, {}, {}, {}});
            all.names << group;
        }
        addLane(all.groups.back(), lanes, *lane,
                isValue ? RowNames::ofValue(trace, *lane) : names.of(lane->id), ranges);
    }
    return all;
}

const RowGroups& DrawnRows::groups() const {
    if (!m_groups)
        m_groups = std::make_shared<const RowGroups>(RowGroups::of(*this));
    return *m_groups;
}

} // namespace olab::ui
