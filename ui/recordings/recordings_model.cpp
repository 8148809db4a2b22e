#include "recordings/recordings_model.h"

#include <olab/trace/value_text.h>
#include <olab/ui/texts.h>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr std::size_t kNoRow = ~std::size_t{0};

/// All that a person may look for in a row.
std::string wordsOf(const survey::Row& row) {
    std::string all = row.file.string() + '\n' + row.problem + '\n' + row.loss + '\n' + row.program + '\n' +
                      row.machine + '\n' + originText(row.source).toStdString() + '\n' + row.recordedAt +
                      '\n' + row.headline;
    for (const io::ReportValue& value : row.values)
        if (value.is == io::ReportValue::Is::Text)
            all += '\n' + value.text;
    return lowerText(all);
}

const std::string& wordOf(const survey::Row& row, int column) {
    switch (column) {
    case RecordingsModel::Origin:
        return row.source;
    case RecordingsModel::Date:
        return row.recordedAt;
    case RecordingsModel::Machine:
        return row.machine;
    default:
        return row.program;
    }
}

} // namespace

RecordingsModel::RecordingsModel(QObject* parent)
    : QAbstractTableModel(parent)
    , m_all(std::make_shared<RecordingsRows>())
    , m_standing(std::make_shared<const RecordingsStanding>()) {}

void RecordingsModel::begin(std::vector<survey::Column> columns) {
    beginResetModel();
    m_all = std::make_shared<RecordingsRows>();
    m_all->columns = std::move(columns);
    m_standing = std::make_shared<const RecordingsStanding>();
    m_order.clear();
    m_ofPlace.clear();
    m_problems = 0;
    m_sources.clear();
    endResetModel();
}

void RecordingsModel::append(RecordingsReader::Batch batch) {
    std::vector<std::size_t> shown;
    for (auto& [place, row] : batch) {
        const std::size_t number = m_all->rows.size();
        row.problem.empty() ? ++m_sources[row.source] : ++m_problems;
        m_ofPlace.resize(std::max(m_ofPlace.size(), place + 1), kNoRow);
        m_ofPlace[place] = number;
        m_all->rows.push_back(std::move(row));
        m_all->places.push_back(place);
        if (passes(number))
            shown.push_back(number);
    }
    if (shown.empty())
        return;
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(shown.size()) - 1);
    m_order.insert(m_order.end(), shown.begin(), shown.end());
    endInsertRows();
    orderAgain();
}

void RecordingsModel::fill(const RecordingsReader::Batch& batch) {
    for (const auto& [place, row] : batch)
        if (place < m_ofPlace.size() && m_ofPlace[place] != kNoRow) {
            survey::Row& to = m_all->rows[m_ofPlace[place]];
            for (std::size_t i = 0; i < row.values.size() && to.values.size() < m_all->columns.size(); ++i)
                to.values.push_back(row.values[i]);
        }
    if (rowCount() > 0)
        emit dataChanged(index(0, FixedCount), index(rowCount() - 1, columnCount() - 1));
    if (m_sortColumn >= FixedCount)
        orderAgain();
}

void RecordingsModel::endFill() {
    for (survey::Row& row : m_all->rows)
        if (row.problem.empty())
            row.values.resize(m_all->columns.size());
    if (rowCount() > 0)
        emit dataChanged(index(0, FixedCount), index(rowCount() - 1, columnCount() - 1));
}

/// Those that stay come first, in their order, so that new values stand behind the known ones.
void RecordingsModel::setColumns(std::vector<survey::Column> columns) {
    const std::string sortedBy =
        m_sortColumn < FixedCount
            ? std::string()
            : m_all->columns[static_cast<std::size_t>(m_sortColumn - FixedCount)].pointer;
    const auto placeIn = [](const std::vector<survey::Column>& of, const std::string& pointer) {
        return static_cast<std::size_t>(std::ranges::find(of, pointer, &survey::Column::pointer) -
                                        of.begin());
    };
    beginResetModel();
    for (survey::Row& row : m_all->rows) {
        std::vector<io::ReportValue> values;
        for (const survey::Column& column : columns)
            if (const std::size_t from = placeIn(m_all->columns, column.pointer); from < row.values.size())
                values.push_back(std::move(row.values[from]));
        row.values = std::move(values);
    }
    m_all->columns = std::move(columns);
    m_standing = std::make_shared<const RecordingsStanding>();
    if (!sortedBy.empty()) {
        const std::size_t place = placeIn(m_all->columns, sortedBy);
        const bool stays = place < m_all->columns.size();
        m_sortColumn = stays ? FixedCount + static_cast<int>(place) : int{File};
        m_sortOrder = stays ? m_sortOrder : Qt::AscendingOrder;
    }
    arrangeAll();
    endResetModel();
}

