// What a run and the recording that stands in for it, of which more is known, have in common. Pure.
#pragma once

#include <olab/recording/recording.h>

#include <QString>

namespace olab::ui {

/// Its trace is that of the same run, so nothing in the timeline is another.
bool isSameRun(const recording::Recording& a, const recording::Recording& b);
/// More than the tool effect: a race that another run brought to light, records that it lost.
bool judgementDiffers(const recording::Recording& a, const recording::Recording& b);

/// "Tool effect 1.02: tracing made the run 2 % longer (5 pairs of runs)."
QString effectText(const analysis::ToolEffect& effect);
/// Of a run that has just been shown, before all of it is known.
QString waitingText(const recording::Recording& recording);
/// Of one of which no more will be known.
QString stoppedText(const recording::Recording& recording, const QString& why);

} // namespace olab::ui
