// The views a person has seen, to go back and forth through. A view counts when it has been looked at for a
// moment, so that a zoom in many steps is one step back.
#pragma once

#include "timeline/rows/timeline_rows.h"

#include <olab/ui/timeline_canvas.h>

#include <QTimer>

namespace olab::ui {

class ViewHistory final : public QObject {
    Q_OBJECT
public:
    static constexpr int kMoment = 400; ///< ms
    static constexpr std::size_t kMost = 200;

    ViewHistory(TimelineCanvas& canvas, QObject* parent);
    void forget(); ///< another recording is shown
    void back() { go(-1); }
    void forth() { go(+1); }
    bool canGo(int direction) const;

signals:
    void changed(); ///< canGo() may have another answer

private:
    struct View {
        Interval time;
        int scroll;
        friend bool operator==(const View&, const View&) = default;
    };
    View now() const { return {m_canvas.viewport().visible(), m_canvas.rows().scroll()}; }
    void note();
    void go(int direction);
    TimelineCanvas& m_canvas;
    std::vector<View> m_views;
    std::size_t m_at = 0; ///< the one that was noted or shown last
    QTimer m_moment;
    bool m_going = false;
};

} // namespace olab::ui