void RecordingsModel::setStanding(RecordingsStandingPtr standing) {
    m_standing = std::move(standing);
    if (m_only == Only::Outliers) {
        beginResetModel();
        arrangeAll();
        return endResetModel();
    }
    if (rowCount() > 0)
        emit dataChanged(index(0, Note), index(rowCount() - 1, columnCount() - 1));
    if (m_sortColumn == Note)
        orderAgain();
}

void RecordingsModel::setFilter(const QString& filter) {
    m_words.clear();
    for (const QString& word : filter.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        m_words.push_back(lowerText(fileOf(word).string()));
    beginResetModel();
    arrangeAll();
    endResetModel();
}

void RecordingsModel::setOnly(Only only) {
    m_only = only;
    beginResetModel();
    arrangeAll();
    endResetModel();
}

bool RecordingsModel::passes(std::size_t number) const {
    const survey::Row& row = m_all->rows[number];
    if ((m_only == Only::Problems && row.problem.empty() && row.loss.empty()) ||
        (m_only == Only::Outliers && !m_standing->ofRow.contains(number)))
        return false;
    if (m_words.empty())
        return true;
    const std::string all = wordsOf(row);
    return std::ranges::all_of(m_words, [&](const std::string& word) { return all.find(word) != all.npos; });
}

/// Above 0: `a` stands below `b` where the small come first. What has nothing there is always below.
int RecordingsModel::compared(std::size_t a, std::size_t b) const {
    if (m_sortColumn == File)
        return m_all->places[a] < m_all->places[b] ? -1 : m_all->places[a] > m_all->places[b] ? 1 : 0;
    if (m_sortColumn == Note) {
        const auto far = [this](std::size_t row) {
            const survey::Outlier* const farthest = m_standing->farthestOf(row);
            return !m_all->rows[row].problem.empty() ? 1e300
                   : !m_all->rows[row].loss.empty()  ? 1e299
                   : farthest                        ? farthest->distance
                                                     : -1.0;
        };
        const double x = far(a), y = far(b);
        return x < y ? -1 : x > y ? 1 : 0;
    }
    return wordOf(m_all->rows[a], m_sortColumn).compare(wordOf(m_all->rows[b], m_sortColumn));
}

bool RecordingsModel::before(std::size_t a, std::size_t b) const {
    const survey::Row &x = m_all->rows[a], &y = m_all->rows[b];
    const bool isAscending = m_sortOrder == Qt::AscendingOrder;
    if (m_sortColumn >= FixedCount) { // as the command line orders them
        const survey::RowOrder order{static_cast<std::size_t>(m_sortColumn - FixedCount), isAscending};
        return survey::comesBefore(x, y, order) ||
               (!survey::comesBefore(y, x, order) && m_all->places[a] < m_all->places[b]);
    }
    if (m_sortColumn > Note) {
        const bool isNothing = wordOf(x, m_sortColumn).empty(), other = wordOf(y, m_sortColumn).empty();
        if (isNothing != other)
            return other;
    }
    const int how = compared(a, b);
    if (how != 0)
        return isAscending ? how < 0 : how > 0;
    return m_all->places[a] < m_all->places[b];
}

void RecordingsModel::arrangeAll() {
    m_order.clear();
    for (std::size_t i = 0; i < m_all->rows.size(); ++i)
        if (passes(i))
            m_order.push_back(i);
    std::ranges::sort(m_order, [this](std::size_t a, std::size_t b) { return before(a, b); });
}

/// What is selected and seen stays so.
void RecordingsModel::orderAgain() {
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList from = persistentIndexList();
    std::vector<std::size_t> numbers;
    for (const QModelIndex& index : from)
        numbers.push_back(numberAt(index.row()));
    std::ranges::sort(m_order, [this](std::size_t a, std::size_t b) { return before(a, b); });
    std::map<std::size_t, int> rows;
    for (const std::size_t number : numbers)
        rows.emplace(number, -1);
    if (!rows.empty())
        for (std::size_t i = 0; i < m_order.size(); ++i)
            if (const auto at = rows.find(m_order[i]); at != rows.end())
                at->second = static_cast<int>(i);
    QModelIndexList to;
    for (qsizetype i = 0; i < from.size(); ++i)
        to << index(rows[numbers[static_cast<std::size_t>(i)]], from[i].column());
    changePersistentIndexList(from, to);
    emit layoutChanged({}, VerticalSortHint);
}

void RecordingsModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= columnCount())
        return;
    m_sortColumn = column;
    m_sortOrder = order;
    orderAgain();
}

int RecordingsModel::rowOf(std::size_t number) const {
    const auto at = std::ranges::find(m_order, number);
    return at == m_order.end() ? -1 : static_cast<int>(at - m_order.begin());
}

std::vector<const survey::Row*> RecordingsModel::listed() const {
    std::vector<const survey::Row*> rows;
    for (const std::size_t number : m_order)
        rows.push_back(&m_all->rows[number]);
    return rows;
}

int RecordingsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_order.size());
}

int RecordingsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : FixedCount + static_cast<int>(m_all->columns.size());
}

} // namespace olab::ui
