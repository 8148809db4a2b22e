// The symbol of a verdict: two bars as the timeline would show them. Nothing depends on its colour: each kind
// that says how a pair ran has a shape of its own. Pure painting; GUI thread.
#pragma once

#include <olab/analysis/report.h>

#include <QColor>
#include <QRectF>

class QPainter;

namespace olab::ui {

/// Together; together, but each drawn out (hollow: what it takes longer than alone); partly together; one
/// after the other. Kinds without an answer have a sign, in the painter's font: "?" or a dash.
void paintVerdictIcon(QPainter& painter, const QRectF& area, analysis::VerdictKind kind, const QColor& ink);

} // namespace olab::ui
