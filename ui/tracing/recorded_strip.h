// When recording was on, above the timeline and on its scale: a bar while it was, a hatch while it was not, a
// mark with a word where it was switched. Not there while recording is on all the time. GUI thread.
#pragma once

#include <olab/trace/types.h>

#include <QStringList>
#include <QWidget>

#include <vector>

namespace olab::ui {

class TimelineCanvas;

class RecordedStrip final : public QWidget {
    Q_OBJECT
public:
    RecordedStrip(const TimelineCanvas& canvas, QWidget* parent);
    /// Empty: all the time.
    void setOn(std::vector<Interval> on);
    /// "on", "off": those in view, from left to right.
    QStringList marks() const;
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Switch {
        Ns at;
        bool on;
    };
    std::vector<Switch> switchesInView() const;
    bool isOnAt(Ns time) const;
    int xOf(Ns time) const;
    const TimelineCanvas& m_canvas;
    std::vector<Interval> m_on;
};

} // namespace olab::ui
