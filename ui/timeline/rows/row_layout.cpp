#include "timeline/rows/row_layout.h"

#include "timeline/rows/row_groups.h"
#include "timeline/rows/row_names.h"

#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <QHash>

#include <algorithm>
#include <numeric>

namespace olab::ui {

namespace {

constexpr int kGroupHeight = 21, kRibbonHeight = 18, kLeastHeight = 4;

constexpr int kAroundName = 4;  // of a nested range
constexpr int kMaxGrowth = 180; // per cent

int stripHeightOf(const Lane& lane, const ViewStyle& style, int growth, int nested) {
    const int single = style.scaled(laneKindRow(lane.kind).height) * growth / 100;
    if (lane.depthCount <= 1)
        return single;
    // Crossing activities get sub-lanes: together no taller than a few rows, as far as they can be seen.
    const int low = std::clamp(3 * single / lane.depthCount, kLeastHeight, single * 2 / 3);
    if (lane.kind != LaneKind::HostRanges)
        return low;
    // What a thread was doing is read, not counted: names fit, unless it is nested deeper than the screen.
    const int readable = style.small + style.scaled(kAroundName);
    return std::max(low, std::min(nested / lane.depthCount, readable));
}

/// The numbers from 0 to names.size() in the order of `wanted`, which has the same names. Two may share a
/// name: they stay together. Empty: as they are.
std::vector<std::uint32_t> orderOf(const QStringList& names, const QStringList& wanted) {
    if (names == wanted) // mostly: they share their memory
        return {};
    QHash<QString, qsizetype> places;
    for (qsizetype i = 0; i < wanted.size(); ++i)
        places.insert(wanted[i], i);
    std::vector<qsizetype> placeOf;
    for (const QString& name : names)
        placeOf.push_back(places.value(name));
    std::vector<std::uint32_t> order(placeOf.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t number) { return placeOf[number]; });
    return order;
}

template <typename Visit>
void eachIn(const std::vector<std::uint32_t>& order, std::size_t count, Visit visit) {
    for (std::size_t i = 0; i < count; ++i)
        visit(order.empty() ? i : order[i]);
}

/// "thread 4711 · tool overhead": the thread's name may be above it, and there is little room.
QString partLabel(const LaneKindRow& kind, QString label, bool beneath) {
    if (!kind.brief.empty())
        return fromText(kind.brief) + label.remove(0, label.indexOf(QLatin1Char(' ')));
    const QStringList parts = label.split(QStringLiteral(" · "));
    if (!beneath && kind.kind == LaneKind::HostRanges && !parts.front().startsWith(QStringLiteral("thread")))
        return parts.front(); // the name of the thread tells more
    const QString what = parts.back(), word = what.section(QLatin1Char(' '), -1);
    const QString thread = parts.front().section(QLatin1Char(' '), 1).section(QLatin1Char(' '), -1);
    return beneath ? what : thread.isEmpty() ? word : word + QLatin1Char(' ') + thread; // without a number
}

class Builder {
public:
    Builder(const DrawnRows& lanes, const RowChoices& choices, const ViewStyle& style, int growth, int nested)
        : m_lanes(lanes)
        , m_index(lanes.index())
        , m_choices(choices)
        , m_style(style)
        , m_nested(nested)
        , m_groups(lanes.groups()) {
        m_layout.growth = growth;
        m_layout.rowOf.assign(m_index.lanes().lanes().size(), kNoNumber);
        arrange();
        addPinned();
        each([this](const RowGroup& group) { add(group); });
    }
    RowLayout take() { return std::move(m_layout); }

private:
    using Block = std::span<const RowItem>; ///< never empty

