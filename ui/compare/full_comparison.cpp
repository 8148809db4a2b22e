#include "compare/full_comparison.h"

#include "base/page_parts.h"
#include "compare/compared_side.h"
#include "compare/difference_panel.h"
#include "results/compare_page.h"
#include "timeline/canvas/ruler.h"

#include <olab/comparison/comparison.h>
#include <olab/ui/format.h>

#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr std::size_t kAtOnce = 100'000; // activities of all runs: some milliseconds

QPushButton* headButton(const QString& text, const char* name, const QString& tip) {
    QPushButton* button = makeButton(text, QLatin1String(name), tip);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QLabel* lineOfWords(bool bold) {
    QLabel* label = wordsLabel(QString(), bold);
    label->setContentsMargins(10, 0, 10, 0);
    return label;
}

std::size_t activitiesOf(const std::vector<view::ViewDataPtr>& runs) {
    std::size_t all = 0;
    for (const view::ViewDataPtr& run : runs)
        all += run->trace().size();
    return all;
}

} // namespace

FullComparison::FullComparison(BookmarksOf bookmarks, QWidget* parent)
    : QWidget(parent)
    , m_bookmarks(std::move(bookmarks))
    , m_views(new LockedViews(this))
    , m_headline(lineOfWords(true))
    , m_details(lineOfWords(false))
    , m_pair(new ElidedLabel)
    , m_alignment(new QComboBox)
    , m_middle(new QSplitter(Qt::Horizontal))
    , m_stack(new QSplitter(Qt::Vertical))
    , m_panel(new DifferencePanel) {
    nameWidget(*this, "fullComparison", tr("Runs compared at full size"));
    auto* column = columnIn(this, {0, 0, 0, 4}, 3);
    column->addWidget(m_headline);
    column->addWidget(m_details);
    column->addWidget(buildHead());
    auto* lanes = new QWidget;
    auto* stack = columnIn(lanes, {}, 0);
    stack->addWidget(m_stack, 1);
    stack->addWidget(new FateLegend);
    m_stack->setChildrenCollapsible(false);
    m_middle->addWidget(lanes);
    m_middle->addWidget(m_panel);
    m_middle->setStretchFactor(0, 1);
    m_middle->setStretchFactor(1, 0);
    column->addWidget(m_middle, 1);
    m_pair->setContentsMargins(10, 0, 10, 0);
    column->addWidget(m_pair);
    connect(m_views, &LockedViews::selected, this, &FullComparison::showPair);
    connect(m_middle, &QSplitter::splitterMoved, this, [this] { m_isMoved = true; });
    connect(m_alignment, &QComboBox::activated, this, &FullComparison::alignBy);
}

FullComparison::~FullComparison() = default;

QWidget* FullComparison::buildHead() {
    auto* head = new QWidget;
    auto* row = rowIn(head, {10, 0, 10, 0});
    nameWidget(*m_alignment, "alignment", tr("Aligned at"));
    setTip(*m_alignment, tr("The moment that is the zero of all runs: their first device work, their typical "
                            "iteration, or a bookmark with the same title in each"));
    auto* previous =
        headButton(tr("Previous difference"), "previousDifference", tr("The larger one before it (Shift+N)"));
    auto* next = headButton(tr("Next difference"), "nextDifference", tr("The largest, then the next (N)"));
    auto* back = headButton(tr("Back"), "comparisonBack", tr("To the timeline of the run (Esc)"));
    connect(previous, &QPushButton::clicked, this, [this] { stepDifference(-1); });
    connect(next, &QPushButton::clicked, this, [this] { stepDifference(1); });
    connect(back, &QPushButton::clicked, this, &FullComparison::backRequested);
    row->addWidget(makeLabel(tr("Aligned at")));
    for (QWidget* part : std::initializer_list<QWidget*>{m_alignment, previous, next})
        row->addWidget(part);
    row->addStretch(1);
    row->addWidget(back);
    return head;
}

void FullComparison::compare(std::vector<view::ViewDataPtr> runs) {
    if (runs.size() < 2)
        return;
    m_runs = std::move(runs);
    m_inUse = 1;
    m_pair->setText(tr("A click on an operation selects it in all runs. W and S zoom, A and D move."));
    makeSides();
    m_ways = alignmentsOf(m_runs, m_bookmarks);
    m_hasSelected = false;
    const QSignalBlocker quiet(m_alignment);
    m_alignment->clear();
    m_alignment->addItems(alignments());
    tellRuns();
    match();
}

