// The rows there can be, in their natural order, with their names: what every layout of one recording has in
// common, whatever is folded, hidden, moved or resized. Made once per set of lanes (DrawnRows::groups),
// since a file may have 65 535 of them.
#pragma once

#include <olab/view/drawn_lanes.h>

#include <QString>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace olab::ui {

struct RowItem {
    const Lane* lane;
    QString name;  ///< as in RowChoices
    QString label; ///< of the lane, for people
};

struct RowGroup {
    QString name;
    std::vector<RowItem> items;       ///< never empty
    std::vector<std::uint32_t> heads; ///< of the blocks: a lane and what is beneath it stay together
    QStringList names;                ///< of the blocks: those of their heads
    std::span<const RowItem> block(std::size_t number) const;
    const Lane& first() const { return *items.front().lane; }
    bool startsFolded() const; ///< until somebody opens it
};

struct RowGroups {
    std::vector<RowGroup> groups;
    QStringList names;
    static RowGroups of(const view::DrawnLanes& lanes);
};

// The lanes there are to draw, with the names of their rows.

/// As DrawnLanes: a plain value, cheap to copy; one thread at a time.
class DrawnRows : public view::DrawnLanes {
public:
    using view::DrawnLanes::DrawnLanes;
    void leaveOut(LaneId lane) {
        view::DrawnLanes::leaveOut(lane);
        m_groups.reset();
    }
    /// The rows of all of them; made when first asked for.
    const RowGroups& groups() const;

private:
    std::shared_ptr<const RowGroups> mutable m_groups;
};

} // namespace olab::ui
