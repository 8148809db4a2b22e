// The rows of the canvas: which are seen, in what order, how tall; by mouse, keys and menu.
#include <olab/ui/timeline_canvas.h>

#include "shell/plain_text.h"
#include "timeline/lane_opener.h"
#include "timeline/op_menu.h"
#include "timeline/row_drag.h"
#include "timeline/row_groups.h"
#include "timeline/row_layout.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>

namespace olab {

namespace {

constexpr int kEdgePx = 4;      // how near one takes hold of a row's lower edge
constexpr int kScrollZone = 16; // at the top and the foot: dragging there scrolls
constexpr int kScrollStep = 10;

} // namespace

const RowChoices& TimelineCanvas::rowChoices() const {
    return *m_choices;
}

void TimelineCanvas::setRowChoices(RowChoices choices) {
    *m_choices = std::move(choices);
    relayout();
    openChosen();
}

RowLayout TimelineCanvas::chosenRows() const {
    if (!m_shown)
        return {};
    if (m_rowDrag->what == RowDrag::What::Height)
        return RowLayout::withGrowth(*m_drawn, *m_choices, height(), m_rowDrag->growth, m_style);
    return RowLayout::chosen(*m_drawn, *m_choices, height(), m_style);
}

void TimelineCanvas::openRow(LaneId lane) {
    const Row* row = m_rows->of(lane);
    if (!row || !(row = &headOf(*row))->canOpen)
        return;
    if (!m_choices->opened.erase(row->name))
        m_choices->opened.insert(row->name);
    setRow(row->lane->id); // its channels may be gone
    relayout();
    openChosen();
}

/// Closes what is to be closed, and asks for what is to be open and is not.
void TimelineCanvas::openChosen() {
    if (!m_shown)
        return;
    std::set<LaneId> wanted;
    for (const RowGroup& group : m_drawn->groups().groups)
        for (const RowItem& item : group.items)
            if (item.lane->channels.size() > 1 && m_choices->opened.contains(item.name))
                wanted.insert(item.lane->id);
    std::vector<OpenedLanePtr> opened = m_drawn->opened();
    std::erase_if(opened, [&](const OpenedLanePtr& each) { return !wanted.contains(each->parent); });
    const bool closes = opened.size() != m_drawn->opened().size();
    if (closes)
        *m_drawn = DrawnLanes(m_shown->index, std::move(opened));
    for (const LaneId lane : wanted)
        if (m_drawn->channelsOf(lane).empty())
            m_opener->open(m_shown, lane);
    if (closes)
        relayout();
}

void TimelineCanvas::addOpened(const OpenedLanePtr& opened) {
    if (opened->shown != m_shown || !m_drawn->channelsOf(opened->parent).empty())
        return;
    std::vector<OpenedLanePtr> all = m_drawn->opened();
    all.push_back(opened);
    *m_drawn = DrawnLanes(m_shown->index, std::move(all));
    openChosen(); // it may have been closed again
    relayout();
}

bool TimelineCanvas::isSeen(const Row& row) const {
    const int y = m_rows->screenTop(row, m_scroll);
    return row.pinned || (y >= m_rows->pinnedHeight && y + row.height <= height());
}

void TimelineCanvas::pinRow(LaneId lane) {
    const Row* row = m_rows->of(lane);
    if (!row)
        return;
    if (m_choices->pinned.contains(headOf(*row).name)) // it goes where that goes
        row = &headOf(*row);
    if (!m_choices->pinned.erase(row->name))
        m_choices->pinned.insert(row->name);
    relayout();
}

void TimelineCanvas::hideRow(LaneId lane) {
    const Row* row = m_rows->of(lane);
    if (!row)
        return;
    const QString name = row->name;
    stepRow(+1);
    if (m_selectedLane == lane)
        stepRow(-1);
    m_choices->hidden.insert(name);
    m_choices->pinned.erase(name);
    relayout();
}

void TimelineCanvas::showAllRows() {
    m_choices->hidden.clear();
    m_choices->folded.clear();
    relayout();
}

void TimelineCanvas::resetRows() {
    setRowChoices({});
}

void TimelineCanvas::toggleGroup(const QString& group) {
    if (!m_choices->folded.erase(group))
        m_choices->folded.insert(group);
    relayout();
}

void TimelineCanvas::stepRow(int direction) {
    std::vector<const Row*> lanes;
    for (const Row& row : m_rows->rows)
        if (row.lane)
            lanes.push_back(&row);
    if (lanes.empty())
        return;
    const auto here =
        std::ranges::find_if(lanes, [this](const Row* row) { return row->lane->id == m_selectedLane; });
    const auto last = static_cast<std::ptrdiff_t>(lanes.size()) - 1;
    const auto next = here == lanes.end()
                          ? (direction > 0 ? 0 : last)
                          : std::clamp<std::ptrdiff_t>(here - lanes.begin() + direction, 0, last);
    chooseRow(lanes[static_cast<std::size_t>(next)]->lane->id);
}

void TimelineCanvas::chooseRow(LaneId lane) {
    const Row* row = m_rows->of(lane);
    if (!row)
        return;
    if (!isSeen(*row))
        setScroll(row->top - height() / 3);
    setRow(lane);
}

void TimelineCanvas::setRow(LaneId lane) {
    if (lane == m_selectedLane)
        return;
    m_selectedLane = lane;
    update();
    emit rowChanged();
}

QRect TimelineCanvas::rectOf(const Row& row) const {
    return {0, m_rows->screenTop(row, m_scroll), width(), row.height};
}

QRect TimelineCanvas::rectOf(Interval time) const {
    const int x0 = xOf(time.begin), x1 = xOf(time.end);
    return {x0, 0, std::max(x1 - x0, 1), height()};
}

/// The rows that a row can change places with; of a heading, the headings.
std::vector<const Row*> TimelineCanvas::besides(const Row& row) const {
    std::vector<const Row*> rows;
    for (const Row& other : m_rows->rows)
        if (other.kind == row.kind && !other.name.isEmpty() && !other.beneath &&
            (row.kind == Row::Kind::Group || (other.group == row.group && other.pinned == row.pinned)))
            rows.push_back(&other);
    return rows;
}

/// The row that it is beneath, or itself.
const Row& TimelineCanvas::headOf(const Row& row) const {
    const Row* head = &row;
    while (head->beneath && head != m_rows->rows.data())
        --head;
    return *head;
}

/// On the screen: of a row with what is beneath it, of a heading's whole group.
int TimelineCanvas::endOf(const Row& row) const {
    const Row* next = &row + 1;
    const Row* const end = m_rows->rows.data() + m_rows->rows.size();
    while (next != end && (next->beneath || (row.kind == Row::Kind::Group && next->kind != row.kind)))
        ++next;
    return m_rows->screenTop(next[-1], m_scroll) + next[-1].height;
}

void TimelineCanvas::placeRow(const Row& row, const Row& beside, bool after) {
    const QString group = row.kind == Row::Kind::Group ? QString() : row.group;
    m_choices->move(group, m_rows->natural[group], row.name, beside.name, after);
    relayout();
}

void TimelineCanvas::moveRow(LaneId lane, int direction) {
    const Row* row = m_rows->of(lane);
    if (!row)
        return;
    row = &headOf(*row);
    const auto rows = besides(*row);
    const auto at = std::ranges::find(rows, row) - rows.begin() + direction;
    if (at < 0 || at >= static_cast<std::ptrdiff_t>(rows.size()))
        return;
    placeRow(*row, *rows[static_cast<std::size_t>(at)], direction > 0);
    if (const Row* moved = m_rows->of(lane); moved && !isSeen(*moved))
        setScroll(moved->top - height() / 3);
}

void TimelineCanvas::moveGroup(const QString& group, int direction) {
    for (const Row& row : m_rows->rows) {
        if (row.kind != Row::Kind::Group || row.name != group)
            continue;
        const auto groups = besides(row);
        const auto at = std::ranges::find(groups, &row) - groups.begin() + direction;
        if (at >= 0 && at < static_cast<std::ptrdiff_t>(groups.size()))
            placeRow(row, *groups[static_cast<std::size_t>(at)], direction > 0);
        return;
    }
}

void TimelineCanvas::resizeRow(LaneId lane, int direction) {
    const Row* row = m_rows->of(lane);
    if (!row)
        return;
    const int percent = row->stripHeight * 100 / std::max(row->plainHeight, 1);
    const int next = direction > 0 ? percent * 5 / 4 + 5 : percent * 4 / 5;
    m_choices->setHeight(row->name, direction == 0 ? 100 : next == 100 ? 101 : next);
    relayout();
}

/// The row whose lower edge is at this point, among the names.
const Row* TimelineCanvas::rowEdgeAt(QPoint point) const {
    if (!m_shown || point.x() >= gutter())
        return nullptr;
    for (const int above : {0, kEdgePx}) {
        const Row* row = m_rows->onScreen(point.y() - above, m_scroll);
        if (row && row->lane &&
            std::abs(m_rows->screenTop(*row, m_scroll) + row->height - 1 - point.y()) <= kEdgePx)
            return row;
    }
    return nullptr;
}

/// Pressed among the names: it may become a click.
void TimelineCanvas::takeRow(QPoint point) {
    const Row* edge = rowEdgeAt(point);
    const Row* row = edge ? edge : m_rows->onScreen(point.y(), m_scroll);
    *m_rowDrag = {};
    if (!row || row->name.isEmpty())
        return;
    m_rowDrag->what = edge ? RowDrag::What::Height : RowDrag::What::Place;
    row = edge ? row : &headOf(*row);
    m_rowDrag->name = row->name;
    m_rowDrag->isGroup = row->kind == Row::Kind::Group;
    m_rowDrag->group = m_rowDrag->isGroup ? QString() : row->group;
    m_rowDrag->isPinned = row->pinned;
    m_rowDrag->growth = m_rows->growth;
}

bool TimelineCanvas::holdsRow() const {
    return m_rowDrag->what != RowDrag::What::Nothing;
}

const Row* TimelineCanvas::heldRow() const {
    const auto row = std::ranges::find_if(m_rows->rows, [this](const Row& each) {
        return each.name == m_rowDrag->name && each.pinned == m_rowDrag->isPinned &&
               (each.kind == Row::Kind::Group) == m_rowDrag->isGroup;
    });
    return row == m_rows->rows.end() ? nullptr : &*row;
}

void TimelineCanvas::dragRow(QPoint point) {
    m_drag = Drag::Row;
    const Row* row = heldRow();
    if (!row)
        return;
    if (m_rowDrag->what == RowDrag::What::Height) {
        const int room = point.y() - m_rows->screenTop(*row, m_scroll) - Row::kGap;
        const int strip = room / std::max<int>(row->lane->depthCount, 1);
        const int percent = strip * 100 / std::max(row->plainHeight, 1) + 1; // rounded up: the edge follows
        m_choices->setHeight(row->name, percent == 100 ? 101 : percent);
        return relayout();
    }
    setCursor(Qt::ClosedHandCursor);
    if (!row->pinned && point.y() < m_rows->pinnedHeight + kScrollZone)
        setScroll(m_scroll - kScrollStep);
    if (!row->pinned && point.y() > height() - kScrollZone)
        setScroll(m_scroll + kScrollStep);
    m_rowDrag->drop = dropAt(*row, point.y());
    update();
}

/// Between which two rows, or groups, something dragged to this height lands.
std::optional<RowDrop> TimelineCanvas::dropAt(const Row& row, int y) const {
    const auto rows = besides(row);
    const auto top = [this](const Row& each) { return m_rows->screenTop(each, m_scroll); };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const int end = endOf(*rows[i]);
        if (y < (top(*rows[i]) + end) / 2)
            return RowDrop{rows[i]->name, false, top(*rows[i])};
        if (i + 1 == rows.size())
            return RowDrop{rows[i]->name, true, end};
    }
    return std::nullopt;
}

