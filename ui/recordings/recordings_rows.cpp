#include "recordings/recordings_rows.h"

#include "base/ledger_pieces.h"
#include "base/plain_text.h"
#include "recordings/recordings_model.h"

#include <olab/analysis/cause_table.h>
#include <olab/survey/standing.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <algorithm>
#include <array>
#include <map>

namespace olab::ui {

namespace {

std::size_t groupWanted(const std::vector<survey::Group>& groups, const HistoryWish& wish) {
    const auto at = std::ranges::find_if(groups, [&](const survey::Group& group) {
        return wish.isChosen && group.program == wish.program && group.machine == wish.machine;
    });
    return at == groups.end() ? 0 : static_cast<std::size_t>(at - groups.begin());
}

} // namespace

const survey::Outlier* RecordingsStanding::outlierOf(std::size_t row, std::size_t ofColumn) const {
    const auto at = ofRow.find(row);
    if (at == ofRow.end())
        return nullptr;
    for (const std::size_t number : at->second)
        if (outliers[number].column == ofColumn)
            return &outliers[number];
    return nullptr;
}

const survey::Outlier* RecordingsStanding::farthestOf(std::size_t row) const {
    const auto at = ofRow.find(row);
    return at == ofRow.end() ? nullptr : &outliers[at->second.front()];
}

RecordingsStandingPtr standingOf(const RecordingsRows& rows, const HistoryWish& wish) {
    RecordingsStanding standing;
    standing.groups = survey::groupsOf(rows.rows);
    standing.outliers = survey::outliersOf(rows.rows, standing.groups, rows.columns.size());
    for (std::size_t i = 0; i < standing.outliers.size(); ++i)
        standing.ofRow[standing.outliers[i].row].push_back(i);
    return withHistory(standing, rows, wish);
}

RecordingsStandingPtr withHistory(const RecordingsStanding& standing, const RecordingsRows& rows,
                                  const HistoryWish& wish) {
    auto made = std::make_shared<RecordingsStanding>(standing);
    made->column = wish.column;
    made->history.reset();
    if (made->groups.empty())
        return made;
    made->group = groupWanted(made->groups, wish);
    const std::span<const survey::Group> one(&made->groups[made->group], 1);
    auto histories = survey::historiesOf(rows.rows, one, wish.column);
    if (!histories.empty())
        made->history = std::move(histories.front());
    return made;
}

// What the cells of the table of recordings say.
namespace {

using Is = io::ReportValue::Is;
constexpr auto kFirstCause = "/ledger/causes/0/id";

bool isColumnOfWords(const survey::Column& column) {
    return column.pointer == kFirstCause || column.pointer == "/survey/verdict" ||
           column.pointer == "/survey/pair";
}

/// Words that the engine has ids for.
QString wordText(const survey::Column& column, const std::string& word) {
    if (column.pointer == kFirstCause)
        return causeTitle(analysis::lossCauseOf(word));
    return fromText(word);
}

} // namespace

QString recordingsHead(const survey::Column& column) {
    static const std::map<std::string, const char*> kHeads{
        {"/bounds/measured_ns", QT_TR_NOOP("Run time")},
        {"/bounds/ideal_ns", QT_TR_NOOP("Ideal")},
        {"/bounds/efficiency", QT_TR_NOOP("Efficiency")},
        {kFirstCause, QT_TR_NOOP("First cause")},
        {"/ledger/causes/0/cost_ns", QT_TR_NOOP("Its cost")},
        {"/survey/lost_ns", QT_TR_NOOP("Costs")},
        {"/survey/verdict", QT_TR_NOOP("Verdict")},
        {"/survey/pair", QT_TR_NOOP("Worst pair")},
        {"/survey/of_attainable", QT_TR_NOOP("Overlap")},
        {"/survey/hidden_share", QT_TR_NOOP("Copies hidden")},
        {"/survey/defects", QT_TR_NOOP("Defects")}};
    const auto at = kHeads.find(column.pointer);
    return at == kHeads.end() ? fromText(column.head) : tr(at->second);
}

QString originText(const std::string& source) {
    static const std::map<std::string, const char*> kOrigins{{"cuda", QT_TR_NOOP("recorded")},
                                                             {"simulated", QT_TR_NOOP("simulated")},
                                                             {"imported", QT_TR_NOOP("imported")},
                                                             {"traced", QT_TR_NOOP("traced")},
                                                             {"unknown", QT_TR_NOOP("origin not known")}};
    const auto at = kOrigins.find(source);
    return at == kOrigins.end() ? fromText(source) : tr(at->second);
}

QString surveyNumber(const survey::Column& column, long double number) {
    return sentence(survey::numberText(column, number));
}

QString RecordingsModel::nameOfRow(std::size_t number) const {
    const std::filesystem::path& file = m_all->rows[number].file;
    const std::filesystem::path shorter = m_folder.empty() ? file : file.lexically_relative(m_folder);
    return shownText(nameOf(shorter.empty() || *shorter.begin() == ".." ? file : shorter));
}

QString RecordingsModel::noteOfRow(std::size_t number) const {
    const survey::Row& row = m_all->rows[number];
    if (!row.problem.empty())
        return tr("Not judged: %1").arg(sentence(row.problem));
    if (!row.loss.empty())
        return tr("Not whole: %1").arg(sentence(row.loss));
    const survey::Outlier* const farthest = m_standing->farthestOf(number);
    if (!farthest)
        return {};
    const QString text =
        tr("Outlier: %1")
            .arg(sentence(survey::shortOutlierText(*farthest, m_all->columns[farthest->column])));
    const std::size_t more = m_standing->ofRow.at(number).size() - 1;
    return more == 0 ? text : tr("%1 (and %2 more)").arg(text).arg(more);
}

QString RecordingsModel::wholeNoteOfRow(std::size_t number) const {
    const auto at = m_standing->ofRow.find(number);
    if (at == m_standing->ofRow.end() || !m_all->rows[number].problem.empty())
        return noteOfRow(number);
    QStringList all;
    for (const std::size_t outlier : at->second)
        all << sentence(survey::outlierText(m_standing->outliers[outlier],
                                            m_all->columns[m_standing->outliers[outlier].column]));
    return tr("Outlier: %1").arg(all.join(QStringLiteral("; ")));
}

QString RecordingsModel::valueCell(std::size_t number, std::size_t column) const {
    const survey::Row& row = m_all->rows[number];
    if (!row.problem.empty())
        return {};
    if (column >= row.values.size())
        return QStringLiteral("…"); // is still being read
    const io::ReportValue& value = row.values[column];
    if (value.is == Is::Missing || value.is == Is::Null)
        return QStringLiteral("–");
    if (value.is == Is::Text)
        return wordText(m_all->columns[column], value.text);
    const QString text = sentence(survey::valueText(m_all->columns[column], value));
    const survey::Outlier* const outlier = m_standing->outlierOf(number, column);
    if (!outlier)
        return text;
    return (outlier->value > outlier->median ? QStringLiteral("▲ ") : QStringLiteral("▼ ")) + text;
}

QString RecordingsModel::text(std::size_t number, int column) const {
    const survey::Row& row = m_all->rows[number];
    switch (column) {
    case File:
        return nameOfRow(number);
    case Note:
        return noteOfRow(number);
    case Origin:
        return row.problem.empty() ? originText(row.source) : QString();
    case Date:
        return row.recordedAt.empty() ? QString() : timeText(row.recordedAt);
    case Program:
        return fromText(row.program);
    case Machine:
        return fromText(row.machine);
    default:
        return valueCell(number, static_cast<std::size_t>(column - FixedCount));
    }
}

/// The whole of what a cell has no room for.
QString RecordingsModel::tip(std::size_t number, int column) const {
    const survey::Row& row = m_all->rows[number];
    if (column == File)
        return shownText(nameOf(row.file)) +
               (row.headline.empty() ? QString() : QLatin1Char('\n') + sentence(row.headline));
    if (column == Note)
        return wholeNoteOfRow(number);
    if (column >= FixedCount)
        if (const survey::Outlier* const outlier =
                m_standing->outlierOf(number, static_cast<std::size_t>(column - FixedCount)))
            return sentence(survey::outlierText(*outlier, m_all->columns[outlier->column]));
    return column == Program || column == Machine ? text(number, column) : QString();
}

QVariant RecordingsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const std::size_t number = numberAt(index.row());
    const int column = index.column();
    if (role == Qt::DisplayRole)
        return text(number, column);
    if (role == Qt::ToolTipRole) {
        const QString said = tip(number, column);
        return said.isEmpty() ? QVariant() : QVariant(tipText(said));
    }
    if (role == Qt::AccessibleTextRole && column >= FixedCount)
        return headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() + QLatin1Char(' ') +
               text(number, column);
    if (role == Qt::TextAlignmentRole && column >= FixedCount) {
        const auto at = static_cast<std::size_t>(column - FixedCount);
        const survey::Row& row = m_all->rows[number];
        const bool isWord =
            (at < row.values.size() && row.values[at].is == Is::Text) || isColumnOfWords(m_all->columns[at]);
        return static_cast<int>(Qt::AlignVCenter | (isWord ? Qt::AlignLeft : Qt::AlignRight));
    }
    return {};
}

QVariant RecordingsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::InitialSortOrderRole) // words from A, numbers from the largest
        return static_cast<int>(section < FixedCount && section != Note && section != Date
                                    ? Qt::AscendingOrder
                                    : Qt::DescendingOrder);
    const auto column = static_cast<std::size_t>(section - FixedCount);
    const bool isFixed = section < FixedCount;
    if (!isFixed && column >= m_all->columns.size())
        return {};
    if (role == Qt::ToolTipRole && !isFixed)
        return tipText(fromText(m_all->columns[column].pointer));
    if (role != Qt::DisplayRole)
        return {};
    const std::array fixed{tr("File"),        tr("Note"),    tr("Origin"),
                           tr("Recorded at"), tr("Program"), tr("Machine")};
    return isFixed ? fixed[static_cast<std::size_t>(section)] : recordingsHead(m_all->columns[column]);
}

} // namespace olab::ui
