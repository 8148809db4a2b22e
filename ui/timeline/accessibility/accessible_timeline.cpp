#include "timeline/accessibility/accessible_timeline.h"

#include "timeline/rows/row_names.h"
#include "timeline/rows/timeline_rows.h"
#include "timeline/texts/hover_card.h"
#include "timeline/texts/range_text.h"

#include <olab/trace/lanes.h>
#include <olab/ui/format.h>
#include <olab/ui/texts.h>
#include <olab/ui/timeline_canvas.h>

#include <QStringList>

#include <algorithm>
#include <array>
#include <utility>

namespace olab::ui {

namespace {

QString placeOf(const view::ViewData& shown, const Lane& lane) {
    const auto devices = shown.trace().devices();
    const bool isOfOne = scopeOf(lane.kind) == LaneScope::Engine || showsValue(lane.kind);
    if (!isOfOne || lane.device >= devices.size())
        return {};
    return tr(", GPU %1").arg(devices[lane.device].device);
}

QString things(const Lane& lane, std::uint64_t count) {
    const QString word = fromText(laneKindRow(lane.kind).thing);
    return QStringLiteral("%1 %2%3").arg(count).arg(word, count == 1 ? QString() : QStringLiteral("s"));
}

QString busyText(const Lane& lane, Interval range) {
    const auto share =
        static_cast<double>(lane.busy.measure(range)) / static_cast<double>(std::max<Ns>(range.length(), 1));
    return tr("busy %1").arg(percentLabel(share));
}

Interval spokenWork(const view::ViewData& shown) {
    const Interval device = shown.trace().deviceSpan();
    return device.length() > 0 ? device : shown.trace().span();
}

QString startText(const view::ViewData& shown, Ns time) {
    return tr("starts at %1").arg(durationText(time - shown.zero()));
}

} // namespace

QString spokenRow(const view::ViewData& shown, const Row& row) {
    const QString pinned = row.pinned ? tr(", pinned") : QString();
    if (row.kind == Row::Kind::Ribbon && row.device < shown.index.deviceCount()) {
        const Interval work = spokenWork(shown);
        return QStringLiteral("%1: %2").arg(
            row.label, atOnceText(view::numbersOf(shown.index, row.device, work), work.length()));
    }
    if (!row.lane)
        return row.label + pinned;
    if (showsValue(row.lane->kind))
        return fromText(row.lane->label) + placeOf(shown, *row.lane) + QStringLiteral(", ") +
               spokenValue(row, spokenWork(shown)) + pinned +
               (leftOutText(row).isEmpty() ? QString() : QStringLiteral(". ") + leftOutText(row));
    return fromText(row.lane->label) + placeOf(shown, *row.lane) + QStringLiteral(", ") +
           things(*row.lane, row.lane->activities.size()) + QStringLiteral(", ") +
           busyText(*row.lane, spokenWork(shown)) + pinned;
}

QString spokenView(std::span<const view::Strip> strips, const Row& row, Interval seen) {
    if (!row.lane)
        return {};
    if (showsValue(row.lane->kind)) {
        const QString average = averageText(row, seen);
        return average.isEmpty() ? average : tr("in view %1 on average").arg(average);
    }
    return tr("in view %1, %2")
        .arg(things(*row.lane, view::countIn(strips, seen)), busyText(*row.lane, seen));
}

QString spokenActivity(const view::ViewData& shown, ActivityIndex index) {
    const Trace& trace = shown.trace();
    const Activity a = trace[index];
    const QString label = activityLabel(trace, index), kind = fromText(classLabel(a.cls));
    QStringList parts{QStringLiteral("%1 #%2").arg(
        label.startsWith(kind) ? label : kind + QLatin1Char(' ') + label, numberText(trace, index))};
    parts << durationText(a.duration()) << queueText(trace, a.queue)
          << startText(shown, trace.time(index).begin);
    if (const auto wait = shown.waitOf(index); wait && wait->length() > 0)
        parts << tr("waited %1").arg(durationText(wait->length()));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

QString spokenPlace(const Lane& lane, ActivityIndex index) {
    const auto at = std::ranges::lower_bound(lane.activities, index);
    if (at == lane.activities.end() || *at != index)
        return {};
    return tr("%1 of %2 in %3")
        .arg(at - lane.activities.begin() + 1)
        .arg(lane.activities.size())
        .arg(fromText(lane.label));
}

QString spokenGap(const view::ViewData& shown, const view::Gap& gap) {
    return tr("Idle for %1, %2. %3")
        .arg(durationText(gap.time.length()), startText(shown, gap.time.begin), gapSentence(shown, gap));
}

QString spokenRange(const view::ViewData& shown, Interval range) {
    return tr("Measured range of %1, %2").arg(durationText(range.length()), startText(shown, range.begin));
}

QString spokenRecording(const view::ViewData& shown) {
    QStringList sentences{titleText(shown)};
    if (const auto badge = shown.recording->badge(); !badge.empty())
        sentences << fromText(badge).toLower();
    sentences << counted("%n activities, run time %1", "%n activity, run time %1", shown.trace().size())
                     .arg(durationText(shown.recording->report.bounds.measured));
    return sentences.join(QStringLiteral(", ")) + QLatin1Char('.');
}

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
