#include "timeline/rows/drawn_rows.h"
#include "timeline/rows/row_names.h"

#include <olab/trace/lanes.h>
#include <olab/ui/format.h>

namespace olab {

namespace {

bool isBeneath(const Lane& lane, const RowGroup& group) {
    return !group.heads.empty() && isPartOf(lane, *group.items[group.heads.back()].lane);
}

void addLane(RowGroup& group, const DrawnLanes& lanes, const Lane& lane, const QString& name) {
    if (!isBeneath(lane, group)) {
        group.heads.push_back(static_cast<std::uint32_t>(group.items.size()));
        group.names << name;
    }
    group.items.push_back({&lane, name, rowLabel(lanes.index().trace(), lane)});
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

RowGroups RowGroups::of(const DrawnLanes& lanes) {
    const RowNames names(lanes.index().trace(), lanes.index().lanes());
    RowGroups all;
    for (const Lane& lane : lanes.index().lanes().lanes()) {
        if (lanes.isLeftOut(lane.id))
            continue;
        if (all.groups.empty() || all.groups.back().name != names.groupOf(lane.id)) {
            all.groups.push_back({names.groupOf(lane.id), {}, {}, {}});
            all.names << all.groups.back().name;
        }
        addLane(all.groups.back(), lanes, lane, names.of(lane.id));
    }
    return all;
}

const RowGroups& DrawnRows::groups() const {
    if (!m_groups)
        m_groups = std::make_shared<const RowGroups>(RowGroups::of(*this));
    return *m_groups;
}

} // namespace olab
