// Two bar charts: busy time per engine, and the bounds beside what was measured.
#pragma once

#include <olab/ui/shown.h>

#include <QWidget>

class QHBoxLayout;

namespace olab {

class ChartsPage final : public QWidget {
    Q_OBJECT
public:
    explicit ChartsPage(QWidget* parent = nullptr);
    void setShown(const ShownPtr& shown);

private:
    void rebuild();
    ShownPtr m_shown;
    QHBoxLayout* m_row;
};

} // namespace olab
