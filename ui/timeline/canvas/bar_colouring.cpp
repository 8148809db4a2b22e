#include "timeline/canvas/bar_colouring.h"

#include "base/plain_text.h"

#include <olab/ui/format.h>
#include <olab/ui/strip_painter.h>

#include <QActionGroup>

#include <utility>

namespace olab::ui {

namespace {

constexpr std::size_t kAtOnce = 100'000; // activities: some milliseconds

struct Held { // it refers to what it is of
    view::ViewDataPtr shown;
    view::Colouring colouring;
};

} // namespace

void BarColouring::setBy(view::ColourBy by) {
    if (std::exchange(m_by, by) == by)
        return;
    m_made = nullptr;
    remake();
}

void BarColouring::setOnly(std::vector<analysis::LossCause> causes) {
    if (causes == m_only)
        return;
    m_only = std::move(causes);
    m_made = nullptr;
    remake();
}

void BarColouring::setShown(view::ViewDataPtr shown, std::vector<view::OpenedLanePtr> opened) {
    if (shown == m_shown && opened == m_opened)
        return;
    if (shown != m_shown)
        m_made = nullptr;
    m_shown = std::move(shown);
    m_opened = std::move(opened);
    remake();
}

/// What is made stays until the new one is there. Without memory for it bars keep the colours of their
/// classes.
void BarColouring::remake() {
    m_making.stop();
    if (!m_shown || !isNeeded())
        return take(nullptr);
    const auto make = [shown = m_shown, by = m_by, opened = m_opened,
                       only = m_only](const RunControl& control) -> view::ColouringPtr {
        auto held =
            std::make_shared<const Held>(Held{shown, view::Colouring(*shown, by, opened, control, only)});
        return {held, &held->colouring};
    };
    const auto made = [this](const view::ColouringPtr& colouring) { take(colouring); };
    if (m_shown->trace().size() <= kAtOnce)
        return m_making.runAtOnce(make, made);
    m_making.run(this, make, made);
    emit changed(); // the legend says that it is being made
}

void BarColouring::take(view::ColouringPtr made) {
    m_made = std::move(made);
    emit changed();
}

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
