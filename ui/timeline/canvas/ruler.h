// The ruler above the lanes. GUI thread.
#pragma once

#include <olab/ui/timeline_canvas.h>
#include <olab/view/viewport.h>

#include <optional>

namespace olab::ui {

/// A range of time that is drawn by dragging along a strip. Plain values.
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

/// What is dragged over it fills the view.
class Ruler final : public QWidget {
    Q_OBJECT
public:
    Ruler(TimelineCanvas& canvas, QWidget* parent);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    std::optional<Interval> drawn() const;
    TimelineCanvas& m_canvas;
    TimeBand m_band;
};

} // namespace olab::ui
