#include "timeline/canvas/bar_colouring.h"

#include <utility>

namespace olab::ui {

namespace {

constexpr std::size_t kAtOnce = 100'000; // activities: some milliseconds

} // namespace

view::ColouringPtr BarColouring::madeFor(const view::ViewDataPtr& shown, view::ColourBy by,
                                         std::vector<view::OpenedLanePtr> opened, const RunControl& control) {
    struct Held { // it refers to what it is of
        view::ViewDataPtr shown;
        view::Colouring colouring;
    };
    auto held =
        std::make_shared<const Held>(Held{shown, view::Colouring(*shown, by, std::move(opened), control)});
    return {held, &held->colouring};
}

void BarColouring::setBy(view::ColourBy by) {
    if (std::exchange(m_by, by) == by)
        return;
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
    if (!m_shown || m_by == view::ColourBy::Class)
        return take(nullptr);
    const auto make = [shown = m_shown, by = m_by, opened = m_opened](const RunControl& control) {
        return madeFor(shown, by, opened, control);
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

} // namespace olab::ui