void TimelineCanvas::dropRow() {
    const RowDrag drag = std::exchange(*m_rowDrag, {});
    if (drag.drop)
        m_choices->move(drag.group, m_rows->natural[drag.group], drag.name, drag.drop->beside,
                        drag.drop->after);
    if (drag.what != RowDrag::What::Nothing)
        relayout();
}

/// Keys that choose rows.
bool TimelineCanvas::rowKey(QKeyEvent* event) {
    if (!m_shown)
        return false;
    const Row* row = m_rows->of(m_selectedLane);
    const bool all = event->modifiers() & Qt::ShiftModifier, step = event->modifiers() & Qt::ControlModifier;
    if (row && rowShapeKey(event, *row))
        return true;
    switch (event->key()) {
    case Qt::Key_Up:
        return step && (stepRow(-1), true);
    case Qt::Key_Down:
        return step && (stepRow(+1), true);
    case Qt::Key_P:
        return row && (pinRow(m_selectedLane), true);
    case Qt::Key_H:
        return all ? (showAllRows(), true) : row && (hideRow(m_selectedLane), true);
    case Qt::Key_C:
        return !step && row && (toggleGroup(QString(row->group)), true);
    case Qt::Key_O:
        return !step && row && (openRow(m_selectedLane), true);
    case Qt::Key_R:
        return all && (resetRows(), true);
    default:
        return false;
    }
}

