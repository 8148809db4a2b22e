// Two bar charts: busy time per engine, and the bounds beside what was measured.
#pragma once

#include <olab/view/view_data.h>

#include <QWidget>

class QHBoxLayout;

namespace olab {

class ChartsPage final : public QWidget {
    Q_OBJECT
public:
    explicit ChartsPage(QWidget* parent = nullptr);
    void setShown(const ViewDataPtr& shown);

private:
    void rebuild();
    ViewDataPtr m_shown;
    QHBoxLayout* m_row;
};

} // namespace olab
