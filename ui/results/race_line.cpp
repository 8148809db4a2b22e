#include "results/race_line.h"

#include "base/plain_text.h"

#include <olab/analysis/race.h>
#include <olab/ui/format.h>

#include <QAccessible>

namespace olab {

RaceLine::RaceLine(QWidget* parent)
    : WrappedLine(QStringLiteral("race"), 12, parent) {
    setTip(*this, tr("The data that came back was checked: it is not what the steps should have made of it"));
}

void RaceLine::setShown(const ViewDataPtr& shown) {
    const std::string race = shown ? shown->recording->raceText() : std::string();
    if (race.empty())
        return say({});
    const QString words = sentence(race) + QLatin1Char(' ') + sentence(kRaceHint);
    setAccessibleName(words); // without the sign
    say(QStringLiteral("⚠ ") + words);
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

} // namespace olab
