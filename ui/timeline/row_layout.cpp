#include "timeline/row_layout.h"

#include "timeline/row_names.h"
#include <olab/ui/format.h>

#include <QHash>

#include <algorithm>

namespace olab {

namespace {

constexpr int kGroupHeight = 21, kRibbonHeight = 18, kLeastHeight = 4;
constexpr int kEngineHeight = 27, kStreamHeight = 20, kHostHeight = 18;

constexpr int kMaxGrowth = 180; // per cent

int stripHeightOf(const Lane& lane, const ViewStyle& style, int growth) {
    const bool isWork = lane.kind == LaneKind::Stream || lane.kind == LaneKind::Channel;
    const int plain = lane.kind == LaneKind::Engine ? kEngineHeight : isWork ? kStreamHeight : kHostHeight;
    const int single = style.scaled(plain) * growth / 100;
    // Crossing activities get sub-lanes: together no taller than a few rows, as far as they can be seen.
    return lane.depthCount <= 1 ? single
                                : std::clamp(3 * single / lane.depthCount, kLeastHeight, single * 2 / 3);
}

struct Item {
    const Lane* lane;
    QString name;
};

/// A lane and what is beneath it: they stay together.
struct Block {
    std::vector<Item> items; ///< never empty
    const QString& name() const { return items.front().name; }
};

struct Group {
    QString name;
    std::vector<Block> blocks; ///< never empty
    const Lane& first() const { return *blocks.front().items.front().lane; }
};

bool isBeneath(const Lane& lane, const Group& group) {
    if (!isBeneathThread(lane.kind) || group.blocks.empty())
        return false;
    const Lane& thread = *group.blocks.back().items.front().lane;
    return thread.kind == LaneKind::HostThread && thread.queue == lane.queue;
}

std::vector<Group> groupsOf(const DrawnLanes& lanes, const RowNames& names) {
    std::vector<Group> groups;
    for (const Lane& lane : lanes.index().lanes().lanes()) {
        if (lanes.isLeftOut(lane.id))
            continue;
        if (groups.empty() || groups.back().name != names.groupOf(lane.id))
            groups.push_back({names.groupOf(lane.id), {}});
        Group& group = groups.back();
        if (!isBeneath(lane, group))
            group.blocks.emplace_back();
        std::vector<Item>& items = group.blocks.back().items;
        items.push_back({&lane, names.of(lane.id)});
        for (const Lane& channel : lanes.channelsOf(lane.id))
            if (!lanes.isLeftOut(channel.id))
                items.push_back({&channel, names.of(lane.id) + QLatin1Char('/') + fromText(channel.label)});
    }
    return groups;
}

/// Puts `things` into the order of `names`. Two may share a name: they stay together.
template <typename Thing, typename NameOf>
void sortBy(const QStringList& names, std::vector<Thing>& things, NameOf nameOf) {
    QHash<QString, qsizetype> places;
    for (qsizetype i = 0; i < names.size(); ++i)
        places.insert(names[i], i);
    std::ranges::stable_sort(things, {}, [&](const Thing& thing) { return places[nameOf(thing)]; });
}

/// "thread 4711 · tool overhead": the thread's name may be above it, and there is little room.
QString hostPartLabel(const QString& label, bool beneath) {
    const QStringList parts = label.split(QStringLiteral(" · "));
    const QString what = parts.back(), thread = parts.front().section(QLatin1Char(' '), -1);
    return beneath ? what : what.section(QLatin1Char(' '), -1) + QLatin1Char(' ') + thread;
}

class Builder {
public:
    Builder(const DrawnLanes& lanes, const RowChoices& choices, const ViewStyle& style, int growth)
        : m_lanes(lanes)
        , m_index(lanes.index())
        , m_choices(choices)
        , m_style(style)
        , m_groups(groupsOf(lanes, RowNames(m_index.trace(), m_index.lanes()))) {
        m_layout.growth = growth;
        arrange();
        addPinned();
        for (const Group& group : m_groups)
            add(group);
    }
    RowLayout take() { return std::move(m_layout); }

private:
    void arrange() {
        QStringList groups;
        for (Group& group : m_groups) {
            groups << group.name;
            QStringList rows;
            for (const Block& block : group.blocks)
                rows << block.name();
            sortBy(m_choices.arranged(group.name, rows), group.blocks,
                   [](const Block& block) { return block.name(); });
            m_layout.natural[group.name] = rows;
        }
        sortBy(m_choices.arranged({}, groups), m_groups, [](const Group& group) { return group.name; });
        m_layout.natural[{}] = groups;
    }
    void addPinned() {
        const auto addHeading = [this] {
            push(Row::Kind::Group, m_style.scaled(kGroupHeight), QStringLiteral("Pinned"),
                 QStringLiteral("Rows that stay at the top"));
        };
        for (const Group& group : m_groups)
            for (const Block& block : group.blocks)
                for (const Item& item : block.items)
                    if (isPinned(block, item)) {
                        if (m_layout.rows.empty())
                            addHeading();
                        addItem(block, item, group, m_choices.pinned.contains(block.name()));
                    }
        for (Row& row : m_layout.rows)
            row.pinned = true;
        m_layout.pinnedHeight = m_layout.height;
    }
    void add(const Group& group) {
        const QString label = groupLabel(m_index.trace(), group.first());
        const bool folded = m_choices.folded.contains(group.name);
        const int hidden = hiddenIn(group);
        m_layout.hidden += hidden; // nothing is left out in silence
        const QString left = hidden > 0 ? QStringLiteral(" · %1 hidden").arg(hidden) : QString();
        Row& row = push(Row::Kind::Group, m_style.scaled(kGroupHeight), label + left,
                        QStringLiteral("Click to fold or unfold, drag to move"));
        row.name = row.group = group.name;
        row.device = group.first().device;
        row.folded = folded;
        if (folded)
            return;
        if (group.first().kind == LaneKind::Engine)
            addRibbon(group.name, group.first().device);
        for (const Block& block : group.blocks)
            addBlock(block, group);
    }
    void addBlock(const Block& block, const Group& group) {
        for (const Item& item : block.items)
            if (!isPinned(block, item) && !isHidden(block, item))
                addItem(block, item, group, true);
    }
    void addItem(const Block& block, const Item& item, const Group& group, bool hasHead) {
        Row& row = pushLane(item, group);
        row.beneath = hasHead && &item != &block.items.front();
        if (item.lane->kind == LaneKind::Channel)
            row.label.replace(QStringLiteral("channel"), QStringLiteral("ch."));
        if (isBeneathThread(item.lane->kind))
            row.label = hostPartLabel(row.label, row.beneath);
    }
    int hiddenIn(const Group& group) const {
        int hidden = 0;
        for (const Block& block : group.blocks)
            for (const Item& item : block.items)
                hidden += isHidden(block, item) ? 1 : 0;
        return hidden;
    }
    /// With what it is beneath, if that is hidden.
    bool isHidden(const Block& block, const Item& item) const {
        const bool chosen = m_choices.hidden.contains(item.name) || m_choices.hidden.contains(block.name());
        return chosen && !isPinned(block, item);
    }
    bool isPinned(const Block& block, const Item& item) const {
        return m_choices.pinned.contains(item.name) ||
               (m_choices.pinned.contains(block.name()) && !m_choices.hidden.contains(item.name));
    }
    Row& pushLane(const Item& item, const Group& group) {
        const Lane& lane = *item.lane;
        const QString label = fromText(lane.label); // there may be no room for all of it
        Row& row = push(Row::Kind::Lane, 0, label, label + QStringLiteral(": ") + rowHelp(lane));
        row.lane = &lane;
        row.name = item.name;
        row.group = group.name;
        row.device = lane.device;
        row.canOpen = lane.kind == LaneKind::Engine && lane.channels.size() > 1;
        row.isOpen = row.canOpen && m_choices.opened.contains(item.name);
        if (row.isOpen && m_lanes.channelsOf(lane.id).empty()) // they are being found out
            row.label += QStringLiteral(" …");
        row.plainHeight = stripHeightOf(lane, m_style, 100);
        const auto chosen = m_choices.heights.find(item.name);
        row.stripHeight = chosen == m_choices.heights.end()
                              ? stripHeightOf(lane, m_style, m_layout.growth)
                              : std::max(row.plainHeight * chosen->second / 100, kLeastHeight);
        row.height = row.stripHeight * std::max<int>(lane.depthCount, 1) + Row::kGap;
        m_layout.height += row.height;
        return row;
    }
    void addRibbon(const QString& group, std::uint8_t device) {
        Row& row = push(Row::Kind::Ribbon, m_style.scaled(kRibbonHeight) + Row::kGap,
                        QStringLiteral("engines at once"),
                        QStringLiteral("How many engines were busy at the same time: one, two, three or "
                                       "more"));
        row.group = group;
        row.device = device;
    }
    Row& push(Row::Kind kind, int height, const QString& label, const QString& help) {
        Row& row = m_layout.rows.emplace_back();
        row.kind = kind;
        row.top = m_layout.height;
        row.height = height;
        row.label = label;
        row.help = help;
        m_layout.height += height;
        return row;
    }

