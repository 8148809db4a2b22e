#include <olab/ui/statistics_model.h>

#include "base/ledger_pieces.h"
#include "base/plain_text.h"

#include <olab/analysis/cause_table.h>
#include <olab/analysis/statistics.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QGuiApplication>
#include <QString>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace olab::ui {

namespace {

using analysis::NamedWork;
using analysis::Statistics;
using analysis::StatisticsRow;
using Shown = StatisticsModel;

QString shareText(double share) {
    return QString::number(share * 100, 'f', 1) + QStringLiteral(" %");
}

/// Of the columns that show one.
std::optional<Ns> timeOf(const Statistics& of, const StatisticsRow& row, int column) {
    switch (column) {
    case Shown::Total:
        return row.total;
    case Shown::Mean:
        return row.mean;
    case Shown::Median:
        return row.median;
    case Shown::Shortest:
        return row.shortest;
    case Shown::Longest:
        return row.longest;
    case Shown::Spread:
        return row.spread;
    case Shown::Waited:
        return row.work.waited > 0 ? std::optional(row.work.waited) : std::nullopt;
    case Shown::WorkTime:
        return of.by > analysis::StatisticsGroup::Copy && row.work.count > 0 ? std::optional(row.work.time)
                                                                             : std::nullopt;
    case Shown::IterationTotal:
        return row.totalInIterations > 0 ? std::optional(of.totalPerIteration(row)) : std::nullopt;
    default:
        return std::nullopt;
    }
}

/// Of the columns that show another number.
std::optional<double> numberOf(const Statistics& of, const StatisticsRow& row, int column) {
    switch (column) {
    case Shown::Count:
        return static_cast<double>(row.count);
    case Shown::Share:
        return row.work.count > 0 ? std::optional(of.shareOf(row)) : std::nullopt;
    case Shown::Overlapped:
        return row.work.count > 0 ? std::optional(row.work.overlappedShare()) : std::nullopt;
    case Shown::Bytes:
        return row.work.bytes > 0 ? std::optional(static_cast<double>(row.work.bytes)) : std::nullopt;
    case Shown::Rate:
        return row.work.rate();
    case Shown::IterationCount:
        return row.inIterations > 0 ? std::optional(of.countPerIteration(row)) : std::nullopt;
    default:
        return std::nullopt;
    }
}

QString textOf(double number, const StatisticsRow& row, int column) {
    switch (column) {
    case Shown::Count:
        return countText(row.count);
    case Shown::Bytes:
        return sizeText(row.work.bytes);
    case Shown::Rate:
        return rateText(number);
    case Shown::IterationCount:
        return QString::number(number, 'f', number < 10 ? 2 : 1);
    default:
        return shareText(number);
    }
}

/// "H2D pinned → device", as the Inspector writes it.
QString nameText(const StatisticsRow& row) {
    QString name = fromText(row.label);
    return isCopyClass(row.cls) ? name.replace(QStringLiteral(" -> "), QStringLiteral(" → ")) : name;
}

QString causeTip(const NamedWork& work) {
    if (work.waited == 0)
        return {};
    return Shown::tr("%1: %2 of %3")
        .arg(sentence(analysis::causeRow(work.cause).label), exactDurationText(work.byCause),
             exactDurationText(work.waited));
}

/// Empty: nothing is known or there is nothing.
QString statisticsCell(const Statistics& of, const StatisticsRow& row, int column) {
    if (column == Shown::Name)
        return nameText(row);
    if (column == Shown::Cause)
        return row.work.waited > 0 ? causeTitle(row.work.cause) : QString();
    if (const auto time = timeOf(of, row, column))
        return durationText(*time);
    const auto number = numberOf(of, row, column);
    return number ? textOf(*number, row, column) : QString();
}

/// Every nanosecond of a time, the title of a cause; empty: the cell says all.
QString statisticsTip(const Statistics& of, const StatisticsRow& row, int column) {
    if (column == Shown::Name)
        return fromText(row.name);
    if (column == Shown::Cause || column == Shown::Waited)
        return causeTip(row.work);
    if (column == Shown::Overlapped && row.work.count > 0)
        return Shown::tr("%1 of %2")
            .arg(exactDurationText(row.work.overlapped), exactDurationText(row.work.time));
    if (column == Shown::Count && row.cut > 0)
        return Shown::tr("%1 of them reach over an end of the part").arg(countText(row.cut));
    const auto time = timeOf(of, row, column);
    return time ? exactDurationText(*time) : QString();
}

/// By which the column is sorted, but those of texts; a cell without text is below every value.
double statisticsKey(const Statistics& of, const StatisticsRow& row, int column) {
    constexpr double kNothing = -1;
    if (const auto time = timeOf(of, row, column))
        return static_cast<double>(*time);
    return numberOf(of, row, column).value_or(kNothing);
}

struct ColumnWords {
    const char *name, *tip;
};
/// By Column.
constexpr std::array<ColumnWords, StatisticsModel::ColumnCount> kColumnWords{{
    {QT_TR_NOOP("name"), ""},
    {QT_TR_NOOP("total"), QT_TR_NOOP("The sum of all durations: what runs at once counts more than once")},
    {QT_TR_NOOP("of GPU"),
     QT_TR_NOOP(
         "The share of its work in all work of the GPUs; of calls and ranges that of what they issued")},
    {QT_TR_NOOP("count"), ""},
    {QT_TR_NOOP("mean"), ""},
    {QT_TR_NOOP("overlapped"),
     QT_TR_NOOP("How much of its work ran beside work of another class on the same GPU")},
    {QT_TR_NOOP("waited"), QT_TR_NOOP("How long its work was held up")},
    {QT_TR_NOOP("because of"), QT_TR_NOOP("The cause that owns most of the waiting")},
    {QT_TR_NOOP("GPU time"), QT_TR_NOOP("The work of the GPUs that was issued in it")},
    {QT_TR_NOOP("median"), ""},
    {QT_TR_NOOP("min"), ""},
    {QT_TR_NOOP("max"), ""},
    {QT_TR_NOOP("std dev"), QT_TR_NOOP("The standard deviation of the durations")},
    {QT_TR_NOOP("bytes"), ""},
    {QT_TR_NOOP("rate"), QT_TR_NOOP("Bytes by the time of the copies that moved them")},
    {QT_TR_NOOP("per iteration"), QT_TR_NOOP("The total, by the number of repeated iterations")},
    {QT_TR_NOOP("times per iteration"), QT_TR_NOOP("The count, by the number of repeated iterations")},
}};

bool isText(int column) {
    return column == StatisticsModel::Name || column == StatisticsModel::Cause;
}

/// The places of the rows in the order of a column of texts.
std::vector<double> placesByText(const analysis::Statistics& of, int column) {
    std::vector<QString> texts;
    for (const analysis::StatisticsRow& row : of.rows)
        texts.push_back(statisticsCell(of, row, column));
    std::vector<std::size_t> order(texts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t r) -> const QString& { return texts[r]; });
    std::vector<double> places(texts.size());
    for (std::size_t i = 0; i < order.size(); ++i) // equal texts have one place
        places[order[i]] =
            i > 0 && texts[order[i]] == texts[order[i - 1]] ? places[order[i - 1]] : static_cast<double>(i);
    return places;
}

