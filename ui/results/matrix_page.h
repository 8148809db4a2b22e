// Class against class: how much of the attainable overlap was reached; on the diagonal how long the class was
// busy.
#pragma once

#include <olab/ui/shown.h>

#include <QTableWidget>

namespace olab {

class MatrixPage final : public QTableWidget {
    Q_OBJECT
public:
    explicit MatrixPage(QWidget* parent = nullptr);
    void setShown(const ShownPtr& shown);

private:
    void fitCells();
    QTableWidgetItem* diagonal(const ClassNumbers& numbers) const;
    QTableWidgetItem* pair(const DeviceReport& device, ActivityClass a, ActivityClass b,
                           const Report& report) const;
    ShownPtr m_shown;
};

} // namespace olab
