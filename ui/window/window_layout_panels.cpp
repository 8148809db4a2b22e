// Which panels are seen: by what is in the middle of the window, by hand, and none of them.
#include "experiment/experiment_panel.h"
#include "window/pages.h"
#include "window/runs/summary.h"
#include "window/window_layout.h"
#include "window/window_parts.h"

#include <olab/ui/theme.h>

#include <QAction>
#include <QMainWindow>
#include <QSplitter>

#include <algorithm>
#include <utility>

namespace olab::ui {

namespace {

constexpr int kBothSides =
    720; // in usual type: from here on there is room for both beside a projector's view
constexpr int kUsualPanel = 250;
constexpr Part kAllParts[]{Part::Form, Part::Right, Part::Pages};

std::size_t number(Part part) {
    return static_cast<std::size_t>(part);
}

bool hasTimeline(Scene scene) {
    return scene != Scene::Gallery && scene != Scene::Reading && scene != Scene::Live;
}

} // namespace

QWidget& WindowLayout::widgetOf(Part part) const {
    const std::array<QWidget*, 3> widgets{&m_parts.panel, m_right, &m_parts.pages};
    return *widgets[number(part)];
}

void WindowLayout::set(Part part, bool on) {
    keepWidths();
    actionOf(part)->setChecked(on);
    widgetOf(part).setVisible(on);
    if (on)
        widen(part);
}

void WindowLayout::keepWidths() {
    const QList<int> sizes = m_columns->sizes();
    for (std::size_t column = 0; column < m_widths.size(); ++column)
        if (const int width = sizes[static_cast<int>(column)];
            width > 0 && !projector() && m_columns->isVisible())
            m_widths[column] = width;
}

/// A splitter that is put back to how it was while a panel was folded has no room for it.
void WindowLayout::widen(Part part) {
    if (part == Part::Pages || projector() || !m_columns->isVisible() || widgetOf(part).isHidden())
        return;
    const int column = part == Part::Form ? 0 : 2;
    QList<int> sizes = m_columns->sizes();
    if (sizes[column] > 0)
        return;
    const int width = m_widths[static_cast<std::size_t>(column)];
    sizes[column] = width > 0 ? width : ViewStyle::of(m_parts.window.font()).scaled(kUsualPanel);
    sizes[1] = std::max(sizes[1] - sizes[column], 1);
    m_columns->setSizes(sizes);
}

void WindowLayout::show(Part part, bool wanted) {
    if (wanted)
        setAlone(false);
    if (actionOf(part)->isChecked() == wanted)
        return;
    set(part, wanted);
    shareLargeRoom(part, wanted);
}

void WindowLayout::showPages() {
    setAlone(false);
    set(Part::Pages, true);
}

// --- by what is in the middle

bool WindowLayout::wanted(Part part) const {
    return m_choices.chosen(part, m_scene).value_or(m_byItself[number(part)]);
}

/// A panel that was moved since stays, unless the scene is another one or its rule says something else now.
void WindowLayout::setScene(Scene scene, const PanelFacts& facts) {
    const bool another = scene != m_scene;
    m_scene = scene;
    m_facts = facts;
    m_inspectorBox->setVisible(hasTimeline(scene) && (facts.inspects || facts.runs < 2));
    m_runsBox->setVisible(facts.runs > 0);
    if (m_isAlone && (!hasTimeline(scene) || !facts.isShown))
        setAlone(false);
    for (const Part part : kAllParts) {
        const bool was = std::exchange(m_byItself[number(part)], standsByItself(part, scene, facts));
        if (!another && was == m_byItself[number(part)])
            continue;
        if (m_isAlone)
            m_beforeAlone[number(part)] = wanted(part);
        else if (!projector())
            set(part, wanted(part));
    }
    if (another && projector())
        giveReadingRoom();
}

/// Beside pages of their own the runs say nothing that a class has to see.
void WindowLayout::giveReadingRoom() {
    if (m_scene == Scene::Reading) {
        m_rightBeforeReading = !m_right->isHidden();
        set(Part::Right, false);
    } else if (const auto before = std::exchange(m_rightBeforeReading, {}))
        set(Part::Right, *before);
}

void WindowLayout::settle() {
    setAlone(false);
    for (const Part part : kAllParts)
        set(part, wanted(part));
}

bool WindowLayout::isFolded(Part part) const {
    return !projector() && !m_isAlone && widgetOf(part).isHidden() && !m_choices.chosen(part, m_scene);
}

// --- by hand

void WindowLayout::toggled(Part part, bool on) {
    if (m_isAlone) { // it is wanted back, and what stood there with it
        setAlone(false);
        return set(part, true);
    }
    set(part, on);
    if (projector())
        return shareLargeRoom(part, on);
    m_choices.choose(part, m_scene, on, m_byItself[number(part)]);
    emit changed();
}

/// Beside a projector's view there is room for one side only, unless the window is wide.
void WindowLayout::shareLargeRoom(Part part, bool on) {
    if (!projector())
        return;
    const bool narrow = m_parts.window.width() < ViewStyle::of(m_parts.window.font()).scaled(kBothSides);
    if (on && narrow && part == Part::Form) {
        m_rightMadeRoom = m_rightMadeRoom || !m_right->isHidden();
        set(Part::Right, false);
    } else if (on && narrow && part == Part::Right) {
        set(Part::Form, false);
    }
    shareRoom();
}

// --- none of them

void WindowLayout::setAlone(bool on) {
    m_aloneAction->setChecked(on);
    if (on == m_isAlone)
        return;
    m_isAlone = on;
    showRail();
    m_parts.summary.setAlone(on);
    for (const Part part : kAllParts) {
        if (on)
            m_beforeAlone[number(part)] = !widgetOf(part).isHidden();
        set(part, !on && m_beforeAlone[number(part)]);
    }
}

} // namespace olab::ui
