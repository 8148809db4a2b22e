#include "timeline/row_layout.h"

#include <olab/ui/format.h>

#include <algorithm>

namespace olab {

namespace {

constexpr int kGroupHeight = 21, kRibbonHeight = 18, kRowGap = 5;
constexpr int kEngineHeight = 27, kStreamHeight = 20, kHostHeight = 18;

constexpr int kMaxGrowth = 180; // per cent

int stripHeightOf(const Lane& lane, int growth) {
    const int plain = lane.kind == LaneKind::Engine   ? kEngineHeight
                      : lane.kind == LaneKind::Stream ? kStreamHeight
                                                      : kHostHeight;
    const int single = plain * growth / 100;
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
    Builder(const TimelineIndex& index, const std::set<int>& collapsed, int growth)
        : m_index(index)
        , m_collapsed(collapsed)
        , m_growth(growth) {}

    void add(const Lane& lane) {
        const QString label = groupLabel(m_index, lane);
        if (label != m_groupLabel || lane.device != m_device) {
            m_groupLabel = label;
            m_device = lane.device;
            startGroup(lane);
        }
        if (m_collapsed.contains(m_group))
            return;
        Row& row = push(Row::Kind::Lane, 0, fromText(lane.label), helpOf(lane));
        row.lane = &lane;
        row.stripHeight = stripHeightOf(lane, m_growth);
        row.height = row.stripHeight * std::max<int>(lane.depthCount, 1) + kRowGap;
        m_layout.height += row.height;
    }
    RowLayout take() { return std::move(m_layout); }

private:
    void startGroup(const Lane& lane) {
        ++m_group;
        push(Row::Kind::Group, kGroupHeight, m_groupLabel, QStringLiteral("Click to fold or unfold"));
        if (lane.kind == LaneKind::Engine && !m_collapsed.contains(m_group))
            push(Row::Kind::Ribbon, kRibbonHeight + kRowGap, QStringLiteral("engines at once"),
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
    const std::set<int>& m_collapsed;
    int m_growth; ///< per cent
    RowLayout m_layout;
    QString m_groupLabel;
    std::uint8_t m_device = 0;
    int m_group = -1;
};

} // namespace

namespace {

RowLayout build(const TimelineIndex& index, const std::set<int>& collapsed, int growth) {
    Builder builder(index, collapsed, growth);
    for (const Lane& lane : index.lanes().lanes())
        builder.add(lane);
    return builder.take();
}

} // namespace

RowLayout RowLayout::of(const TimelineIndex& index, const std::set<int>& collapsed, int height) {
    RowLayout plain = build(index, collapsed, 100);
    int lanes = 0;
    for (const Row& row : plain.rows)
        lanes += row.kind == Row::Kind::Lane ? row.height - kRowGap : 0;
    const int room = height - plain.height;
    if (room <= 0 || lanes == 0)
        return plain;
    return build(index, collapsed, std::min(100 + 100 * room / lanes, kMaxGrowth));
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