/// Keys that move the row in use and make it taller.
bool TimelineCanvas::rowShapeKey(QKeyEvent* event, const Row& row) {
    const auto keys = event->modifiers() & ~Qt::KeypadModifier;
    const int direction = event->key() == Qt::Key_Up ? -1 : event->key() == Qt::Key_Down ? 1 : 0;
    const LaneId lane = row.lane->id;
    if (direction != 0 && keys == (Qt::ControlModifier | Qt::ShiftModifier))
        return moveRow(lane, direction), true;
    if (direction != 0 && keys == Qt::AltModifier)
        return resizeRow(lane, -direction), true;
    if (event->key() == Qt::Key_0 && keys == Qt::NoModifier)
        return resizeRow(lane, 0), true;
    return false;
}

void TimelineCanvas::addRowActions(QMenu& menu, const Row& row) {
    const LaneId lane = row.lane->id;
    setRow(lane);
    addEntry(menu, m_choices->pinned.contains(row.name) ? tr("Let go of the row\tP") : tr("Pin the row\tP"),
             this, [this, lane] { pinRow(lane); });
    if (headOf(row).canOpen)
        addEntry(menu, headOf(row).isOpen ? tr("Close its channels\tO") : tr("Open by channel\tO"), this,
                 [this, lane] { openRow(lane); });
    menu.addAction(tr("Hide the row\tH"), this, [this, lane] { hideRow(lane); });
    menu.addSeparator();
    menu.addAction(tr("Move the row up\tCtrl+Shift+Up"), this, [this, lane] { moveRow(lane, -1); });
    menu.addAction(tr("Move the row down\tCtrl+Shift+Down"), this, [this, lane] { moveRow(lane, +1); });
    menu.addAction(tr("Taller\tAlt+Up"), this, [this, lane] { resizeRow(lane, +1); });
    menu.addAction(tr("Lower\tAlt+Down"), this, [this, lane] { resizeRow(lane, -1); });
    menu.addAction(tr("Usual height\t0"), this, [this, lane] { resizeRow(lane, 0); })
        ->setEnabled(m_choices->heights.contains(row.name));
    menu.addSeparator();
}

