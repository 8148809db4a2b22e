// Colours and words of cells, the same in the map and in its scale. GUI thread.
#pragma once

#include <olab/sweep/figure.h>
#include <olab/ui/theme.h>

#include <QString>

#include <optional>

namespace olab::ui {

/// From the lowest to the highest figure of a sweep; of differences the same on both sides of 0.
struct SweepScale {
    double low = 0, high = 0;
    bool isSigned = false;
    static SweepScale of(const sweep::Sweep& sweep, sweep::Figure figure);
    QColor colour(double value, const Theme& theme) const;
    bool empty() const { return high <= low; }
};

/// Black or white on a fill of the scale: 4.5:1 or more on any.
QColor inkInCell(const QColor& fill);
QString figureLabel(sweep::Figure figure); ///< "Run time"
QString figureValue(sweep::Figure figure, double value);
/// What a cell says: "33.4 ms", "~33.4 ms" where it is simulated, "cannot run".
QString cellLabel(const sweep::Sweep& sweep, std::size_t cell, sweep::Figure figure);
/// All of a cell in a line: where, how long, predicted, why not shorter.
QString cellSentence(const sweep::Sweep& sweep, std::size_t cell);
/// What all of it is: "SIMULATED", "measured on NVIDIA H200, 20 of 36 cells".
QString sweepOrigin(const sweep::Sweep& sweep);

} // namespace olab::ui
