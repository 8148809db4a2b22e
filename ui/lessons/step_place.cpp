#include "lessons/step_place.h"

#include <algorithm>

namespace olab::ui {

namespace {

view::Place placeWithKernels(const Trace& trace, ActivityIndex op) {
    const Interval own = trace.time(op);
    view::Place place{op, kNoActivity, {own.begin, own.begin}, own};
    for (ActivityIndex at = 0; at < trace.size() && trace.begin(at) < own.end; ++at)
        if (trace.cls(at) == ActivityClass::Kernel && trace.device(at) == trace.device(op) &&
            trace.end(at) > own.begin)
            place.time = {std::min(place.time.begin, trace.begin(at)),
                          std::max(place.time.end, trace.end(at))};
    return place;
}

} // namespace

const analysis::Finding* meantFinding(const lesson::LessonStep& step, const view::ViewData& shown) {
    const auto& findings = shown.recording->report.findings;
    const auto at = std::ranges::find(findings, lesson::expectedFinding(step), &analysis::Finding::id);
    return at != findings.end() && !at->activities.empty() ? &*at : nullptr;
}

std::optional<view::Place> placeSeen(const lesson::LessonStep& step, const lesson::StepOutcome& outcome,
                                     const view::ViewData& shown) {
    for (std::size_t i = 0; i < step.checks.size() && i < outcome.checks.size(); ++i) {
        const bool holds = outcome.checks[i].outcome == lesson::Outcome::Holds && step.checks[i].shows;
        if (const auto op = holds ? lesson::findOp(*step.checks[i].shows, shown.trace()) : std::nullopt)
            return placeWithKernels(shown.trace(), *op);
    }
    return std::nullopt;
}

} // namespace olab::ui
