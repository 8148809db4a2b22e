#include "sweep/sweep_look.h"

#include "base/plain_text.h"

#include <olab/comparison/paired_change.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <algorithm>
#include <cmath>

namespace olab::ui {

namespace {

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto part = [share](int x, int y) {
        return static_cast<int>(std::lround(x + (y - x) * std::clamp(share, 0.0, 1.0)));
    };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

} // namespace

SweepScale SweepScale::of(const sweep::Sweep& sweep, sweep::Figure figure) {
    std::vector<double> values;
    for (std::size_t i = 0; i < sweep.cells.size(); ++i)
        if (const auto value = sweep::figureOf(sweep, i, figure))
            values.push_back(*value);
    if (values.empty())
        return {};
    const auto [low, high] = std::ranges::minmax(values);
    if (figure != sweep::Figure::Off)
        return {low, high, false};
    const double most = std::max(std::abs(low), std::abs(high));
    return {-most, most, true};
}

QColor SweepScale::colour(double value, const Theme& theme) const {
    constexpr double kFaint = 0.06, kFull = 0.94; // of the accent: the lowest differs from no cell at all
    if (isSigned)
        return mixed(theme.base, value < 0 ? theme.ideal : theme.accent,
                     kFull * std::abs(value) / std::max(high, 1e-12));
    return mixed(theme.base, theme.accent,
                 kFaint + (kFull - kFaint) * (empty() ? 0.0 : (value - low) / (high - low)));
}

QColor inkInCell(const QColor& fill) {
    return contrastRatio(fill, Qt::black) > contrastRatio(fill, Qt::white) ? Qt::black : Qt::white;
}

QString figureLabel(sweep::Figure figure) {
    switch (figure) {
    case sweep::Figure::Time:
        return tr("Run time");
    case sweep::Figure::PerPass:
        return tr("Time per pass");
    case sweep::Figure::Rate:
        return tr("Copy rate");
    case sweep::Figure::Efficiency:
        return tr("Efficiency");
    case sweep::Figure::Off:
        break;
    }
    return tr("Measured against predicted");
}

QString figureValue(sweep::Figure figure, double value) {
    return sentence(sweep::figureText(figure, value));
}

QString cellLabel(const sweep::Sweep& sweep, std::size_t cell, sweep::Figure figure) {
    const sweep::CellState state = sweep.state(cell);
    if (state == sweep::CellState::Impossible)
        return tr("cannot run");
    if (state == sweep::CellState::Failed)
        return tr("failed");
    const auto value = sweep::figureOf(sweep, cell, figure);
    if (!value)
        return QStringLiteral("–");
    const bool isPrediction = state == sweep::CellState::Simulated && figure != sweep::Figure::Off;
    return (isPrediction ? QStringLiteral("~") : QString()) + figureValue(figure, *value);
}

QString cellSentence(const sweep::Sweep& sweep, std::size_t number) {
    const sweep::Cell& cell = sweep.cells[number];
    QString text = fromText(sweep::cellText(sweep.grid, number)) + QStringLiteral(": ");
    if (const std::string& why = cell.impossible.empty() ? cell.failed : cell.impossible; !why.empty())
        return text + sentence(why);
    const auto spread = cell.spread();
    if (spread)
        text += tr("%1 (%2)").arg(durationText(spread->median), sentence(comparison::spreadText(*spread))) +
                (sweep.simulated ? tr(", simulated") : QString());
    if (cell.predicted)
        text +=
            (spread ? tr(", predicted %1") : tr("simulated %1")).arg(durationText(cell.predicted->measured));
    if (const auto off = cell.off(); off && !sweep.simulated)
        text += tr(" (measured %1)").arg(figureValue(sweep::Figure::Off, *off));
    if (const sweep::CellNumbers* const numbers = cell.shownNumbers())
        text += QStringLiteral("; ") + sentence(sweep::reasonText(*numbers));
    return cell.trouble.empty() ? text + QLatin1Char('.')
                                : text + QStringLiteral(". ") + sentence(cell.trouble);
}

QString sweepOrigin(const sweep::Sweep& sweep) {
    if (sweep.measured() == 0 || sweep.simulated)
        return tr("SIMULATED");
    return tr("%1 of %2 cells measured on %3")
        .arg(countText(sweep.measured()), countText(sweep.cells.size()), fromText(sweep.machine));
}

} // namespace olab::ui
