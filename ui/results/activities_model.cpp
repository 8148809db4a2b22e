#include <olab/ui/activities_model.h>

#include "base/plain_text.h"
#include "results/activity_rows.h"
#include "timeline/search/search.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QGuiApplication>

#include <algorithm>
#include <limits>

namespace olab::ui {

void ActivitiesModel::setShown(view::ViewDataPtr shown) {
    beginResetModel();
    m_shown = std::move(shown);
    arrange();
    endResetModel();
}

void ActivitiesModel::setFilter(const QString& filter) {
    beginResetModel();
    m_filter = filter;
    arrange();
    endResetModel();
}

void ActivitiesModel::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    m_sortColumn = column;
    m_sortOrder = order;
    arrange();
    endResetModel();
}

/// A recording of 10^8 activities is not listed again just to be shown as it is.
bool ActivitiesModel::isArranged() const {
    return !m_filter.trimmed().isEmpty() || m_sortColumn != Begin || m_sortOrder != Qt::AscendingOrder;
}

void ActivitiesModel::arrange() {
    m_rows = {};
    m_problem.clear();
    if (!m_shown || !isArranged())
        return;
    Search search(*m_shown, SearchQuery::parse(m_filter));
    search.advance(total());
    m_rows = search.matches();
    m_problem = search.query().error.isEmpty() ? search.whyNothing() : search.query().error;
    if (m_sortColumn != Begin || m_sortOrder != Qt::AscendingOrder) // they come by begin
        sortActivities(*m_shown, m_rows, m_sortColumn, m_sortOrder == Qt::DescendingOrder);
}

ActivityIndex ActivitiesModel::activityAt(int row) const {
    return isArranged() ? m_rows[static_cast<std::size_t>(row)] : static_cast<ActivityIndex>(row);
}

int ActivitiesModel::rowCount(const QModelIndex& parent) const {
    const std::size_t rows = parent.isValid() ? 0 : isArranged() ? m_rows.size() : total();
    return static_cast<int>(std::min<std::size_t>(rows, std::numeric_limits<int>::max()));
}

int ActivitiesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ActivitiesModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !m_shown)
        return {};
    const auto row = activityAt(index.row());
    const bool isText = index.column() == Class || index.column() == Name || index.column() == Where ||
                        index.column() == Engine || index.column() == Cause;
    if (role == Qt::DisplayRole)
        return cell(row, index.column());
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    if (role == Qt::DecorationRole && index.column() == Class)
        return Theme::of(QGuiApplication::palette()).colour(m_shown->index.looks().of(row));
    if (role == Qt::ToolTipRole && index.column() == Cause)
        if (const auto wait = m_shown->waitOf(row))
            return tipText(sentence(analysis::waitSentence(m_shown->facts, *wait)));
    return {};
}

QString ActivitiesModel::cell(ActivityIndex row, int column) const {
    const Trace& trace = m_shown->trace();
    const Activity a = trace[row];
    switch (column) {
    case Number:
        return numberText(trace, row);
    case Class:
        return classText(trace, row);
    case Name:
        return fromText(trace.text(a.name));
    case Where:
        return queueText(trace, a.queue);
    case Engine:
        return isDeviceClass(a.cls) ? fromText(engineLabel(a.engine)) : QString();
    case Begin:
        return exactDurationText(a.begin - m_shown->zero());
    case Duration:
        return exactDurationText(a.duration());
    case Bytes:
        return a.bytes > 0 ? sizeText(a.bytes) : QString();
    case Rate:
        return rateText(a.bytes, a.duration());
    default:
        return waitCell(row, column);
    }
}

QString ActivitiesModel::waitCell(ActivityIndex row, int column) const {
    const auto wait = m_shown->waitOf(row);
    if (!wait)
        return {};
    return column == Waited ? exactDurationText(wait->length())
                            : fromText(analysis::waitCauseId(wait->cause));
}

QVariant ActivitiesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static const std::array<QString, ColumnCount> names{
        tr("#"),     tr("class"), tr("name"), tr("stream or thread"), tr("engine"),    tr("begins"),
        tr("lasts"), tr("bytes"), tr("rate"), tr("waited"),           tr("because of")};
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= ColumnCount)
        return {};
    return names[static_cast<std::size_t>(section)];
}

} // namespace olab::ui
