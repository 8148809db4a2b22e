// What is selected in a timeline: an activity with all of its op and its links, or an idle stretch; and
// beside it a measured range and a place that is shown. A plain state: who changes it tells whoever shows it.
// One thread at a time.
#pragma once

#include <olab/view/gaps.h>
#include <olab/view/place.h>

#include <optional>
#include <vector>

namespace olab {

class Selection {
public:
    /// What was touched last: this is what an inspector shows.
    enum class Picked : std::uint8_t { Activity, Gap, Range };
    /// Nothing is selected any more. Null: there is no recording.
    void setShown(ViewDataPtr data);
    /// More is known of the same run: what is selected stays.
    void refine(ViewDataPtr data) { m_data = std::move(data); }

    void select(std::optional<ActivityIndex> index);
    /// Instead of an activity.
    void selectGap(std::optional<Gap> gap);
    /// Between two rulers; nothing ends measuring. Whether that is news.
    bool measure(std::optional<Interval> range);
    /// Its op, with the place until something else is selected.
    void showPlace(const Place& place);
    struct Alike {
        std::size_t count = 0;
        Ns sum = 0; ///< of their durations
    };
    /// Selects it and, to be outlined, all activities of its class and name.
    Alike selectAlike(ActivityIndex index);

    Picked picked() const { return m_picked; }
    std::optional<ActivityIndex> activity() const { return m_activity; }
    const std::optional<Gap>& gap() const { return m_gap; }
    const std::optional<Interval>& range() const { return m_range; }
    const Place* place() const { return m_place ? &*m_place : nullptr; }
    const std::vector<Link>& links() const { return m_links; } ///< of the activity
    /// Of what is outlined all that lies in `seen`, or so much of it as can be told apart.
    std::vector<ActivityIndex> litIn(Interval seen) const;
    /// What the activity waited for longest (-1), or what began first of all that waited for it (+1).
    std::optional<ActivityIndex> followed(int direction) const;

private:
    void lightUp(std::vector<ActivityIndex> lit);
    ViewDataPtr m_data;
    std::optional<ActivityIndex> m_activity;
    std::vector<ActivityIndex> m_lit; ///< the op in all its activities, or all that are alike; by begin
    Ns m_litLongest = 0;              ///< of those
    std::vector<Link> m_links;
    std::optional<Place> m_place;
    std::optional<Gap> m_gap;
    std::optional<Interval> m_range;
    Picked m_picked = Picked::Activity;
};

} // namespace olab