    void arrange() {
        for (const RowGroup& group : m_groups.groups) {
            m_blockOrders.push_back(orderOf(group.names, m_choices.arranged(group.name, group.names)));
            m_layout.natural[group.name] = group.names;
        }
        m_groupOrder = orderOf(m_groups.names, m_choices.arranged({}, m_groups.names));
        m_layout.natural[{}] = m_groups.names;
    }
    template <typename Visit>
    void each(Visit visit) const {
        eachIn(m_groupOrder, m_groups.groups.size(),
               [&](std::size_t number) { visit(m_groups.groups[number]); });
    }
    template <typename Visit>
    void eachBlock(const RowGroup& group, Visit visit) const {
        const auto number = static_cast<std::size_t>(&group - m_groups.groups.data());
        eachIn(m_blockOrders[number], group.heads.size(), [&](std::size_t at) { visit(group.block(at)); });
    }
    void addPinned() {
        if (!m_choices.pinned.empty())
            each([this](const RowGroup& group) {
                eachBlock(group, [&](Block block) { addPinned(block, group); });
            });
        for (Row& row : m_layout.rows)
            row.pinned = true;
        m_layout.pinnedHeight = m_layout.height;
    }
    void addPinned(Block block, const RowGroup& group) {
        for (const RowItem& item : block) {
            if (!isPinned(block, item))
                continue;
            if (m_layout.rows.empty())
                push(Row::Kind::Group, m_style.scaled(kGroupHeight), tr("Pinned"));
            addItem(block, item, group, m_choices.pinned.contains(block.front().name));
        }
    }
    void add(const RowGroup& group) {
        const QString label = groupLabel(m_index.trace(), group.first());
        const bool folded = m_choices.isFolded(group.name, group.startsFolded());
        const int hidden = hiddenIn(group);
        m_layout.hidden += hidden; // nothing is left out in silence
        Row& row = push(
            Row::Kind::Group, m_style.scaled(kGroupHeight),
            hidden > 0
                ? counted("%1 · %n hidden", "%1 · %n hidden", static_cast<std::uint64_t>(hidden)).arg(label)
                : label);
        row.name = row.group = group.name;
        row.device = group.first().device;
        row.folded = folded;
        if (folded)
            return;
        if (scopeOf(group.first().kind) == LaneScope::Engine)
            addRibbon(group.name, group.first().device);
        eachBlock(group, [&](Block block) { addBlock(block, group); });
    }
    void addBlock(Block block, const RowGroup& group) {
        for (const RowItem& item : block)
            if (!isPinned(block, item) && !isHidden(block, item))
                addItem(block, item, group, true);
    }
    void addItem(Block block, const RowItem& item, const RowGroup& group, bool hasHead) {
        if (item.lane->id.value < m_layout.rowOf.size())
            m_layout.rowOf[item.lane->id.value] = static_cast<std::uint32_t>(m_layout.rows.size());
        Row& row = pushLane(item, group);
        row.beneath = hasHead && &item != &block.front();
        const bool ofStream = item.label == streamRangesLabel();
        if (isBeneath(item.lane->kind) && !ofStream)
            row.label = partLabel(laneKindRow(item.lane->kind), row.label, row.beneath);
    }
    int hiddenIn(const RowGroup& group) const {
        int hidden = 0;
        if (!m_choices.hidden.empty())
            eachBlock(group, [&](Block block) {
                for (const RowItem& item : block)
                    hidden += isHidden(block, item) ? 1 : 0;
            });
        return hidden;
    }
    /// With what it is beneath, if that is hidden.
    bool isHidden(Block block, const RowItem& item) const {
        const bool chosen =
            m_choices.hidden.contains(item.name) || m_choices.hidden.contains(block.front().name);
        return chosen && !isPinned(block, item);
    }
    bool isPinned(Block block, const RowItem& item) const {
        return m_choices.pinned.contains(item.name) ||
               (m_choices.pinned.contains(block.front().name) && !m_choices.hidden.contains(item.name));
    }
    Row& pushLane(const RowItem& item, const RowGroup& group) {
        const Lane& lane = *item.lane;
        Row& row = push(Row::Kind::Lane, 0, item.label);
        row.lane = &lane;
        row.name = item.name;
        row.group = group.name;
        row.device = lane.device;
        row.canOpen = lane.channels.size() > 1;
        row.isOpen = row.canOpen && m_choices.opened.contains(item.name);
        row.values = m_lanes.valuesOf(lane.id);
        if ((row.isOpen || showsValue(lane.kind)) && !m_lanes.isOpen(lane.id)) // it is being found out
            row.label += QStringLiteral(" …");
        row.plainHeight = stripHeightOf(lane, m_style, 100, m_nested);
        const auto chosen = m_choices.heights.find(item.name);
        row.stripHeight =
            chosen == m_choices.heights.end() ? stripHeightOf(lane, m_style, m_layout.growth, m_nested)
            : chosen->second == 0             ? std::max(kLeastHeight / std::max<int>(lane.depthCount, 1), 1)
                                  : std::max(row.plainHeight * chosen->second / 100, kLeastHeight);
        row.height = row.stripHeight * std::max<int>(lane.depthCount, 1) + Row::kGap;
        m_layout.height += row.height;
        return row;
    }
    void addRibbon(const QString& group, std::uint8_t device) {
        Row& row = push(Row::Kind::Ribbon, m_style.scaled(kRibbonHeight) + Row::kGap, tr("engines at once"));
        row.group = group;
        row.device = device;
    }
    Row& push(Row::Kind kind, int height, const QString& label) {
        Row& row = m_layout.rows.emplace_back();
        row.kind = kind;
        row.top = m_layout.height;
        row.height = height;
        row.label = label;
        m_layout.height += height;
        return row;
    }

