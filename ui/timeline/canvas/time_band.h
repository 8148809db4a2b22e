// A range of time that is drawn by dragging along a strip. Plain values.
#pragma once

#include <olab/view/viewport.h>

#include <optional>

namespace olab::ui {

class TimeBand {
public:
    static constexpr int kLeastPx = 4; ///< a shorter drag is a click
    void begin(int x) { m_from = m_to = x, m_held = true; }
    void drag(int x) { m_to = x; }
    void cancel() { m_held = false; }
    bool held() const { return m_held; }
    /// In the view whose lanes begin at `left` (widget's pixels, `ratio` columns each); nothing for a click.
    std::optional<Interval> range(const view::Viewport& view, int left, double ratio) const;

private:
    int m_from = 0, m_to = 0;
    bool m_held = false;
};

} // namespace olab::ui
