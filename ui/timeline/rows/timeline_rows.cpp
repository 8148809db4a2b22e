#include "timeline/rows/timeline_rows.h"

#include "base/call_later.h"
#include "base/plain_text.h"

#include <olab/trace/lanes.h>
#include <olab/view/drawn_lanes.h>

#include <QMenu>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kEdgePx = 4;      // how near one takes hold of a row's lower edge
constexpr int kScrollZone = 16; // at the top and the foot: dragging there scrolls
constexpr int kScrollStep = 10;
constexpr int kNestedScreens = 2; // of the nested ranges of a thread: more would bury what is below them

} // namespace

TimelineRows::TimelineRows(QObject* parent)
    : QObject(parent)
    , m_opener(std::make_unique<view::LaneOpener>(
          [this](view::OpenedLanePtr opened) { callLater(this, [this, opened] { addOpened(opened); }); })) {}

TimelineRows::~TimelineRows() = default;

/// How tall rows are is of one file: another one has other rows under the same names.
void TimelineRows::exchangeHeights(const view::ViewDataPtr& next) {
    if (!next || next->recording->file == m_heightsOf)
        return;
    m_heights[m_heightsOf] = std::move(m_choices.heights);
    m_heightsOf = next->recording->file;
    m_choices.heights = m_heights[m_heightsOf];
    m_former.clear();
    m_noted = m_choices;
}

RowChoices TimelineRows::keptChoices() const {
    RowChoices kept = m_choices;
    if (const auto runs = m_heights.find({}); !m_heightsOf.empty())
        kept.heights = runs == m_heights.end() ? std::map<QString, int>() : runs->second;
    return kept;
}

/// While a row is made taller by hand, all of it is one change.
void TimelineRows::noteChange() {
    constexpr std::size_t kMost = 100;
    if (m_drag.what == RowDrag::What::Height || m_choices == m_noted)
        return;
    if (m_former.size() == kMost)
        m_former.erase(m_former.begin());
    m_former.push_back(std::exchange(m_noted, m_choices));
}

bool TimelineRows::undo() {
    if (m_former.empty() || !m_data)
        return false;
    m_noted = m_choices = std::move(m_former.back());
    m_former.pop_back();
    layOut();
    openChosen();
    return true;
}

void TimelineRows::setShown(view::ViewDataPtr data) {
    exchangeHeights(data);
    m_data = std::move(data);
    m_opener->stop();
    m_drawn = m_data ? std::make_unique<DrawnRows>(m_data->index) : nullptr;
    m_inUse = LaneId{kNoNumber};
    m_drag = {};
    m_scroll = 0;
    m_empty.clear();
    layOut();
    openChosen();
}

void TimelineRows::refine(view::ViewDataPtr data) {
    m_data = std::move(data);
    m_opener->stop();
    m_drawn = std::make_unique<DrawnRows>(m_data->index);
    layOut();
    openChosen();
}

void TimelineRows::setRoom(int height, const ViewStyle& style) {
    m_height = height;
    m_style = style;
    layOut();
}

void TimelineRows::setChoices(RowChoices choices) {
    m_choices = std::move(choices);
    if (!m_data) { // restored: nothing to take back
        m_noted = m_choices;
        m_former.clear();
    }
    layOut();
    openChosen();
}

RowLayout TimelineRows::laidOut() const {
    if (!m_data)
        return {};
    RowChoices choices = m_choices;
    for (const QString& row : m_empty)
        choices.heights.emplace(row, 0);
    if (m_drag.what == RowDrag::What::Height)
        return RowLayout::withGrowth(*m_drawn, choices, m_height, m_drag.growth, m_style,
                                     kNestedScreens * m_height);
    return RowLayout::chosen(*m_drawn, choices, m_height, m_style, kNestedScreens * m_height);
}

/// None while there is room for all, or where nothing at all is in view.
std::set<QString> TimelineRows::emptyIn(Interval seen) const {
    const RowLayout whole =
        RowLayout::chosen(*m_drawn, m_choices, m_height, m_style, kNestedScreens * m_height);
    std::set<QString> empty;
    bool hasWork = false;
    const view::AccountPtr account = m_data->account();
    const auto isEmpty = [&](const view::Strip& strip) {
        const auto [first, last] = strip.candidates(seen);
        const bool drawsWaits = account && strip.lane->kind == LaneKind::Stream;
        return first == last && !(drawsWaits && account->waitAt(strip, seen.end));
    };
    for (const Row& row : whole.rows) {
        if (!row.lane || showsValue(row.lane->kind))
            continue;
        const bool isWithout = std::ranges::all_of(m_drawn->strips(row.lane->id), isEmpty);
        hasWork |= !isWithout;
        if (isWithout && !row.pinned && row.lane->id != m_inUse)
            empty.insert(row.name);
    }
    return hasWork && whole.height > m_height ? empty : std::set<QString>();
}

