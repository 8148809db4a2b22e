// Bars of operations, one lane each, that are dragged to where somebody thinks they will run; or, to be
// looked at, where they did run. Mouse: drag. Keys: up and down choose a bar, left and right move it (with
// Shift further), Enter leaves them as they are. GUI thread.
#pragma once

#include "lessons/lesson_panel.h"

#include <olab/lesson/lesson_check.h>

#include <QWidget>

#include <algorithm>
#include <functional>

namespace olab::ui {

/// How long the runs of a lesson's steps took, as bars from one zero over one length of time. GUI thread.
class LengthBars final : public QWidget {
public:
    /// `whole`: the length of the axis; 0: that of the longest.
    explicit LengthBars(std::vector<LessonLength> lengths, Ns whole = 0, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {nameWidth() + 40, sizeHint().height()}; }
    /// Of the bar of this number, in pixels.
    QRect barRect(std::size_t number) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int rowHeight() const;
    int widest(QString LessonLength::*text) const;
    int nameWidth() const { return widest(&LessonLength::name); }
    std::vector<LessonLength> m_lengths;
    Ns m_whole;
};

class BarsBoard final : public QWidget {
public:
    /// To be dragged. `placed`: the begins after each change, and when they are left as they are.
    BarsBoard(const lesson::LessonBars& bars, std::vector<double> begins,
              std::function<void(const std::vector<double>&)> placed, QWidget* parent = nullptr);
    /// To be looked at.
    BarsBoard(const lesson::LessonBars& bars, const std::vector<Interval>& ran, QWidget* parent = nullptr);

    /// All at the left, as they are at first: no answer is given away.
    static std::vector<double> startOf(const lesson::LessonBars& bars);
    static std::vector<lesson::BarSpan> spansOf(const lesson::LessonBars& bars,
                                                const std::vector<double>& begins);
    const std::vector<lesson::BarSpan>& spans() const { return m_spans; }
    QRect barRect(std::size_t bar) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void paintBar(QPainter& painter, std::size_t bar);
    void move(std::size_t bar, double begin);
    void tell();
    void speak();
    QString spoken(std::size_t bar) const;
    double unit() const { return std::max(width() - 2, 1) / m_all; } ///< pixels
    int rowHeight() const;
    lesson::LessonBars m_bars;
    std::vector<lesson::BarSpan> m_spans;
    std::function<void(const std::vector<double>&)> m_placed; ///< empty: to be looked at
    double m_all = 1;                                         ///< units from left to right
    std::size_t m_bar = 0;                                    ///< that keys move
    double m_grip = 0;                                        ///< where it was taken, in units from its begin
    bool m_drags = false, m_moved = false;
};

} // namespace olab::ui
