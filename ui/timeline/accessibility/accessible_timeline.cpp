#include "timeline/accessibility/accessible_timeline.h"

#include "timeline/accessibility/spoken.h"
#include "timeline/rows/timeline_rows.h"

#include <olab/ui/timeline_canvas.h>

#include <algorithm>
#include <array>
#include <utility>

namespace olab::ui {

namespace {

constexpr double kZoom = 0.7;

struct Move {
    QString name;
    const char* key;
    void (*act)(TimelineCanvas&);
};
int middleOf(const TimelineCanvas& canvas) {
    return (canvas.gutter() + canvas.width()) / 2;
}
int strideOf(const TimelineCanvas& canvas) {
    return std::max((canvas.width() - canvas.gutter()) / 8, 1);
}
const std::array<Move, 4>& moves() {
    using Names = QAccessibleActionInterface;
    static const std::array<Move, 4> all{{
        {Names::increaseAction(), "W", [](TimelineCanvas& c) { c.zoomAt(middleOf(c), kZoom); }},
        {Names::decreaseAction(), "S", [](TimelineCanvas& c) { c.zoomAt(middleOf(c), 1 / kZoom); }},
        {Names::scrollLeftAction(), "A", [](TimelineCanvas& c) { c.panBy(-strideOf(c)); }},
        {Names::scrollRightAction(), "D", [](TimelineCanvas& c) { c.panBy(strideOf(c)); }},
    }};
    return all;
}

QAccessibleInterface* make(const QString& name, QObject* object) {
    auto* canvas = name == QLatin1String(TimelineCanvas::staticMetaObject.className())
                       ? qobject_cast<TimelineCanvas*>(object)
                       : nullptr;
    return canvas ? new AccessibleTimeline(*canvas) : nullptr;
}

AccessibleTeller g_teller = QAccessible::updateAccessibility;

/// Tells those who listen what keys and mouse changed.
class Speaker final : public QObject {
public:
    explicit Speaker(TimelineCanvas& canvas)
        : QObject(&canvas)
        , m_canvas(canvas) {
        connect(&canvas, &TimelineCanvas::selectionChanged, this, [this] { changed(); });
        connect(&canvas, &TimelineCanvas::rowChanged, this, [this] { changed(); });
    }

private:
    void changed() {
        auto& timeline = static_cast<AccessibleTimeline&>(*QAccessible::queryAccessibleInterface(&m_canvas));
        timeline.forget();
        const std::weak_ptr<const view::ViewData> shown = m_canvas.shown();
        if (m_told.owner_before(shown) || shown.owner_before(m_told)) {
            m_told = shown;
            tell(timeline, QAccessible::ObjectReorder);
            tell(timeline, QAccessible::DescriptionChanged);
        }
        const auto key = currentNode(m_canvas);
        QAccessibleInterface* now = key ? timeline.node(*key) : nullptr;
        if (!now)
            return;
        tell(*now, QAccessible::NameChanged); // the range while it is dragged: the same thing, another name
        tell(*now, QAccessible::Selection);
        if (m_canvas.hasFocus())
            tell(*now, QAccessible::Focus);
    }
    static void tell(QAccessibleInterface& about, QAccessible::Event what) {
        QAccessibleEvent event(&about, what);
        g_teller(&event);
    }
    TimelineCanvas& m_canvas;
    std::weak_ptr<const view::ViewData> m_told; ///< only to be compared
};

} // namespace

AccessibleTimeline::AccessibleTimeline(TimelineCanvas& canvas)
    : QAccessibleWidget(&canvas, QAccessible::List)
    , m_canvas(canvas) {}

AccessibleTimeline::~AccessibleTimeline() {
    for (const auto& [key, id] : m_nodes)
        QAccessible::deleteAccessibleInterface(id);
}

QAccessibleInterface* AccessibleTimeline::node(const NodeKey& key) const {
    const auto [at, isNew] = m_nodes.try_emplace(key, 0);
    if (isNew)
        at->second = QAccessible::registerAccessibleInterface(new AccessibleNode(m_canvas, key));
    return QAccessible::accessibleInterface(at->second);
}

void AccessibleTimeline::forget() {
    for (auto at = m_nodes.begin(); at != m_nodes.end();) {
        QAccessibleInterface* node = QAccessible::accessibleInterface(at->second);
        if (node && node->isValid()) {
            ++at;
            continue;
        }
        if (node)
            QAccessible::deleteAccessibleInterface(at->second);
        at = m_nodes.erase(at);
    }
}

int AccessibleTimeline::childCount() const {
    const auto rows = m_canvas.shown() ? static_cast<int>(m_canvas.rows().layout().rows.size()) : 0;
    return rows + (m_canvas.selection().range() ? 1 : 0);
}

QAccessibleInterface* AccessibleTimeline::child(int index) const {
    if (index < 0 || index >= childCount())
        return nullptr;
    const auto& rows = m_canvas.rows().layout().rows;
    const auto at = static_cast<std::size_t>(index);
    return node(at < rows.size() ? NodeKey::of(rows[at]) : NodeKey{NodeKey::Kind::Range, 0, {}});
}

QAccessibleInterface* AccessibleTimeline::childAt(int x, int y) const {
    const QPoint here = m_canvas.mapFromGlobal(QPoint(x, y));
    if (!m_canvas.shown() || !m_canvas.rect().contains(here))
        return nullptr;
    const Row* row = m_canvas.rows().layout().onScreen(here.y(), m_canvas.rows().scroll());
    return row ? node(NodeKey::of(*row)) : nullptr;
}

QAccessibleInterface* AccessibleTimeline::focusChild() const {
    if (!m_canvas.hasFocus())
        return nullptr;
    const auto key = currentNode(m_canvas);
    return key ? node(*key) : QAccessible::queryAccessibleInterface(&m_canvas);
}

int AccessibleTimeline::indexOfChild(const QAccessibleInterface* which) const {
    for (int i = 0; i < childCount(); ++i)
        if (child(i) == which)
            return i;
    return -1;
}

QString AccessibleTimeline::text(QAccessible::Text kind) const {
    if (kind == QAccessible::Description && m_canvas.shown())
        return spokenRecording(*m_canvas.shown()) + QLatin1Char(' ') + m_canvas.accessibleDescription();
    return QAccessibleWidget::text(kind);
}

QAccessible::State AccessibleTimeline::state() const {
    QAccessible::State state = QAccessibleWidget::state();
    state.active = true;
    return state;
}

QStringList AccessibleTimeline::actionNames() const {
    QStringList names = QAccessibleWidget::actionNames();
    for (const Move& move : moves())
        names << move.name;
    return names;
}

void AccessibleTimeline::doAction(const QString& name) {
    for (const Move& move : moves())
        if (name == move.name)
            return move.act(m_canvas);
    QAccessibleWidget::doAction(name);
}

QStringList AccessibleTimeline::keyBindingsForAction(const QString& name) const {
    for (const Move& move : moves())
        if (name == move.name)
            return {QLatin1String(move.key)};
    return QAccessibleWidget::keyBindingsForAction(name);
}

AccessibleTeller tellAccessibleBy(AccessibleTeller teller) {
    return std::exchange(g_teller, teller);
}

void makeAccessible(TimelineCanvas& canvas) {
    static const bool installed = (QAccessible::installFactory(make), true);
    Q_UNUSED(installed)
    QAccessibleInterface* made = QAccessible::queryAccessibleInterface(&canvas);
    if (!dynamic_cast<AccessibleTimeline*>(made)) // somebody asked for it before: it is that of any widget
        QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(made));
    new Speaker(canvas); // owned by the canvas
}

} // namespace olab::ui
