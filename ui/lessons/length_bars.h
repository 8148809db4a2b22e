// How long the runs of a lesson's steps took, as bars from one zero over one length of time. GUI thread.
#pragma once

#include "lessons/lesson_panel.h"

#include <QWidget>

namespace olab::ui {

class LengthBars final : public QWidget {
public:
    /// `whole`: the length of the axis; 0: that of the longest.
    explicit LengthBars(std::vector<LessonLength> lengths, Ns whole = 0, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    /// Of the bar of this number, in pixels.
    QRect barRect(std::size_t number) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int rowHeight() const;
    int widest(QString LessonLength::*text) const;
    int nameWidth() const;
    std::vector<LessonLength> m_lengths;
    Ns m_whole;
};

} // namespace olab::ui
