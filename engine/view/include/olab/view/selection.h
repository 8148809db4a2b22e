// What is selected in a timeline: an activity with its whole op and its links, or an idle stretch; in
// addition a measured range and a place that is shown. Plain state: code that changes it notifies the views.
// One thread at a time.
#pragma once

#include <olab/view/gaps.h>
#include <olab/view/links.h>
#include <olab/view/place.h>
#include <olab/view/view_data.h>
#include <olab/view/view_data_ptr.h>

#include <optional>
#include <vector>

namespace olab::view {

class Selection {
public:
    /// The last change, which the inspector shows.
    enum class Picked : std::uint8_t { Activity, Gap, Range };
    /// Clears the selection. Null: there is no recording.
    void setShown(ViewDataPtr data);
    /// Newer data about the same run: the selection stays.
    void refine(ViewDataPtr data) { m_data = std::move(data); }

    void select(std::optional<ActivityIndex> index);
    /// Replaces a selected activity.
    void selectGap(std::optional<Gap> gap);
    /// The range between two rulers; nothing: ends measuring. Returns whether it changed.
    bool measure(std::optional<Interval> range);
    /// Selects its op; the place is shown until something else is selected.
    void showPlace(const Place& place);
    struct Alike {
        std::size_t count = 0;
        Ns sum = 0; ///< of their durations
    };
    /// Selects it and outlines all activities that count by its name (analysis::kindsLike()).
    Alike selectAlike(ActivityIndex index);
    /// Selects the longest of them, and outlines all; by begin. Nothing happens if there are none.
    void selectAll(std::vector<ActivityIndex> activities);

    bool empty() const { return !m_activity && !m_gap && !m_range; }
    Picked picked() const { return m_picked; }
    std::optional<ActivityIndex> activity() const { return m_activity; }
    const std::optional<Gap>& gap() const { return m_gap; }
    const std::optional<Interval>& range() const { return m_range; }
    const Place* place() const { return m_place ? &*m_place : nullptr; }
    const std::vector<Link>& links() const { return m_links; } ///< of the activity
    /// The outlined activities in `seen`, or as many of them as can be distinguished.
    std::vector<ActivityIndex> litIn(Interval seen) const;
    /// What the activity waited for longest (-1), or the first to begin of those that waited for it (+1).
    std::optional<ActivityIndex> followed(int direction) const;

private:
    void lightUp(std::vector<ActivityIndex> lit);
    ViewDataPtr m_data;
    std::optional<ActivityIndex> m_activity;
    std::vector<ActivityIndex> m_lit; ///< all activities of the op, or all similar ones; by begin
    Ns m_litLongest = 0;              ///< of those
    std::vector<Link> m_links;
    std::optional<Place> m_place;
    std::optional<Gap> m_gap;
    std::optional<Interval> m_range;
    Picked m_picked = Picked::Activity;
};

} // namespace olab::view
