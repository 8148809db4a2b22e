#include <olab/ui/activities_model.h>

#include "base/ledger_pieces.h"
#include "base/plain_text.h"
#include "timeline/search/search.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QGuiApplication>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

namespace olab::ui {

namespace {

using Key = std::int64_t;
constexpr Key kNoKey = -1; ///< an empty cell: behind every value, in either order

Key rateOf(const Activity& a) {
    if (a.bytes <= 0 || a.duration() <= 0)
        return kNoKey;
    const double rate = static_cast<double>(a.bytes) / static_cast<double>(a.duration()) * 1e6;
    return static_cast<Key>(std::min(rate, 9e18));
}

/// Streams before threads, each by number: "stream 9" stands before "stream 13".
Key queueKey(const Trace& trace, QueueId id) {
    if (id.value >= trace.queues().size())
        return kNoKey;
    const Queue& queue = trace.queue(id);
    return (Key{queue.kind == Queue::Kind::HostThread} << 32) | Key{queue.number};
}

std::vector<Key> waitKeys(const view::ViewData& shown, const std::vector<ActivityIndex>& rows, int column) {
    const analysis::ExplainedWaits waits = shown.waits();
    std::vector<Key> keys(shown.trace().size());
    for (const ActivityIndex i : rows) {
        if (!isDeviceClass(shown.trace().cls(i))) {
            keys[i] = kNoKey;
            continue;
        }
        const std::size_t number = shown.facts.deviceWork().numberOf(i);
        if (waits.cause(number) == analysis::LossCause::None)
            keys[i] = kNoKey;
        else
            keys[i] = column == ActivitiesModel::Waited ? waits.length(number)
                                                        : static_cast<Key>(waits.cause(number));
    }
    return keys;
}

Key keyOf(const view::ViewData& shown, ActivityIndex i, int column) {
    const Activity a = shown.trace()[i];
    switch (column) {
    case ActivitiesModel::Number:
        return a.op == kNoOp ? Key{i} : Key{a.op.value};
    case ActivitiesModel::Class:
        return static_cast<Key>(a.cls);
    case ActivitiesModel::Where:
        return queueKey(shown.trace(), a.queue);
    case ActivitiesModel::Engine:
        return isDeviceClass(a.cls) ? static_cast<Key>(a.engine) : kNoKey;
    case ActivitiesModel::Duration:
        return a.duration();
    case ActivitiesModel::Bytes:
        return a.bytes > 0 ? a.bytes : kNoKey;
    case ActivitiesModel::Rate:
        return rateOf(a);
    default:
        return a.begin;
    }
}

/// The place of each name in the alphabet.
std::vector<Key> nameKeys(const Trace& trace, const std::vector<ActivityIndex>& rows) {
    std::map<std::string_view, Key> places;
    for (const ActivityIndex i : rows)
        places.emplace(trace.text(trace[i].name), 0);
    Key next = 0;
    for (auto& [name, place] : places)
        place = next++;
    std::vector<Key> keys(trace.size());
    for (const ActivityIndex i : rows)
        keys[i] = places.find(trace.text(trace[i].name))->second;
    return keys;
}

std::vector<Key> keysOf(const view::ViewData& shown, const std::vector<ActivityIndex>& rows, int column) {
    if (column == ActivitiesModel::Name)
        return nameKeys(shown.trace(), rows);
    if (column == ActivitiesModel::Waited || column == ActivitiesModel::Cause)
        return waitKeys(shown, rows, column);
    std::vector<Key> keys(shown.trace().size());
    for (const ActivityIndex i : rows)
        keys[i] = keyOf(shown, i, column);
    return keys;
}

/// By numbers, so that millions are sorted in little time. Stable; `column` is an ActivitiesModel::Column.
void sortActivities(const view::ViewData& shown, std::vector<ActivityIndex>& rows, int column,
                    bool descending) {
    const std::vector<Key> keys = keysOf(shown, rows, column);
    std::ranges::stable_sort(rows, [&keys, descending](ActivityIndex a, ActivityIndex b) {
        if (keys[a] == kNoKey || keys[b] == kNoKey)
            return keys[b] == kNoKey && keys[a] != kNoKey;
        return descending ? keys[b] < keys[a] : keys[a] < keys[b];
    });
}

} // namespace

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
    return column == Waited ? exactDurationText(wait->length()) : causeTitle(wait->cause);
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
