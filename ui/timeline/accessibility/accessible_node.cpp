#include "timeline/accessibility/accessible_node.h"

#include "timeline/accessibility/accessible_timeline.h"
#include "timeline/canvas/canvas_steps.h"
#include "timeline/rows/timeline_rows.h"
#include "timeline/texts/hover_card.h"
#include "timeline/texts/range_text.h"

#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/timeline_canvas.h>

#include <algorithm>
#include <array>

namespace olab::ui {

namespace {

using Kind = NodeKey::Kind;
using Picked = view::Selection::Picked;

/// An action of rows and of what is selected in them: what it is called, its key, what it does.
struct Action {
    const char *name, *key;
    void (*act)(TimelineCanvas&);
};
constexpr std::array<Action, 6> kActions{{
    {QT_TR_NOOP("Next operation"), ".", [](TimelineCanvas& c) { stepActivity(c, +1); }},
    {QT_TR_NOOP("Previous operation"), ",", [](TimelineCanvas& c) { stepActivity(c, -1); }},
    {QT_TR_NOOP("Next gap"), "]", [](TimelineCanvas& c) { stepGap(c, +1); }},
    {QT_TR_NOOP("Previous gap"), "[", [](TimelineCanvas& c) { stepGap(c, -1); }},
    {QT_TR_NOOP("What it waited for"), "J", [](TimelineCanvas& c) { followLink(c, -1); }},
    {QT_TR_NOOP("What waited for it"), "K", [](TimelineCanvas& c) { followLink(c, +1); }},
}};

bool isPicked(const TimelineCanvas& canvas, const NodeKey& key) {
    switch (key.kind) {
    case Kind::Activity:
        return canvas.selection().activity() &&
               *canvas.selection().activity() == static_cast<ActivityIndex>(key.number);
    case Kind::Gap:
        return canvas.selection().gap() && canvas.selection().gap()->time.begin == key.number;
    default:
        return key.kind == Kind::Range && canvas.selection().range().has_value();
    }
}

std::optional<NodeKey> pickedInRow(const TimelineCanvas& canvas) {
    if (canvas.selection().activity())
        return NodeKey{Kind::Activity, static_cast<std::int64_t>(*canvas.selection().activity()), {}};
    if (canvas.selection().gap())
        return NodeKey{Kind::Gap, canvas.selection().gap()->time.begin, {}};
    return std::nullopt;
}

AccessibleTimeline* timelineOf(const QPointer<TimelineCanvas>& canvas) {
    return canvas ? static_cast<AccessibleTimeline*>(QAccessible::queryAccessibleInterface(canvas)) : nullptr;
}

} // namespace

NodeKey NodeKey::of(const Row& row) {
    if (row.lane)
        return {Kind::Lane, static_cast<std::int64_t>(row.lane->id.value), {}};
    return {row.kind == Row::Kind::Ribbon ? Kind::Ribbon : Kind::Group, 0, row.group};
}

const Row* rowOfPicked(const TimelineCanvas& canvas) {
    if (!canvas.shown())
        return nullptr;
    if (canvas.selection().gap())
        return canvas.rows().layout().of(canvas.selection().gap()->lane);
    const Row* found = nullptr;
    if (canvas.selection().activity())
        for (const view::Strip* strip : canvas.rows().drawn().stripsWith(*canvas.selection().activity()))
            if (const Row* row = canvas.rows().layout().of(strip->lane->id);
                row && (!found || strip->lane->id == canvas.rows().inUse()))
                found = row;
    return found;
}

std::optional<NodeKey> currentNode(const TimelineCanvas& canvas) {
    if (!canvas.shown())
        return std::nullopt;
    if (canvas.selection().picked() == Picked::Range && canvas.selection().range())
        return NodeKey{Kind::Range, 0, {}};
    if (const auto picked = pickedInRow(canvas); picked && rowOfPicked(canvas))
        return picked;
    const Row* row = canvas.rows().layout().of(canvas.rows().inUse());
    return row ? std::optional(NodeKey::of(*row)) : std::nullopt;
}

AccessibleNode::AccessibleNode(TimelineCanvas& canvas, NodeKey key)
    : m_canvas(&canvas)
    , m_key(key) {}

const Row* AccessibleNode::row() const {
    if (!m_canvas || !m_canvas->shown())
        return nullptr;
    if (!m_key.isRow())
        return m_key.kind != Kind::Range && isPicked(*m_canvas, m_key) ? rowOfPicked(*m_canvas) : nullptr;
    const auto& rows = m_canvas->rows().layout().rows;
    const auto at = std::ranges::find_if(rows, [this](const Row& r) { return NodeKey::of(r) == m_key; });
    return at == rows.end() ? nullptr : &*at;
}

bool AccessibleNode::isValid() const {
    return m_canvas && m_canvas->shown() &&
           (m_key.kind == Kind::Range ? isPicked(*m_canvas, m_key) : row() != nullptr);
}

QWindow* AccessibleNode::window() const {
    return m_canvas ? m_canvas->window()->windowHandle() : nullptr;
}

QAccessibleInterface* AccessibleNode::parent() const {
    AccessibleTimeline* timeline = timelineOf(m_canvas);
    const Row* in = m_key.isRow() ? nullptr : row();
    return timeline && in ? timeline->node(NodeKey::of(*in)) : timeline;
}

int AccessibleNode::childCount() const {
    return m_key.kind == Kind::Lane && isValid() && rowOfPicked(*m_canvas) == row() ? 1 : 0;
}

QAccessibleInterface* AccessibleNode::child(int index) const {
    return index == 0 && childCount() == 1 ? timelineOf(m_canvas)->node(*pickedInRow(*m_canvas)) : nullptr;
}

QAccessibleInterface* AccessibleNode::childAt(int x, int y) const {
    QAccessibleInterface* only = child(0);
    return only && only->rect().contains(x, y) ? only : nullptr;
}

int AccessibleNode::indexOfChild(const QAccessibleInterface* which) const {
    return which && which == child(0) ? 0 : -1;
}

QString AccessibleNode::name() const {
    const view::ViewData& shown = *m_canvas->shown();
    switch (m_key.kind) {
    case Kind::Activity:
        return spokenActivity(shown, static_cast<ActivityIndex>(m_key.number));
    case Kind::Gap:
        return spokenGap(shown, *m_canvas->selection().gap());
    case Kind::Range:
        return spokenRange(shown, *m_canvas->selection().range());
    default:
        return spokenRow(shown, *row());
    }
}

QString AccessibleNode::description() const {
    const view::ViewData& shown = *m_canvas->shown();
    if (m_key.kind == Kind::Activity)
        return whyThen(shown, static_cast<ActivityIndex>(m_key.number));
    if (m_key.kind == Kind::Range)
        return rangeText(shown, view::measureRange(shown, *m_canvas->selection().range()));
    return m_key.isRow() ? row()->help() : QString();
}

QString AccessibleNode::value() const {
    if (m_key.kind == Kind::Activity)
        return spokenPlace(*row()->lane, static_cast<ActivityIndex>(m_key.number));
    if (m_key.kind != Kind::Lane || !row()->lane)
        return {};
    return spokenView(m_canvas->rows().drawn().strips(row()->lane->id), *row(),
                      m_canvas->viewport().visible());
}

QString AccessibleNode::text(QAccessible::Text kind) const {
    if (!isValid())
        return {};
    switch (kind) {
    case QAccessible::Name:
        return name();
    case QAccessible::Description:
        return description();
    case QAccessible::Value:
        return value();
    default:
        return {};
    }
}

QRect AccessibleNode::area() const {
    if (m_key.kind == Kind::Activity) {
        QRect all;
        for (const QRect& rect : m_canvas->map().rectsOf(static_cast<ActivityIndex>(m_key.number)))
            if (const QRect here = rect & m_canvas->map().rectOf(*row()); !here.isEmpty())
                all = here;
        return all;
    }
    if (m_key.kind == Kind::Gap || m_key.kind == Kind::Range) {
        const QRect across = row() ? m_canvas->map().rectOf(*row()) : m_canvas->rect();
        return m_canvas->map().rectOf(m_key.kind == Kind::Gap ? m_canvas->selection().gap()->time
                                                              : *m_canvas->selection().range()) &
               across;
    }
    return m_canvas->map().rectOf(*row()) & m_canvas->rect();
}

QRect AccessibleNode::rect() const {
    if (!isValid())
        return {};
    const QRect here = area();
    return here.isEmpty() ? QRect() : QRect(m_canvas->mapToGlobal(here.topLeft()), here.size());
}

QAccessible::Role AccessibleNode::role() const {
    return m_key.isRow()               ? QAccessible::ListItem
           : m_key.kind == Kind::Range ? QAccessible::Indicator
                                       : QAccessible::Cell;
}

QAccessible::State AccessibleNode::state() const {
    QAccessible::State state;
    if (!isValid()) {
        state.invalid = true;
        return state;
    }
    const bool folds = m_key.kind == Kind::Group && !m_key.group.isEmpty(), folded = row() && row()->folded;
    state.readOnly = true;
    state.focusable = state.selectable = m_key.kind == Kind::Lane || !m_key.isRow();
    state.selected = m_key.isRow() ? row()->lane && row()->lane->id == m_canvas->rows().inUse() : true;
    state.focused = m_canvas->hasFocus() && currentNode(*m_canvas) == m_key;
    state.expandable = folds;
    state.collapsed = folds && folded;
    state.expanded = folds && !folded;
    state.offscreen = area().isEmpty();
    return state;
}

void* AccessibleNode::interface_cast(QAccessible::InterfaceType type) {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
}

QStringList AccessibleNode::actionNames() const {
    QStringList names;
    if (m_key.kind != Kind::Ribbon)
        names << pressAction();
    if (m_key.kind == Kind::Group || m_key.kind == Kind::Ribbon || m_key.kind == Kind::Range)
        return names;
    for (const Action& action : kActions)
        names << tr(action.name);
    return names;
}

/// A row: work on it. A heading: fold it. What is selected: zoom to it.
void AccessibleNode::doAction(const QString& name) {
    if (!isValid() || !actionNames().contains(name))
        return;
    m_canvas->setFocus(Qt::OtherFocusReason);
    if (m_key.kind == Kind::Lane)
        m_canvas->rows().choose(row()->lane->id);
    if (name == pressAction() && m_key.kind == Kind::Group && !m_key.group.isEmpty())
        m_canvas->rows().toggleGroup(m_key.group);
    else if (name == pressAction() && !m_key.isRow())
        fitSelection(*m_canvas);
    for (const Action& action : kActions)
        if (name == tr(action.name))
            return action.act(*m_canvas);
}

QStringList AccessibleNode::keyBindingsForAction(const QString& name) const {
    if (name == pressAction())
        return m_key.isRow() ? QStringList() : QStringList{QStringLiteral("F")};
    for (const Action& action : kActions)
        if (name == tr(action.name))
            return {QLatin1String(action.key)};
    return {};
}

} // namespace olab::ui
