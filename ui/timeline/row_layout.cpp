#include "timeline/row_layout.h"

#include <olab/ui/format.h>

#include <algorithm>

namespace olab {

namespace {

constexpr int kGroupHeight = 21, kRibbonHeight = 18, kRowGap = 5;
constexpr int kEngineHeight = 27, kStreamHeight = 20, kHostHeight = 18;

constexpr int kMaxGrowth = 180; // per cent

int stripHeightOf(const Lane& lane, const ViewStyle& style, int growth) {
    const int plain = lane.kind == LaneKind::Engine   ? kEngineHeight
                      : lane.kind == LaneKind::Stream ? kStreamHeight
                                                      : kHostHeight;
    const int single = style.scaled(plain) * growth / 100;
    // Crossing activities get sub-lanes: together no taller than a few rows, however many there are.
    return lane.depthCount <= 1 ? single : std::clamp(3 * single / lane.depthCount, 4, single * 2 / 3);
}

QString helpOf(const Lane& lane) {
    switch (lane.kind) {
    case LaneKind::Engine:
        return QStringLiteral(
            "A hardware engine of the GPU: what really executed, whatever stream it came from");
    case LaneKind::Stream:
        return QStringLiteral("A CUDA stream: its work is ordered, one after the other");
    case LaneKind::HostFn:
        return QStringLiteral("Host functions that streams called when they reached them");
    case LaneKind::HostThread:
        break;
    }
    return QStringLiteral("A host thread: its CUDA API calls, waits and the tool's own overhead");
}

QString groupLabel(const TimelineIndex& index, const Lane& lane) {
    if (lane.kind == LaneKind::Stream)
        return QStringLiteral("Streams");
    if (lane.kind != LaneKind::Engine)
        return QStringLiteral("Host");
    const auto devices = index.trace().devices();
    const bool known = lane.device < devices.size();
    const QString name = known ? fromText(devices[lane.device].name) : QString();
    const QString number = known ? QString::number(devices[lane.device].device) : QStringLiteral("?");
    return QStringLiteral("GPU %1  %2 · engines").arg(number, name);
}

class Builder {
public:
    Builder(const TimelineIndex& index, const RowChoices& choices, const ViewStyle& style, int growth)
        : m_index(index)
        , m_choices(choices)
        , m_style(style)
        , m_growth(growth) {}

    void addPinned() {
        if (m_choices.pinned.empty())
            return;
        push(Row::Kind::Group, m_style.scaled(kGroupHeight), QStringLiteral("Pinned"),
             QStringLiteral("Rows that stay at the top"));
        for (const Lane& lane : m_index.lanes().lanes())
            if (m_choices.pinned.contains(lane.id))
                pushLane(lane);
        for (Row& row : m_layout.rows)
            row.pinned = true;
        m_layout.pinnedHeight = m_layout.height;
    }
    void add(const Lane& lane) {
        const QString label = groupLabel(m_index, lane);
        if (label != m_groupLabel || lane.device != m_device) {
            m_groupLabel = label;
            m_device = lane.device;
            m_hidden = 0;
            startGroup(lane);
            m_heading = headingOf(m_group);
        }
        if (m_choices.pinned.contains(lane.id) || m_choices.collapsed.contains(m_group))
            return;
        if (!m_choices.hidden.contains(lane.id))
            return pushLane(lane);
        ++m_hidden; // nothing is left out in silence
        m_layout.rows[m_heading].label = QStringLiteral("%1 · %2 hidden").arg(m_groupLabel).arg(m_hidden);
    }
    RowLayout take() { return std::move(m_layout); }

private:
    void pushLane(const Lane& lane) {
        Row& row = push(Row::Kind::Lane, 0, fromText(lane.label), helpOf(lane));
        row.lane = &lane;
        row.stripHeight = stripHeightOf(lane, m_style, m_growth);
        row.height = row.stripHeight * std::max<int>(lane.depthCount, 1) + kRowGap;
        m_layout.height += row.height;
    }
    std::size_t headingOf(int group) const {
        const auto it = std::ranges::find_if(m_layout.rows, [group](const Row& row) {
            return row.kind == Row::Kind::Group && row.group == group;
        });
        return static_cast<std::size_t>(it - m_layout.rows.begin());
    }
    void startGroup(const Lane& lane) {
        ++m_group;
        push(Row::Kind::Group, m_style.scaled(kGroupHeight), m_groupLabel,
             QStringLiteral("Click to fold or unfold"));
        if (lane.kind == LaneKind::Engine && !m_choices.collapsed.contains(m_group))
            push(Row::Kind::Ribbon, m_style.scaled(kRibbonHeight) + kRowGap,
                 QStringLiteral("engines at once"),
                 QStringLiteral("How many engines were busy at the same time: one, two, three or more"));
    }
    Row& push(Row::Kind kind, int height, const QString& label, const QString& help) {
        Row row;
        row.kind = kind;
        row.top = m_layout.height;
        row.height = height;
        row.group = m_group;
        row.device = m_device;
        row.label = label;
        row.help = help;
        m_layout.height += height;
        m_layout.rows.push_back(row);
        return m_layout.rows.back();
    }

    const TimelineIndex& m_index;
    const RowChoices& m_choices;
    const ViewStyle& m_style;
    int m_growth; ///< per cent
    RowLayout m_layout;
    QString m_groupLabel;
    std::uint8_t m_device = 0;
    int m_group = -1; ///< of pinned rows
    int m_hidden = 0; ///< in this group
    std::size_t m_heading = 0;
};

RowLayout build(const TimelineIndex& index, const RowChoices& choices, const ViewStyle& style, int growth) {
    Builder builder(index, choices, style, growth);
    builder.addPinned();
    for (const Lane& lane : index.lanes().lanes())
        builder.add(lane);
    return builder.take();
}

RowLayout grown(const TimelineIndex& index, const RowChoices& choices, const ViewStyle& style, int height) {
    RowLayout plain = build(index, choices, style, 100);
    int lanes = 0;
    for (const Row& row : plain.rows)
        lanes += row.kind == Row::Kind::Lane ? row.height - kRowGap : 0;
    const int room = height - plain.height;
    if (room <= 0 || lanes == 0)
        return plain;
    return build(index, choices, style, std::min(100 + 100 * room / lanes, kMaxGrowth));
}

} // namespace

RowLayout RowLayout::chosen(const TimelineIndex& index, const RowChoices& choices, int height,
                            const ViewStyle& style) {
    RowLayout layout = grown(index, choices, style, height);
    if (layout.pinnedHeight <= height * 2 / 3)
        return layout;
    for (Row& row : layout.rows) // else what is not pinned would never be seen
        row.pinned = false;
    layout.pinnedHeight = 0;
    return layout;
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
