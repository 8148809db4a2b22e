// Class against class: how much of the attainable overlap was reached; on the diagonal how long the class was
// busy. A double click or Enter shows the worst place of the pair.
#pragma once

#include <olab/analysis/report.h>
#include <olab/view/place.h>
#include <olab/view/view_data.h>
#include <olab/view/view_data_ptr.h>

#include <QTableWidget>

namespace olab::ui {

class MatrixPage final : public QTableWidget {
    Q_OBJECT
public:
    explicit MatrixPage(QWidget* parent = nullptr);
    void setShown(const view::ViewDataPtr& shown);

signals:
    void placeChosen(const olab::view::Place& place);

private:
    void fitCells();
    void choose(int row, int column);
    QTableWidgetItem* diagonal(const analysis::ClassNumbers& numbers) const;
    QTableWidgetItem* pair(const analysis::DeviceReport& device, ActivityClass a, ActivityClass b,
                           const analysis::Report& report) const;
    view::ViewDataPtr m_shown;
    std::vector<ActivityClass> m_classes; ///< of the rows, and of the columns
};

} // namespace olab::ui
