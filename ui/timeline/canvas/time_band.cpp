#include "timeline/canvas/time_band.h"

#include <algorithm>
#include <cmath>

namespace olab::ui {

std::optional<Interval> TimeBand::range(const view::Viewport& view, int left, double ratio) const {
    if (!m_held || std::abs(m_to - m_from) < kLeastPx)
        return std::nullopt;
    const auto at = [&](int x) {
        return view.timeAt(std::clamp(static_cast<int>(std::lround((x - left) * ratio)), 0, view.width()));
    };
    return Interval{at(std::min(m_from, m_to)), at(std::max(m_from, m_to))};
}

} // namespace olab::ui
