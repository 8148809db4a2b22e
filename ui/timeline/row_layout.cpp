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
    const int plain = lane.kind == LaneKind::Engine   ? kEngineHeight
                      : lane.kind == LaneKind::Stream ? kStreamHeight
                                                      : kHostHeight;
    const int single = style.scaled(plain) * growth / 100;
    // Crossing activities get sub-lanes: together no taller than a few rows, as far as they can be seen.
    return lane.depthCount <= 1 ? single
                                : std::clamp(3 * single / lane.depthCount, kLeastHeight, single * 2 / 3);
}

struct Group {
    QString name;
    std::vector<const Lane*> lanes; ///< never empty
};

std::vector<Group> groupsOf(const TimelineIndex& index, const RowNames& names) {
    std::vector<Group> groups;
    for (const Lane& lane : index.lanes().lanes()) {
        if (groups.empty() || groups.back().name != names.groupOf(lane.id))
            groups.push_back({names.groupOf(lane.id), {}});
        groups.back().lanes.push_back(&lane);
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

class Builder {
public:
    Builder(const TimelineIndex& index, const RowChoices& choices, const ViewStyle& style, int growth)
        : m_index(index)
        , m_choices(choices)
        , m_style(style)
        , m_names(index.trace(), index.lanes())
        , m_groups(groupsOf(index, m_names)) {
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
        const auto laneName = [this](const Lane* lane) { return m_names.of(lane->id); };
        for (Group& group : m_groups) {
            groups << group.name;
            QStringList rows;
            for (const Lane* lane : group.lanes)
                rows << laneName(lane);
            sortBy(m_choices.arranged(group.name, rows), group.lanes, laneName);
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
            for (const Lane* lane : group.lanes)
                if (isPinned(*lane)) {
                    if (m_layout.rows.empty())
                        addHeading();
                    pushLane(*lane);
                }
        for (Row& row : m_layout.rows)
            row.pinned = true;
        m_layout.pinnedHeight = m_layout.height;
    }
    void add(const Group& group) {
        const Lane& first = *group.lanes.front();
        const QString label = groupLabel(m_index.trace(), first);
        const bool folded = m_choices.folded.contains(group.name);
        const auto hidden =
            std::ranges::count_if(group.lanes, [this](const Lane* l) { return isHidden(*l); });
        m_layout.hidden += static_cast<int>(hidden); // nothing is left out in silence
        const QString left = hidden > 0 ? QStringLiteral(" · %1 hidden").arg(hidden) : QString();
        Row& row = push(Row::Kind::Group, m_style.scaled(kGroupHeight), label + left,
                        QStringLiteral("Click to fold or unfold, drag to move"));
        row.name = row.group = group.name;
        row.device = first.device;
        row.folded = folded;
        if (folded)
            return;
        if (first.kind == LaneKind::Engine)
            addRibbon(group.name, first.device);
        for (const Lane* lane : group.lanes)
            if (!isPinned(*lane) && !isHidden(*lane))
                pushLane(*lane);
    }
    bool isHidden(const Lane& lane) const {
        return m_choices.hidden.contains(m_names.of(lane.id)) && !isPinned(lane);
    }
    bool isPinned(const Lane& lane) const { return m_choices.pinned.contains(m_names.of(lane.id)); }
    void pushLane(const Lane& lane) {
        Row& row = push(Row::Kind::Lane, 0, fromText(lane.label), rowHelp(lane));
        row.lane = &lane;
        row.name = m_names.of(lane.id);
        row.group = m_names.groupOf(lane.id);
        row.device = lane.device;
        row.plainHeight = stripHeightOf(lane, m_style, 100);
        const auto chosen = m_choices.heights.find(row.name);
        row.stripHeight = chosen == m_choices.heights.end()
                              ? stripHeightOf(lane, m_style, m_layout.growth)
                              : std::max(row.plainHeight * chosen->second / 100, kLeastHeight);
        row.height = row.stripHeight * std::max<int>(lane.depthCount, 1) + Row::kGap;
        m_layout.height += row.height;
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

    const TimelineIndex& m_index;
    const RowChoices& m_choices;
    const ViewStyle& m_style;
    RowNames m_names;
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

RowLayout RowLayout::withGrowth(const TimelineIndex& index, const RowChoices& choices, int height, int growth,
                                const ViewStyle& style) {
    RowLayout layout = Builder(index, choices, style, growth).take();
    if (layout.pinnedHeight <= height * 2 / 3)
        return layout;
    for (Row& row : layout.rows) // else what is not pinned would never be seen
        row.pinned = false;
    layout.pinnedHeight = 0;
    return layout;
}

RowLayout RowLayout::chosen(const TimelineIndex& index, const RowChoices& choices, int height,
                            const ViewStyle& style) {
    RowLayout plain = withGrowth(index, choices, height, 100, style);
    const int growth = growthFor(plain, choices, height);
    return growth == 100 ? plain : withGrowth(index, choices, height, growth, style);
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