/// The first row that has something stays where it is on the screen.
void TimelineRows::setSeen(Interval seen) {
    std::set<QString> empty = m_data ? emptyIn(seen) : std::set<QString>();
    if (holds() || empty == m_empty)
        return;
    const auto rows = inView();
    const auto first = std::ranges::find_if(rows, [&](const Row* row) {
        return row->lane && !row->pinned && top(*row) >= 0 && !empty.contains(row->name);
    });
    const LaneId lane = first == rows.end() ? LaneId{kNoNumber} : (*first)->lane->id;
    const int was = first == rows.end() ? 0 : top(**first);
    m_empty = std::move(empty);
    m_layout = laidOut();
    if (const Row* row = m_layout.of(lane))
        m_scroll = row->top - was;
    layOut();
}

void TimelineRows::layOut() {
    noteChange();
    m_layout = laidOut();
    m_scroll = std::clamp(m_scroll, 0, std::max(m_layout.height - m_height, 0));
    emit changed();
}

void TimelineRows::setScroll(int y) {
    const int next = std::clamp(y, 0, std::max(m_layout.height - m_height, 0));
    if (next == m_scroll)
        return;
    m_scroll = next;
    emit changed();
}

/// The lane last clicked or stepped in; else the first one.
LaneId TimelineRows::laneInUse() const {
    return m_drawn->lane(m_inUse) ? m_inUse : LaneId{0};
}

void TimelineRows::open(LaneId lane) {
    const Row* row = m_layout.of(lane);
    if (!row || !(row = &headOf(*row))->canOpen)
        return;
    if (!m_choices.opened.erase(row->name))
        m_choices.opened.insert(row->name);
    use(row->lane->id); // its channels may be gone
    layOut();
    openChosen();
}

/// Whether there is something to find out about it: an engine by channel, values that are seen.
bool TimelineRows::isWanted(const RowGroup& group, const RowItem& item) const {
    if (showsValue(item.lane->kind))
        return !m_choices.isFolded(group.name, group.startsFolded()) || m_choices.pinned.contains(item.name);
    return item.lane->channels.size() > 1 && m_choices.opened.contains(item.name);
}

/// Closes what is to be closed, and asks for what is to be open and is not.
void TimelineRows::openChosen() {
    if (!m_data)
        return;
    std::set<LaneId> wanted;
    for (const RowGroup& group : m_drawn->groups().groups)
        for (const RowItem& item : group.items)
            if (isWanted(group, item))
                wanted.insert(item.lane->id);
    std::vector<view::OpenedLanePtr> opened = m_drawn->opened();
    std::erase_if(opened, [&](const view::OpenedLanePtr& each) { return !wanted.contains(each->parent); });
    const bool closes = opened.size() != m_drawn->opened().size();
    if (closes)
        *m_drawn = DrawnRows(m_data->index, std::move(opened));
    for (const LaneId lane : wanted)
        if (!m_drawn->isOpen(lane))
            m_opener->open(m_data, lane);
    if (closes)
        layOut();
}

void TimelineRows::addOpened(const view::OpenedLanePtr& opened) {
    if (opened->shown != m_data || m_drawn->isOpen(opened->parent))
        return;
    std::vector<view::OpenedLanePtr> all = m_drawn->opened();
    all.push_back(opened);
    *m_drawn = DrawnRows(m_data->index, std::move(all));
    openChosen(); // it may have been closed again
    layOut();
}

bool TimelineRows::isSeen(const Row& row) const {
    const int y = top(row);
    return row.pinned || (y >= m_layout.pinnedHeight && y + row.height <= m_height);
}

void TimelineRows::pin(LaneId lane) {
    const Row* row = m_layout.of(lane);
    if (!row)
        return;
    if (m_choices.pinned.contains(headOf(*row).name)) // it goes where that goes
        row = &headOf(*row);
    if (!m_choices.pinned.erase(row->name))
        m_choices.pinned.insert(row->name);
    layOut();
    openChosen();
}

void TimelineRows::hide(LaneId lane) {
    const Row* row = m_layout.of(lane);
    if (!row)
        return;
    const QString name = row->name;
    step(+1);
    if (m_inUse == lane)
        step(-1);
    m_choices.hidden.insert(name);
    m_choices.pinned.erase(name);
    layOut();
}

