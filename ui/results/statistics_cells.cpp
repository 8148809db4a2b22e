#include "results/statistics_cells.h"

#include "base/ledger_pieces.h"

#include <olab/analysis/cause_table.h>
#include <olab/ui/format.h>
#include <olab/ui/statistics_model.h>

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

} // namespace

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

double statisticsKey(const Statistics& of, const StatisticsRow& row, int column) {
    constexpr double kNothing = -1;
    if (const auto time = timeOf(of, row, column))
        return static_cast<double>(*time);
    return numberOf(of, row, column).value_or(kNothing);
}

} // namespace olab::ui
