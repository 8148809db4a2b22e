// Statistics by name as a table: keeps what was counted, and which rows of it are shown, in which order.
#pragma once

#include <olab/view/statistics_counter.h>

#include <QAbstractTableModel>

namespace olab::ui {

class StatisticsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Name,
        Total,
        Share,
        Count,
        Mean,
        Overlapped,
        Waited,
        Cause,
        WorkTime,
        Median,
        Shortest,
        Longest,
        Spread,
        Bytes,
        Rate,
        IterationTotal,
        IterationCount,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setCounted(view::CountedStatisticsPtr counted); ///< null: nothing is shown
    const view::CountedStatisticsPtr& counted() const { return m_counted; }
    /// Words that a name must contain, in any order, whatever their case. Empty: all rows.
    void setFilter(const QString& filter);
    void sort(int column, Qt::SortOrder order = Qt::DescendingOrder) override;
    /// The column says something of at least one row.
    bool saysSomething(int column) const;
    const analysis::StatisticsRow& rowAt(int row) const { return m_counted->statistics.rows[numberAt(row)]; }
    int rowOf(std::string_view name) const; ///< -1: it is not shown
    std::size_t numberAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    /// What is shown, in this order.
    analysis::Statistics shownPart() const;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void arrange();
    view::CountedStatisticsPtr m_counted;
    std::vector<std::size_t> m_rows; ///< of the statistics
    QString m_filter;
    int m_sortColumn = Total;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

} // namespace olab::ui
