// The activities of a recording as a table: reads the Trace when asked for a cell; keeps only which rows
// there are, in which order.
#pragma once

#include <olab/view/view_data.h>

#include <QAbstractTableModel>

namespace olab::ui {

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
    void setShown(view::ViewDataPtr shown);
    /// In the words of the timeline's search (SearchQuery). Empty: all rows.
    void setFilter(const QString& filter);
    /// Why the filter leaves no row: what is wrong with it, or which part of it nothing fits.
    const QString& problem() const { return m_problem; }
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    ActivityIndex activityAt(int row) const;
    std::size_t total() const { return m_shown ? m_shown->trace().size() : 0; }
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    bool isArranged() const;
    void arrange();
    QString cell(ActivityIndex row, int column) const;
    QString waitCell(ActivityIndex row, int column) const;
    view::ViewDataPtr m_shown;
    std::vector<ActivityIndex> m_rows; ///< only when filtered or in another order than the trace's
    QString m_filter, m_problem;
    int m_sortColumn = Begin;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

} // namespace olab::ui
