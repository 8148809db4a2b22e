#include "window/runs/refinement.h"

#include <olab/experiment/held_experiment.h>
#include <olab/ui/format.h>

#include <QObject>

#include <algorithm>

namespace olab::ui {

bool isSameRun(const recording::Recording& a, const recording::Recording& b) {
    return a.tracedRun == b.tracedRun && a.trace.size() == b.trace.size();
}

bool judgementDiffers(const recording::Recording& a, const recording::Recording& b) {
    const auto sameKind = [](const analysis::Verdict& x, const analysis::Verdict& y) {
        return x.kind == y.kind;
    };
    const auto sameStatus = [](const analysis::Finding& x, const analysis::Finding& y) {
        return x.status == y.status;
    };
    return !std::ranges::equal(a.report.verdicts, b.report.verdicts, sameKind) ||
           !std::ranges::equal(a.report.findings, b.report.findings, sameStatus) ||
           a.report.defects != b.report.defects || a.raceText() != b.raceText();
}

QString effectText(const analysis::ToolEffect& effect) {
    const double more = (effect.ratio() - 1) * 100;
    const QString how = effect.measuredWith.empty()
                            ? QObject::tr("%n pairs of runs, traced and untraced", nullptr, effect.runs)
                            : QObject::tr("measured with %1").arg(fromText(effect.measuredWith));
    const QString change =
        more >= 50
            ? QObject::tr("with tracing the run is %1").arg(fromText(comparison::ratioText(effect.ratio())))
        : more > 0.5  ? QObject::tr("tracing made the run %1 % longer").arg(more, 0, 'f', 0)
        : more < -0.5 ? QObject::tr("no longer with tracing than without")
                      : QObject::tr("tracing changed its length by less than 1 %");
    return QObject::tr("Tool effect %1: %2 (%3).").arg(effect.ratio(), 0, 'f', 2).arg(change, how);
}

QString waitingText(const recording::Recording& recording) {
    const int repeat = recording.experiment ? experiment::optionNumber(*recording.experiment, "repeat") : 1;
    if (repeat > 1 && recording.otherRuns.empty())
        return QObject::tr("The first of %1 runs: the median of all of them will take its place.")
            .arg(repeat);
    return QObject::tr("Tool effect: being measured. Above %1 the verdicts will become inconclusive.")
        .arg(analysis::kMaxToolEffect, 0, 'f', 2);
}

QString stoppedText(const recording::Recording& recording, const QString& why) {
    const bool other = recording.experiment &&
                       experiment::optionNumber(*recording.experiment, "repeat") > 1 &&
                       recording.otherRuns.empty();
    return other ? QObject::tr("Only the first of its runs: %1.").arg(why)
                 : QObject::tr("Tool effect: not measured (%1).").arg(why);
}

} // namespace olab::ui
