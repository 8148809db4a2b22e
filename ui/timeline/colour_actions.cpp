#include "timeline/colour_actions.h"

#include "base/plain_text.h"

#include <olab/ui/bar_colours.h>
#include <olab/ui/format.h>

#include <QActionGroup>

namespace olab::ui {

ColourActions::ColourActions(BarColouring& colours, QObject* parent)
    : QObject(parent) {
    auto* group = new QActionGroup(this);
    for (const view::ColourByRow& row : view::colourByRows()) {
        QAction* action = makeEntry({QStringLiteral("&%1"), {colourByText(row.by)}}, this);
        action->setObjectName(QStringLiteral("colourBy.") + fromText(row.key));
        action->setCheckable(true);
        action->setChecked(row.by == colours.by());
        setTip(*action, colourByHelp(row.by));
        group->addAction(action);
        m_actions << action;
        connect(action, &QAction::triggered, &colours, [&colours, by = row.by] { colours.setBy(by); });
    }
    connect(&colours, &BarColouring::changed, this,
            [this, &colours] { m_actions[static_cast<qsizetype>(colours.by())]->setChecked(true); });
}

} // namespace olab::ui
