#include "compare/pair_text.h"

#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/texts.h>

namespace olab::ui {

QString textOfPair(const ComparedRuns& runs, std::size_t side, ActivityIndex activity, std::size_t inUse) {
    const std::size_t other = side == 0 ? inUse : side;
    const Trace &here = runs.runs()[side]->trace(), &before = runs.runs().front()->trace(),
                &after = runs.runs()[other]->trace();
    const QString name = activityLabel(here, activity);
    const comparison::OperationChange* change = runs.changeOf(side, activity, inUse);
    if (!change)
        return tr("%1: only device work within what is compared has a partner.").arg(name);
    if (!change->after)
        return tr("%1: %2 before, not there after.")
            .arg(name, durationText(before.time(*change->before).length()));
    if (!change->before)
        return tr("%1: not there before, %2 after.")
            .arg(name, durationText(after.time(*change->after).length()));
    QString text =
        tr("%1: %2 before, %3 after (%4)")
            .arg(name, durationText(before.time(*change->before).length()),
                 durationText(after.time(*change->after).length()), signedDuration(change->longer));
    if (change->later != 0)
        text += change->later > 0 ? tr(", begins %1 later").arg(durationText(change->later))
                                  : tr(", begins %1 earlier").arg(durationText(-change->later));
    return change->otherStream ? tr("%1, in another stream").arg(text) : text;
}

} // namespace olab::ui
