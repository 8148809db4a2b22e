#include "results/name_column.h"

#include <olab/ui/view_style.h>

#include <QEvent>
#include <QHeaderView>
#include <QTableView>

#include <algorithm>

namespace olab::ui {

NameColumn::NameColumn(QTableView& table, int column, int least)
    : QObject(&table)
    , m_table(table)
    , m_column(column)
    , m_least(least) {
    table.setTextElideMode(Qt::ElideMiddle); // many begin alike
    table.viewport()->installEventFilter(this);
    connect(table.model(), &QAbstractItemModel::modelReset, this, [this] { fit(); });
    connect(table.horizontalHeader(), &QHeaderView::sectionResized, this,
            [this](int section) { m_byHand = m_byHand || section == m_column; });
}

void NameColumn::fit(bool afresh) {
    if (afresh)
        m_byHand = false;
    if (m_byHand)
        return;
    const int others = m_table.horizontalHeader()->length() - m_table.columnWidth(m_column);
    const ViewStyle sizes = ViewStyle::of(m_table.parentWidget()->font()); // the table hears of it later
    const int names = std::min(static_cast<QAbstractItemView&>(m_table).sizeHintForColumn(m_column),
                               m_table.viewport()->width() / 2);
    m_table.setColumnWidth(m_column,
                           std::max({sizes.scaled(m_least), names, m_table.viewport()->width() - others}));
    m_byHand = false; // that was nobody
}

bool NameColumn::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == m_table.viewport())
        fit();
    return QObject::eventFilter(watched, event);
}

} // namespace olab::ui
