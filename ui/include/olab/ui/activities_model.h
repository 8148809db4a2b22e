// All activities of a recording as a table: reads the Trace when asked for a cell, copies nothing.
#pragma once

#include <olab/ui/shown.h>

#include <QAbstractTableModel>

namespace olab {

class ActivitiesModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Number,
        Class,
        Name,
        Where,
        Engine,
        Begin,
        Duration,
        Bytes,
        Rate,
        Waited,
        Cause,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setShown(ShownPtr shown);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString cell(ActivityIndex row, int column) const;
    QString waitCell(ActivityIndex row, int column) const;
    ShownPtr m_shown;
};

} // namespace olab
