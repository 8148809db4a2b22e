// Class against class: how much of the attainable overlap was reached; on the diagonal how long the class was
// busy. A double click or Enter shows the worst place of the pair.
#pragma once

#include <olab/view/place.h>

#include <QTableWidget>

namespace olab {

class MatrixPage final : public QTableWidget {
    Q_OBJECT
public:
    explicit MatrixPage(QWidget* parent = nullptr);
    void setShown(const ViewDataPtr& shown);

signals:
    void placeChosen(const olab::Place& place);

private:
    void fitCells();
    void choose(int row, int column);
    QTableWidgetItem* diagonal(const ClassNumbers& numbers) const;
    QTableWidgetItem* pair(const DeviceReport& device, ActivityClass a, ActivityClass b,
                           const Report& report) const;
    ViewDataPtr m_shown;
    std::vector<ActivityClass> m_classes; ///< of the rows, and of the columns
};

} // namespace olab