void TimelineRows::showAll() {
    m_choices.hidden.clear();
    m_choices.folded.clear();
    if (m_data)
        for (const RowGroup& group : m_drawn->groups().groups)
            m_choices.setFolded(group.name, group.startsFolded(), false);
    layOut();
    openChosen();
}

void TimelineRows::toggleGroup(const QString& group) {
    const bool startsFolded = m_data && std::ranges::any_of(m_drawn->groups().groups, [&](const RowGroup& g) {
                                  return g.name == group && g.startsFolded();
                              });
    m_choices.setFolded(group, startsFolded, !m_choices.isFolded(group, startsFolded));
    layOut();
    openChosen();
}

void TimelineRows::step(int direction) {
    std::vector<const Row*> lanes;
    for (const Row& row : m_layout.rows)
        if (row.lane)
            lanes.push_back(&row);
    if (lanes.empty())
        return;
    const auto here =
        std::ranges::find_if(lanes, [this](const Row* row) { return row->lane->id == m_inUse; });
    const auto last = static_cast<std::ptrdiff_t>(lanes.size()) - 1;
    const auto next = here == lanes.end()
                          ? (direction > 0 ? 0 : last)
                          : std::clamp<std::ptrdiff_t>(here - lanes.begin() + direction, 0, last);
    choose(lanes[static_cast<std::size_t>(next)]->lane->id);
}

void TimelineRows::choose(LaneId lane) {
    const Row* row = m_layout.of(lane);
    if (!row)
        return;
    if (!isSeen(*row))
        setScroll(row->top - m_height / 3);
    use(lane);
}

void TimelineRows::use(LaneId lane) {
    if (lane == m_inUse)
        return;
    m_inUse = lane;
    if (const Row* row = m_layout.of(lane); row && m_empty.erase(row->name) > 0)
        layOut();
    emit inUseChanged();
}

/// The rows that a row can change places with; of a heading, the headings.
std::vector<const Row*> TimelineRows::besides(const Row& row) const {
    std::vector<const Row*> rows;
    for (const Row& other : m_layout.rows)
        if (other.kind == row.kind && !other.name.isEmpty() && !other.beneath &&
            (row.kind == Row::Kind::Group || (other.group == row.group && other.pinned == row.pinned)))
            rows.push_back(&other);
    return rows;
}

/// The row that it is beneath, or itself.
const Row& TimelineRows::headOf(const Row& row) const {
    const Row* head = &row;
    while (head->beneath && head != m_layout.rows.data())
        --head;
    return *head;
}

/// On the screen: of a row with what is beneath it, of a heading's whole group.
int TimelineRows::endOf(const Row& row) const {
    const Row* next = &row + 1;
    const Row* const end = m_layout.rows.data() + m_layout.rows.size();
    while (next != end && (next->beneath || (row.kind == Row::Kind::Group && next->kind != row.kind)))
        ++next;
    return top(next[-1]) + next[-1].height;
}

void TimelineRows::place(const Row& row, const Row& beside, bool after) {
    const QString group = row.kind == Row::Kind::Group ? QString() : row.group;
    m_choices.move(group, m_layout.natural[group], row.name, beside.name, after);
    layOut();
}

void TimelineRows::move(LaneId lane, int direction) {
    const Row* row = m_layout.of(lane);
    if (!row)
        return;
    row = &headOf(*row);
    const auto rows = besides(*row);
    const auto at = std::ranges::find(rows, row) - rows.begin() + direction;
    if (at < 0 || at >= static_cast<std::ptrdiff_t>(rows.size()))
        return;
    place(*row, *rows[static_cast<std::size_t>(at)], direction > 0);
    if (const Row* moved = m_layout.of(lane); moved && !isSeen(*moved))
        setScroll(moved->top - m_height / 3);
}

void TimelineRows::moveGroup(const QString& group, int direction) {
    for (const Row& row : m_layout.rows) {
        if (row.kind != Row::Kind::Group || row.name != group)
            continue;
        const auto groups = besides(row);
        const auto at = std::ranges::find(groups, &row) - groups.begin() + direction;
        if (at >= 0 && at < static_cast<std::ptrdiff_t>(groups.size()))
            place(row, *groups[static_cast<std::size_t>(at)], direction > 0);
        return;
    }
}

void TimelineRows::resize(LaneId lane, int direction) {
    const Row* row = m_layout.of(lane);
    if (!row)
        return;
    const int percent = row->stripHeight * 100 / std::max(row->plainHeight, 1);
    const int next = direction > 0 ? percent * 5 / 4 + 5 : percent * 4 / 5;
    m_choices.setHeight(row->name, direction == 0 ? 100 : next == 100 ? 101 : next);
    layOut();
}

