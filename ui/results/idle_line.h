// Where there is no account of lost time, what is certain: how long a GPU was idle, what the host was in
// meanwhile, and the largest gaps, each a button that leads there. Not there while there is nothing to say.
#pragma once

#include <olab/view/view_data.h>

#include <QFrame>

class QHBoxLayout;
class QPushButton;

namespace olab::ui {

class ElidedLabel;

class IdleLine final : public QFrame {
    Q_OBJECT
public:
    explicit IdleLine(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);
    /// Not there while others need the room more.
    void setMakesRoom(bool makesRoom);
    QString text() const;

signals:
    void gapChosen(olab::Interval gap);

private:
    void showGap(std::size_t at, const recording::IdleGap* gap, Ns zero);
    bool m_makesRoom = false, m_says = false;
    ElidedLabel* m_text;
    std::vector<QPushButton*> m_gaps;
    std::vector<Interval> m_times;
};

} // namespace olab::ui
