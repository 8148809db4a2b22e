#include "pictures/picture_reason.h"
#include "base/plain_text.h"

#include "pictures/picture_text.h"

#include <olab/analysis/cause_table.h>
#include <olab/analysis/ideal.h>
#include <olab/experiment/presets.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>

#include <algorithm>

namespace olab::ui {

namespace {

QString titleOf(const analysis::Finding& finding) {
    return fromText(analysis::findingTitle(finding.id));
}

PictureReason fromFinding(const analysis::Finding& finding) {
    PictureReason reason{titleOf(finding), sentence(finding.text), sentence(finding.remedy)};
    if (finding.lost > 0)
        reason.headline = tr("%1: costs %2").arg(reason.headline, durationText(finding.lost));
    return reason;
}

/// No finding does not mean that nothing costs time.
QString withoutFinding(const analysis::Report& report) {
    if (report.abstained.size() >= analysis::ruleTable().size())
        return tr("No rule could judge this run: it lacks %1.").arg(sentence(report.abstained.front().lacks));
    const analysis::Bounds& bounds = report.bounds;
    if (!analysis::isFarFromIdeal(bounds))
        return tr("No rule found anything that held this pipeline back.");
    return tr("No rule explains why this took %1 and not %2 (%3).")
        .arg(durationText(bounds.measured), durationText(bounds.ideal), idealName(bounds));
}

} // namespace

PictureReason reasonOf(const recording::Recording& recording) {
    if (!recording.raceText().empty())
        return {};
    const auto& findings = recording.report.findings;
    const auto held = std::ranges::find_if(
        findings, [](const analysis::Finding& f) { return f.status != analysis::FindingStatus::Refuted; });
    PictureReason reason =
        held != findings.end() ? fromFinding(*held) : PictureReason{withoutFinding(recording.report), {}, {}};
    return {printable(reason.headline), printable(reason.text), printable(reason.remedy)};
}

QString presetTitleOf(const recording::Recording& recording) {
    if (!recording.experiment)
        return {};
    for (const experiment::Preset& preset : experiment::presets())
        if (preset.experiment == *recording.experiment)
            return fromText(preset.title);
    return {};
}

} // namespace olab::ui
