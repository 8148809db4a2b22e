// The one visible range and the one map between time and pixel columns. A plain value: no widget, no signal.
// All maths is exact integer maths (128 bit inside). Pixel column `px` shows the half-open time [timeAt(px),
// timeAt(px + 1)).
#pragma once

#include <olab/trace/interval_set.h>
#include <olab/trace/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace olab::view {

class Viewport {
public:
    /// The limits of the visible range, which is kept if possible. Empty limits count as one microsecond.
    void setLimits(Interval whole);
    void setWidth(int px);
    /// Shows `range`, clamped.
    void show(Interval range);
    /// Shows everything.
    void fit();

    Interval limits() const { return m_limits; }
    Interval visible() const { return m_visible; }
    int width() const { return m_width; }
    bool isFit() const { return m_visible == m_limits; }

    Ns timeAt(std::int64_t px) const;
    Interval column(std::int64_t px) const { return {timeAt(px), timeAt(px + 1)}; }
    /// The column that shows `t`: the last px with timeAt(px) <= t. May lie outside [0, width).
    std::int64_t xAt(Ns t) const;
    /// The column border nearest to `t`: where an edge is drawn.
    std::int64_t edgeAt(Ns t) const;
    /// timeAt(0) to timeAt(width()), found with additions only.
    std::vector<Ns> borders() const;
    /// Length of time that is `px` columns wide, rounded up.
    Ns lengthOf(std::int64_t px) const;

    /// Makes the visible range `factor` times as long; the time at `px` stays at `px` (unless a limit is
    /// reached).
    void zoomAt(std::int64_t px, double factor);
    /// Moves the visible range: positive shows later times. panBy(n) then panBy(-n) restores it (unless a
    /// limit is reached).
    void panBy(std::int64_t px);

    friend bool operator==(const Viewport&, const Viewport&) = default;

private:
    void place(Ns begin, Ns length);
    Interval m_limits{0, 1000};
    Interval m_visible{0, 1000};
    int m_width = 1;
};

// The initial view of a timeline. Pure functions; any thread. Times are ns of the recording.

struct ViewData;

/// With more iterations only some are shown at first, so that each is wide enough to be read.
inline constexpr std::uint64_t kMostOpened = 12;

/// The iterations judged by the account, all of them or some around the typical one, with a small margin on
/// both sides. If none are judged (yet): the device work if it takes less than a quarter of the recording,
/// which is often filled by program start; otherwise nothing: then the whole recording is shown.
std::optional<Interval> openingView(const ViewData& shown);

} // namespace olab::view