void TimelineCanvas::addGroupActions(QMenu& menu, const QString& group) {
    if (group.isEmpty())
        return;
    menu.addAction(tr("Fold or unfold the group\tC"), this, [this, group] { toggleGroup(group); });
    menu.addAction(tr("Move the group up"), this, [this, group] { moveGroup(group, -1); });
    menu.addAction(tr("Move the group down"), this, [this, group] { moveGroup(group, +1); });
    menu.addSeparator();
}

/// What the menu is about becomes what is picked. The key for menus means what is picked already.
/// @returns a point in its row.
QPoint TimelineCanvas::pickForMenu(QContextMenuEvent& event) {
    const Row* used = m_rows->of(m_selectedLane);
    if (event.reason() == QContextMenuEvent::Keyboard)
        return used ? rectOf(*used).center() : event.pos();
    const Row* row = m_rows->onScreen(event.pos().y(), m_scroll);
    if (!row || !row->lane || event.pos().x() < gutter())
        return event.pos();
    if (const auto hit = activityAt(event.pos()); hit && hit != m_selected)
        select(hit);
    else if (const auto gap = gapAt(*m_shown, row->lane->id, m_view.timeAt(toColumn(event.pos().x())));
             !hit && gap)
        selectGap(gap);
    return event.pos();
}

void TimelineCanvas::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_shown)
        return;
    const QPoint point = pickForMenu(*event);
    const Row* row = m_rows->onScreen(point.y(), m_scroll);
    if (!row)
        return;
    delete m_menu; // not when it closes: what was chosen in it may still run
    auto* menu = new QMenu(this);
    m_menu = menu;
    const bool isKey = event->reason() == QContextMenuEvent::Keyboard;
    const bool onOp = m_selected && (isKey || activityAt(point) == m_selected);
    const bool onGap = !onOp && m_gap && (isKey || (point.x() >= gutter() && row->lane));
    QMenu* rowMenu = menu;
    if (onOp || onGap) {
        onOp ? addOpActions(*menu, *this, *m_selected) : addGapActions(*menu, *this);
        rowMenu = menu->addMenu(tr("The row"));
    }
    if (row->lane)
        addRowActions(*rowMenu, *row);
    addGroupActions(*rowMenu, row->group);
    rowMenu->addAction(tr("Show all rows\tShift+H"), this, &TimelineCanvas::showAllRows);
    rowMenu->addAction(tr("Reset rows\tShift+R"), this, &TimelineCanvas::resetRows)
        ->setEnabled(*m_choices != RowChoices{});
    menu->popup(isKey ? mapToGlobal(point) : event->globalPos());
    update();
}

} // namespace olab