    const DrawnLanes& m_lanes;
    const TimelineIndex& m_index;
    const RowChoices& m_choices;
    const ViewStyle& m_style;
    std::vector<Group> m_groups;
    RowLayout m_layout;
};

/// How much the lanes whose height nobody chose grow to fill the view.
int growthFor(const RowLayout& plain, const RowChoices& choices, int height) {
    int lanes = 0;
    for (const Row& row : plain.rows)
        if (row.kind == Row::Kind::Lane && !choices.heights.contains(row.name))
            lanes += row.height - Row::kGap;
    const int room = height - plain.height;
    return room <= 0 || lanes == 0 ? 100 : std::min(100 + 100 * room / lanes, kMaxGrowth);
}

} // namespace

RowLayout RowLayout::withGrowth(const DrawnLanes& lanes, const RowChoices& choices, int height, int growth,
                                const ViewStyle& style) {
    RowLayout layout = Builder(lanes, choices, style, growth).take();
    if (layout.pinnedHeight <= height * 2 / 3)
        return layout;
    for (Row& row : layout.rows) // else what is not pinned would never be seen
        row.pinned = false;
    layout.pinnedHeight = 0;
    return layout;
}

RowLayout RowLayout::chosen(const DrawnLanes& lanes, const RowChoices& choices, int height,
                            const ViewStyle& style) {
    RowLayout plain = withGrowth(lanes, choices, height, 100, style);
    const int growth = growthFor(plain, choices, height);
    return growth == 100 ? plain : withGrowth(lanes, choices, height, growth, style);
}

std::vector<const Row*> RowLayout::inView(int scroll, int screenHeight) const {
    std::vector<const Row*> seen;
    for (const bool pinned : {false, true})
        for (const Row& row : rows)
            if (const int y = screenTop(row, scroll);
                row.pinned == pinned && y + row.height > 0 && y < screenHeight)
                seen.push_back(&row);
    return seen;
}

const Row* RowLayout::at(int y) const {
    const auto it = std::ranges::partition_point(rows, [&](const Row& row) { return row.bottom() <= y; });
    return it != rows.end() && it->top <= y ? &*it : nullptr;
}

const Row* RowLayout::of(LaneId lane) const {
    const auto it =
        std::ranges::find_if(rows, [&](const Row& row) { return row.lane && row.lane->id == lane; });
    return it != rows.end() ? &*it : nullptr;
}

} // namespace olab
