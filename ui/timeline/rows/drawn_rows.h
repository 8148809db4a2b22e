// The lanes there are to draw, with the names of their rows.
#pragma once

#include "timeline/rows/row_groups.h"

#include <olab/view/drawn_lanes.h>

#include <memory>

namespace olab::ui {

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
