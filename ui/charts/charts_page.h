// Two bar charts: busy time per engine, and the bounds beside what was measured.
#pragma once

#include <olab/view/view_data.h>

#include <QWidget>

class QHBoxLayout;

namespace olab::ui {

class ChartsPage final : public QWidget {
    Q_OBJECT
public:
    explicit ChartsPage(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);

private:
    void rebuild();
    view::ViewDataPtr m_shown;
    QHBoxLayout* m_row;
};

} // namespace olab::ui
