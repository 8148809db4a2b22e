// The shapes that a picture's lanes, legend and bar that adds up are made of: fills, hatches, waits.
#pragma once

#include "base/ledger_pieces.h"

#include <olab/ui/theme.h>

#include <QFont>
#include <QPainterPath>
#include <QStringList>

#include <vector>

class QPainter;

namespace olab::ui {

// Hatches as lines: paint devices that write files know none of Qt's patterns.

/// What to stroke, one pixel wide, over `areas`. Some hatches are rows of dots: `dots` strokes with a dash of
/// one and a gap of three pixels.
struct Hatch {
    QPainterPath lines, dots;
};
Hatch hatchOver(const std::vector<QRect>& areas, Qt::BrushStyle style);
/// The hatch on its fill, as an opaque colour.
QColor hatchInk(const QColor& fill);

// Text on a picture, in lines of a width.

/// What does not fit into `mostLines` is left out, and the last line says so.
QStringList wrappedText(const QString& text, const QFont& font, int width, int mostLines);

constexpr int kHatchMinWidth = 5, kEdgeMinWidth = 3; // as the window's bars

/// Nothing for an empty path.
void fill(QPainter& painter, const QPainterPath& path, const QColor& colour);
void paintHatch(QPainter& painter, const std::vector<QRect>& areas, Qt::BrushStyle style, const QColor& ink);
/// Waits: pale, with the hatch and an edge in the colour itself. `line`: its width.
void paintGhosts(QPainter& painter, const std::vector<QRect>& areas, analysis::LossCause cause,
                 const Theme& theme, int line);

/// Fills a rectangle as bars of a class are filled.
void paintSwatch(QPainter& painter, const QRect& area, ActivityClass cls, const Theme& theme);
/// A wait as it is drawn in the lanes, and a piece of the bar that adds up.
void paintWaitSwatch(QPainter& painter, const QRect& area, analysis::LossCause cause, const Theme& theme);
void paintPiece(QPainter& painter, const QRect& area, const LedgerPiece& piece, const Theme& theme);

} // namespace olab::ui
