#include "results/race_line.h"

#include "base/look_watch.h"
#include "base/plain_text.h"

#include <olab/analysis/race.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QAccessible>
#include <QPainter>

namespace olab::ui {

RaceLine::RaceLine(QWidget* parent)
    : WrappedLine(QStringLiteral("race"), {8, 6, 8, 6}, parent) {
    const auto ink = [this] {
        QPalette colours; // of the words alone: the rest is as everywhere
        colours.setColor(QPalette::WindowText, Theme::of(palette()).errorText);
        setPalette(colours);
    };
    new LookWatch(*this, ink);
    ink();
    setTip(*this, tr("The data that came back was checked: it is not what the steps should have made of it"));
}

void RaceLine::paintEvent(QPaintEvent* event) {
    QPainter(this).fillRect(rect(), Theme::of(palette()).error);
    WrappedLine::paintEvent(event);
}

void RaceLine::setShown(const view::ViewDataPtr& shown) {
    const std::string race = shown ? shown->recording->raceText() : std::string();
    if (race.empty())
        return say({});
    const QString words = sentence(race) + QLatin1Char(' ') + sentence(analysis::kRaceHint);
    setAccessibleName(words); // without the sign
    say(QStringLiteral("⚠ ") + words);
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

} // namespace olab::ui