void FullComparison::replace(const view::ViewDataPtr& before, const view::ViewDataPtr& after) {
    if (std::ranges::find(m_runs, before) == m_runs.end())
        return;
    const Interval seen = m_views->visible();
    const int way = std::max(m_alignment->currentIndex(), 0);
    std::vector<view::ViewDataPtr> runs = m_runs;
    std::ranges::replace(runs, before, after);
    compare(std::move(runs));
    if (way < m_alignment->count() && way > 0)
        alignBy(way);
    m_views->show(seen);
}

void FullComparison::makeSides() {
    m_views->lock({}, {});
    delete m_ruler;
    for (ComparedSide* side : m_sides)
        delete side;
    m_sides.clear();
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        auto* side = new ComparedSide;
        m_stack->addWidget(side);
        m_sides.push_back(side);
    }
    m_ruler = new Ruler(m_sides.front()->canvas(), this);
    static_cast<QBoxLayout*>(m_stack->parentWidget()->layout())->insertWidget(0, m_ruler);
    std::vector<TimelineCanvas*> canvases;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        m_sides[i]->setShown(m_runs[i], i == 0               ? tr("Before")
                                        : m_runs.size() == 2 ? tr("After")
                                                             : tr("Run %1").arg(i + 1));
        TimelineCanvas& canvas = m_sides[i]->canvas();
        connect(&canvas, &TimelineCanvas::searchStepRequested, this, &FullComparison::stepDifference);
        canvases.push_back(&canvas);
    }
    m_views->lock(std::move(canvases), [this](std::size_t from, ActivityIndex activity, std::size_t to) {
        return m_found ? m_found->partnerOf(from, activity, to) : std::nullopt;
    });
    setFocusProxy(&m_sides.front()->canvas());
}

QStringList FullComparison::alignments() const {
    QStringList names;
    for (const Alignment& way : m_ways)
        names << way.name;
    return names;
}

void FullComparison::alignBy(int number) {
    const QSignalBlocker quiet(m_alignment);
    m_alignment->setCurrentIndex(number);
    match();
}

QString FullComparison::warningOf(std::size_t side) const {
    const auto sourceOf = [&](std::size_t i) { return m_runs[i]->trace().provenance().source; };
    const bool simulated = sourceOf(side) == SourceKind::Simulated;
    if (simulated == (sourceOf(0) == SourceKind::Simulated))
        return {};
    return simulated ? tr("⚠ Above is measured, below is simulated: their times are no comparison.")
                     : tr("⚠ Above is simulated, below is measured: their times are no comparison.");
}

/// Of the side in use against the first.
void FullComparison::tellRuns() {
    const comparison::Comparison found = compareShown(*m_runs.front(), *m_runs[m_inUse]);
    m_headline->setText(fromText(found.headline));
    QStringList details;
    for (const comparison::OptionDifference& option : found.options)
        details << QStringLiteral("%1: %2 → %3")
                       .arg(fromText(option.key), fromText(option.before), fromText(option.after));
    if (!details.isEmpty())
        details = {tr("Changed: %1").arg(details.join(QStringLiteral(", ")))};
    if (found.obstacle.empty() && !found.unjudged.empty())
        details << tr("⚠ Inconclusive: %1").arg(fromText(found.unjudged));
    if (!found.obstacle.empty())
        details << withCapital(sentence(found.obstacle));
    m_details->setText(details.join(QLatin1Char('\n')));
    m_details->setVisible(!details.isEmpty());
    m_panel->setComparison(found);
}

void FullComparison::match() {
    const Alignment& way = m_ways[static_cast<std::size_t>(std::max(m_alignment->currentIndex(), 0))];
    std::vector<Ns> zeros;
    for (const comparison::AlignedSpan& place : way.places)
        zeros.push_back(place.zero);
    const TimelineCanvas& first = m_sides.front()->canvas();
    const Interval seen = first.viewport().visible();
    const Interval wanted =
        way.isOfMoment ? Interval{seen.begin - zeros.front(), seen.end - zeros.front()} : commonSpan(way);
    m_views->setAxis(commonLimits(m_runs, way), wanted, zeros);
    m_found = nullptr;
    const auto work = [runs = m_runs, way](const RunControl& control) {
        return std::make_shared<const ComparedRuns>(runs, way, control);
    };
    const auto found = [this](const ComparedRunsPtr& compared) { take(compared); };
    if (activitiesOf(m_runs) <= kAtOnce)
        return m_matching.runAtOnce(work, found);
    for (std::size_t i = 1; i < m_sides.size(); ++i)
        m_sides[i]->tell(tr("The operations are being matched..."), warningOf(i));
    m_matching.run(this, work, found);
}