    const DrawnRows& m_lanes;
    const view::TimelineIndex& m_index;
    const RowChoices& m_choices;
    const ViewStyle& m_style;
    int m_nested;
    const RowGroups& m_groups;
    std::vector<std::vector<std::uint32_t>> m_blockOrders; ///< by group; empty: as they are
    std::vector<std::uint32_t> m_groupOrder;
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

RowLayout RowLayout::withGrowth(const DrawnRows& lanes, const RowChoices& choices, int height, int growth,
                                const ViewStyle& style, int nested) {
    RowLayout layout = Builder(lanes, choices, style, growth, nested).take();
    if (layout.pinnedHeight <= height * 2 / 3)
        return layout;
    for (Row& row : layout.rows) // else what is not pinned would never be seen
        row.pinned = false;
    layout.pinnedHeight = 0;
    return layout;
}

RowLayout RowLayout::chosen(const DrawnRows& lanes, const RowChoices& choices, int height,
                            const ViewStyle& style, int nested) {
    RowLayout plain = withGrowth(lanes, choices, height, 100, style, nested);
    const int growth = growthFor(plain, choices, height);
    return growth == 100 ? plain : withGrowth(lanes, choices, height, growth, style, nested);
}

QString Row::help() const {
    switch (kind) {
    case Kind::Group:
        return group.isEmpty() ? tr("Rows that stay at the top")
                               : tr("Click to fold or unfold, drag to move");
    case Kind::Ribbon:
        return tr("How many engines were busy at the same time: one, two, three or more");
    case Kind::Lane:
        break;
    }
    QString text = fromText(lane->label) + QStringLiteral(": ") + rowHelp(*lane); // its label may be cut
    if (!showsValue(lane->kind))
        return text;
    for (const QString& more : {scaleText(*this), leftOutText(*this)})
        text += more.isEmpty() ? more : QLatin1Char('\n') + more;
    return text;
}

/// The pinned rows are the first ones; in each part they are sorted.
std::vector<const Row*> RowLayout::inView(int scroll, int screenHeight) const {
    const auto others = std::ranges::partition_point(rows, &Row::pinned);
    std::vector<const Row*> seen;
    const auto addFrom = [&](auto first, auto end) {
        for (auto row = std::partition_point(
                 first, end, [&](const Row& each) { return screenTop(each, scroll) + each.height <= 0; });
             row != end && screenTop(*row, scroll) < screenHeight; ++row)
            seen.push_back(&*row);
    };
    addFrom(others, rows.end());
    addFrom(rows.begin(), others);
    return seen;
}

const Row* RowLayout::at(int y) const {
    const auto it = std::ranges::partition_point(rows, [&](const Row& row) { return row.bottom() <= y; });
    return it != rows.end() && it->top <= y ? &*it : nullptr;
}

const Row* RowLayout::of(LaneId lane) const {
    if (lane.value < rowOf.size())
        return rowOf[lane.value] == kNoNumber ? nullptr : &rows[rowOf[lane.value]];
    const auto it = std::ranges::find_if( // a channel's
        rows, [&](const Row& row) { return row.lane && row.lane->id == lane; });
    return it != rows.end() ? &*it : nullptr;
}

std::optional<int> RowLayout::scrollTo(std::string_view groups) const {
    const LaneScope scope = groups == "host"      ? LaneScope::Host
                            : groups == "streams" ? LaneScope::Stream
                                                  : LaneScope::Engine;
    const Row* heading = nullptr;
    for (const Row& row : rows) {
        heading = row.kind == Row::Kind::Group ? &row : heading;
        if (row.lane && heading && std::min(scopeOf(row.lane->kind), LaneScope::Host) == scope)
            return heading->top - pinnedHeight;
    }
    return std::nullopt;
}

} // namespace olab::ui
