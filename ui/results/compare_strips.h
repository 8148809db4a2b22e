// The engines of two runs, one above the other, from the same zero over the same length of time.
#pragma once

#include <olab/view/view_data.h>

#include <QImage>
#include <QWidget>

namespace olab::ui {

class CompareStrips final : public QWidget {
    Q_OBJECT
public:
    CompareStrips(view::ViewDataPtr before, view::ViewDataPtr after, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    /// What both show, counted from the first device work of each.
    Interval range() const { return m_range; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintRun(QPainter& painter, const view::ViewData& shown, const QString& role, QImage& picture,
                  int top);
    view::ViewDataPtr m_before, m_after;
    Interval m_range;
    QImage m_beforePicture, m_afterPicture;
};

} // namespace olab::ui