std::vector<double> keysOf(const analysis::Statistics& of, int column) {
    if (isText(column))
        return placesByText(of, column);
    std::vector<double> keys;
    for (const analysis::StatisticsRow& row : of.rows)
        keys.push_back(statisticsKey(of, row, column));
    return keys;
}

bool hasAll(const QString& name, const QStringList& words) {
    return std::ranges::all_of(words,
                               [&](const QString& word) { return name.contains(word, Qt::CaseInsensitive); });
}

} // namespace

void StatisticsModel::setCounted(view::CountedStatisticsPtr counted) {
    beginResetModel();
    m_counted = std::move(counted);
    arrange();
    endResetModel();
}

void StatisticsModel::setFilter(const QString& filter) {
    beginResetModel();
    m_filter = filter;
    arrange();
    endResetModel();
}

void StatisticsModel::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    m_sortColumn = column;
    m_sortOrder = order;
    arrange();
    endResetModel();
}

void StatisticsModel::arrange() {
    m_rows.clear();
    if (!m_counted)
        return;
    const analysis::Statistics& of = m_counted->statistics;
    const QStringList words = m_filter.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (std::size_t r = 0; r < of.rows.size(); ++r)
        if (words.isEmpty() || hasAll(exactText(of.rows[r].name), words))
            m_rows.push_back(r);
    if (m_sortColumn == Total && m_sortOrder == Qt::DescendingOrder) // they come so
        return;
    const std::vector<double> keys = keysOf(of, m_sortColumn);
    const bool descending = m_sortOrder == Qt::DescendingOrder;
    std::ranges::stable_sort(m_rows, [&](std::size_t a, std::size_t b) {
        return descending ? keys[b] < keys[a] : keys[a] < keys[b];
    });
}

bool StatisticsModel::saysSomething(int column) const {
    return m_counted && std::ranges::any_of(m_rows, [&](std::size_t r) {
               return !statisticsCell(m_counted->statistics, m_counted->statistics.rows[r], column).isEmpty();
           });
}

int StatisticsModel::rowOf(std::string_view name) const {
    for (int row = 0; row < rowCount(); ++row)
        if (rowAt(row).name == name)
            return row;
    return -1;
}

analysis::Statistics StatisticsModel::shownPart() const {
    if (!m_counted)
        return {};
    analysis::Statistics part = m_counted->statistics;
    part.rows.clear();
    for (const std::size_t r : m_rows)
        part.rows.push_back(m_counted->statistics.rows[r]);
    return part;
}

int StatisticsModel::rowCount(const QModelIndex& parent) const {
    constexpr std::size_t kMost = std::numeric_limits<int>::max();
    return parent.isValid() ? 0 : static_cast<int>(std::min(m_rows.size(), kMost));
}

int StatisticsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant StatisticsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !m_counted)
        return {};
    const analysis::StatisticsRow& row = rowAt(index.row());
    if (role == Qt::DisplayRole)
        return statisticsCell(m_counted->statistics, row, index.column());
    if (role == Qt::ToolTipRole)
        return tipText(statisticsTip(m_counted->statistics, row, index.column()));
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((isText(index.column()) ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    if (role == Qt::DecorationRole && index.column() == Name)
        return Theme::of(QGuiApplication::palette()).colour(row.cls);
    return {};
}

QVariant StatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    const ColumnWords& words = kColumnWords[static_cast<std::size_t>(section)];
    if (role == Qt::ToolTipRole)
        return tipText(tr(words.tip));
    return role == Qt::DisplayRole ? QVariant(tr(words.name)) : QVariant();
}

} // namespace olab::ui