/// Null: memory was lacking.
void FullComparison::take(const ComparedRunsPtr& found) {
    m_found = found;
    for (std::size_t i = 0; found && i < m_sides.size(); ++i)
        m_sides[i]->canvas().overlay().setOutlined(found->outlinedOf(i, m_inUse));
    m_at.reset();
    for (std::size_t i = 1; i < m_sides.size(); ++i)
        m_sides[i]->tell(found ? sentence(comparison::operationChangesText(found->changesOf(i)))
                               : tr("There is too little memory to match the operations."),
                         warningOf(i));
    emit settled();
}

void FullComparison::use(std::size_t side) {
    if (std::exchange(m_inUse, side) == side)
        return;
    tellRuns();
    if (m_found)
        m_sides.front()->canvas().overlay().setOutlined(m_found->outlinedOf(0, m_inUse));
    m_at.reset();
}

void FullComparison::showPair(std::size_t side) {
    if (side > 0)
        use(side);
    const auto activity = m_sides[side]->canvas().selection().activity();
    m_pair->setText(activity && m_found ? textOfPair(*m_found, side, *activity, m_inUse) : QString());
    offerSelected(side);
}

/// To align all runs at what is selected, where all have it.
void FullComparison::offerSelected(std::size_t side) {
    const auto activity = m_sides[side]->canvas().selection().activity();
    std::vector<ActivityIndex> activities;
    for (std::size_t i = 0; activity && m_found && i < m_runs.size(); ++i)
        if (const auto there = i == side ? activity : m_found->partnerOf(side, *activity, i))
            activities.push_back(*there);
    if (activities.size() != m_runs.size())
        return;
    if (std::exchange(m_hasSelected, true))
        m_ways.pop_back();
    m_ways.push_back(alignedAt(m_runs, activities));
    if (m_alignment->count() < static_cast<int>(m_ways.size()))
        m_alignment->addItem(m_ways.back().name);
}

QString FullComparison::pairText() const {
    return m_pair->text();
}

ComparedPicture FullComparison::picture(PicturePart part) const {
    ComparedPicture picture{m_runs.front(), m_runs[m_inUse]};
    if (part == PicturePart::View)
        picture.parts = {m_sides.front()->canvas().viewport().visible(),
                         m_sides[m_inUse]->canvas().viewport().visible()};
    return picture;
}

/// Zooms to it and selects it in both; the largest first.
void FullComparison::stepDifference(int direction) {
    if (!m_found)
        return;
    const auto all = m_found->differences(m_inUse);
    if (all.empty())
        return m_pair->setText(
            tr("No operation and no idle time before one differs by a thousandth of the run."));
    const std::size_t last = all.size() - 1;
    const bool isAtEnd = m_at && *m_at == (direction > 0 ? last : 0);
    if (!isAtEnd)
        m_at = m_at ? *m_at + static_cast<std::size_t>(direction) : direction > 0 ? 0 : last;
    const comparison::OperationChange& change = *all[*m_at];
    const Interval place = m_found->placeOf(change, m_inUse);
    const Ns air = std::max<Ns>(place.length() / 4, 1000);
    m_views->show({place.begin - air, place.end + air});
    m_sides[change.before ? 0 : m_inUse]->canvas().select(change.before ? *change.before : *change.after);
    const QString where = isAtEnd ? tr("no other %1").arg(direction > 0 ? tr("behind it") : tr("before it"))
                                  : tr("%1 of %2").arg(*m_at + 1).arg(all.size());
    m_pair->setText(tr("Difference %1: %2").arg(where, m_pair->text()));
}

/// In large type, or a narrow window, the panel would take most of it. What a person has moved stays.
void FullComparison::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const int panel = std::min(m_panel->sizeHint().width(), width() * 2 / 5);
    if (!m_isMoved)
        m_middle->setSizes({width() - panel, panel});
}

void FullComparison::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_N)
        stepDifference(event->modifiers() & Qt::ShiftModifier ? -1 : 1);
    else if (event->key() == Qt::Key_Escape)
        emit backRequested();
    else
        QWidget::keyPressEvent(event);
}

} // namespace olab::ui
