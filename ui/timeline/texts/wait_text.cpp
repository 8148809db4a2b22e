#include "timeline/texts/wait_text.h"

#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/texts.h>

namespace olab::ui {

namespace {

constexpr qsizetype kNameLetters = 60; // of a name: templates may be long

QString opName(const view::ViewData& shown, ActivityIndex op) {
    return cutText(activityLabel(shown.trace(), op), kNameLetters) + QStringLiteral(" #") +
           numberText(shown.trace(), op);
}

} // namespace

QString blockerText(const view::ViewData& shown, const analysis::ExplainedWait& wait) {
    return wait.blocker < shown.trace().size() ? opName(shown, wait.blocker) : QString();
}

QString waitText(const view::ViewData& shown, const analysis::ExplainedWait& wait) {
    const QString text = tr("%1 waited %2 before it began: %3.")
                             .arg(opName(shown, wait.op), durationText(wait.time.length()),
                                  fromText(analysis::lossCauseTitle(wait.cause)));
    const QString blocker = blockerText(shown, wait);
    return blocker.isEmpty() ? text : text + QLatin1Char(' ') + tr("Held by %1.").arg(blocker);
}

std::optional<analysis::ExplainedWait> blockedWaitOf(const view::ViewData& shown, ActivityIndex op) {
    const auto wait = shown.waitOf(op);
    return wait && wait->isHeld() && wait->blocker < shown.trace().size() ? wait : std::nullopt;
}

} // namespace olab::ui