const Row* TimelineRows::edgeAt(int y) const {
    for (const int above : {0, kEdgePx}) {
        const Row* row = at(y - above);
        if (row && row->lane && std::abs(top(*row) + row->height - 1 - y) <= kEdgePx)
            return row;
    }
    return nullptr;
}

/// Pressed among the names: it may become a click.
void TimelineRows::take(int y) {
    const Row* edge = edgeAt(y);
    const Row* row = edge ? edge : at(y);
    m_drag = {};
    if (!row || row->name.isEmpty())
        return;
    m_drag.what = edge ? RowDrag::What::Height : RowDrag::What::Place;
    row = edge ? row : &headOf(*row);
    m_drag.name = row->name;
    m_drag.isGroup = row->kind == Row::Kind::Group;
    m_drag.group = m_drag.isGroup ? QString() : row->group;
    m_drag.isPinned = row->pinned;
    m_drag.growth = m_layout.growth;
}

const Row* TimelineRows::held() const {
    const auto row = std::ranges::find_if(m_layout.rows, [this](const Row& each) {
        return each.name == m_drag.name && each.pinned == m_drag.isPinned &&
               (each.kind == Row::Kind::Group) == m_drag.isGroup;
    });
    return row == m_layout.rows.end() ? nullptr : &*row;
}

void TimelineRows::drag(int y) {
    const Row* row = held();
    if (!row)
        return;
    if (isSizing()) {
        const int strip = (y - top(*row) - Row::kGap) / std::max<int>(row->lane->depthCount, 1);
        const int percent = strip * 100 / std::max(row->plainHeight, 1) + 1; // rounded up: the edge follows
        m_choices.setHeight(row->name, percent == 100 ? 101 : percent);
        return layOut();
    }
    if (!row->pinned && y < m_layout.pinnedHeight + kScrollZone)
        setScroll(m_scroll - kScrollStep);
    if (!row->pinned && y > m_height - kScrollZone)
        setScroll(m_scroll + kScrollStep);
    m_drag.drop = dropAt(*row, y);
}

/// Between which two rows, or groups, something dragged to this height lands.
std::optional<RowDrop> TimelineRows::dropAt(const Row& row, int y) const {
    const auto rows = besides(row);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const int end = endOf(*rows[i]);
        if (y < (top(*rows[i]) + end) / 2)
            return RowDrop{rows[i]->name, false, top(*rows[i])};
        if (i + 1 == rows.size())
            return RowDrop{rows[i]->name, true, end};
    }
    return std::nullopt;
}

void TimelineRows::letGo() {
    const RowDrag drag = std::exchange(m_drag, {});
    if (drag.drop)
        m_choices.move(drag.group, m_layout.natural[drag.group], drag.name, drag.drop->beside,
                       drag.drop->after);
    if (drag.what != RowDrag::What::Nothing)
        layOut();
}

void TimelineRows::addActions(QMenu& menu, const Row& row) {
    const LaneId lane = row.lane->id;
    use(lane);
    addEntry(menu, m_choices.pinned.contains(row.name) ? tr("Let go of the row\tP") : tr("Pin the row\tP"),
             this, [this, lane] { pin(lane); });
    if (headOf(row).canOpen)
        addEntry(menu, headOf(row).isOpen ? tr("Close its channels\tO") : tr("Open by channel\tO"), this,
                 [this, lane] { open(lane); });
    menu.addAction(tr("Hide the row\tH"), this, [this, lane] { hide(lane); });
    menu.addSeparator();
    menu.addAction(tr("Move the row up\tCtrl+Shift+Up"), this, [this, lane] { move(lane, -1); });
    menu.addAction(tr("Move the row down\tCtrl+Shift+Down"), this, [this, lane] { move(lane, +1); });
    menu.addAction(tr("Taller\tAlt+Up"), this, [this, lane] { resize(lane, +1); });
    menu.addAction(tr("Shorter\tAlt+Down"), this, [this, lane] { resize(lane, -1); });
    menu.addAction(tr("Usual height\t0"), this, [this, lane] { resize(lane, 0); })
        ->setEnabled(m_choices.heights.contains(row.name));
    menu.addSeparator();
}

void TimelineRows::addGroupActions(QMenu& menu, const QString& group) {
    if (group.isEmpty())
        return;
    menu.addAction(tr("Fold or unfold the group\tC"), this, [this, group] { toggleGroup(group); });
    menu.addAction(tr("Move the group up"), this, [this, group] { moveGroup(group, -1); });
    menu.addAction(tr("Move the group down"), this, [this, group] { moveGroup(group, +1); });
    menu.addSeparator();
}

} // namespace olab::ui
