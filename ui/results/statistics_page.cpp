#include "results/statistics_page.h"

#include "base/call_later.h"
#include "base/page_parts.h"

#include <olab/io/statistics_table.h>
#include <olab/ui/format.h>
#include <olab/ui/statistics_model.h>
#include <olab/ui/texts.h>
#include <olab/ui/theme.h>

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QShortcut>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

namespace olab::ui {

namespace {

constexpr int kTypingMs = 150; // neither each letter nor each move of a ruler is counted

using PartKind = view::StatisticsPart::Kind;
using StatisticsColumn = StatisticsModel::Column;
constexpr int kLeastStatisticsName = 164; // in usual type

/// As wide as what usually stands there.
void setSizes(QTableView& table, const ViewStyle& sizes) {
    table.verticalHeader()->setDefaultSectionSize(sizes.scaled(22));
    constexpr int kOther = 72;
    constexpr std::pair<StatisticsColumn, int> kWidths[] = {
        {StatisticsColumn::Share, 64},          {StatisticsColumn::Count, 60},
        {StatisticsColumn::Overlapped, 86},     {StatisticsColumn::Cause, 140},
        {StatisticsColumn::IterationTotal, 92}, {StatisticsColumn::IterationCount, 128}};
    for (int column = 0; column < StatisticsColumn::ColumnCount; ++column)
        table.setColumnWidth(column, sizes.scaled(kOther));
    for (const auto& [column, width] : kWidths)
        table.setColumnWidth(column, sizes.scaled(width));
}

} // namespace

StatisticsPage::StatisticsPage(QWidget* parent)
    : QWidget(parent)
    , m_model(new StatisticsModel(this))
    , m_table(new QTableView(this))
    , m_by(makeChoice(tr("Statistics of"), tr("What has a row each")))
    , m_part(makeChoice(tr("Part"), tr("What is counted; what reaches over an end counts with its part")))
    , m_eachNumber(new QCheckBox(tr("Each &number")))
    , m_filter(searchField(tr("Filter of the names"), tr("Filter by name"),
                           tr("Words that a name contains, in any order")))
    , m_said(makeLabel())
    , m_soon(new QTimer(this))
    , m_counter([this](view::CountedStatisticsPtr counted) {
        callLater(this, [this, counted = std::move(counted)] { take(counted); });
    }) {
    auto* column = columnIn(this, {}, 0);
    buildTop();
    buildTable();
    column->addWidget(m_table, 1);
    connectChoices();
    say();
}

StatisticsPage::~StatisticsPage() = default;

void StatisticsPage::buildTop() {
    for (const analysis::StatisticsGroupRow& row : analysis::statisticsGroups())
        m_by->addItem(fromText(row.label));
    for (const QString& part :
         {tr("Whole recording"), tr("Between the rulers"), tr("Typical iteration"), tr("Worst iteration")})
        m_part->addItem(part);
    auto* top = rowIn(nullptr, {8, 4, 8, 4}, 8);
    top->addWidget(m_by);
    top->addWidget(m_part);
    m_eachNumber->setObjectName(QStringLiteral("eachNumber"));
    setTip(*m_eachNumber,
           tr("A row for each of ranges whose names differ only in a number, such as the steps of "
              "a profiler; else they are one row: step *"));
    m_eachNumber->hide();
    top->addWidget(m_eachNumber);
    top->addWidget(m_filter, 1);
    top->addWidget(m_said);
    static_cast<QVBoxLayout*>(layout())->addLayout(top);
}

void StatisticsPage::buildTable() {
    showRows(*m_table, *m_model, tr("Statistics by name"));
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->sortByColumn(StatisticsColumn::Total, Qt::DescendingOrder);
    m_table->setSortingEnabled(true);
    setTip(*m_table,
           tr("A click outlines all of a name in the timeline, a double click shows the longest of them"));
    m_name = new NameColumn(*m_table, StatisticsColumn::Name, kLeastStatisticsName);
    resizeColumns();
}

void StatisticsPage::resizeColumns() {
    setSizes(*m_table, ViewStyle::of(font()));
    m_name->fit(true);
}

void StatisticsPage::showMenu(const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addEntry(*menu, tr("Copy &table as CSV"), this, &StatisticsPage::copyAll)
        ->setEnabled(m_model->rowCount() > 0);
    addEntry(*menu, tr("Copy &name"), this, &StatisticsPage::copyName)
        ->setEnabled(m_table->currentIndex().isValid());
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

void StatisticsPage::connectChoices() {
    m_soon->setSingleShot(true);
    m_soon->setInterval(kTypingMs);
    connect(m_soon, &QTimer::timeout, this, &StatisticsPage::count);
    connect(m_by, qOverload<int>(&QComboBox::currentIndexChanged), this, &StatisticsPage::recount);
    connect(m_by, qOverload<int>(&QComboBox::currentIndexChanged), this, [this](int by) {
        m_eachNumber->setVisible(by == static_cast<int>(analysis::StatisticsGroup::Range));
    });
    connect(m_eachNumber, &QCheckBox::toggled, this, &StatisticsPage::recount);
    connect(m_part, qOverload<int>(&QComboBox::currentIndexChanged), this, &StatisticsPage::recount);
    auto* typing = new QTimer(this);
    typing->setSingleShot(true);
    typing->setInterval(kTypingMs);
    connect(m_filter, &QLineEdit::textChanged, typing, qOverload<>(&QTimer::start));
    connect(typing, &QTimer::timeout, this, [this] { m_model->setFilter(m_filter->text()); });
    connect(m_model, &StatisticsModel::modelAboutToBeReset, this, &StatisticsPage::keepName);
    connect(m_model, &StatisticsModel::modelReset, this, &StatisticsPage::selectKept);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { choose(current); });
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, &StatisticsPage::showMenu);
    connect(m_table, &QTableView::activated, this, &StatisticsPage::longestRequested);
    auto* find = new QShortcut(QKeySequence::Find, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, m_filter, qOverload<>(&QWidget::setFocus));
}

void StatisticsPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        resizeColumns();
}

void StatisticsPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isOld)
        count();
}

void StatisticsPage::setShown(const view::ViewDataPtr& shown) {
    m_shown = shown;
    m_steady = nullptr;
    m_model->setCounted(nullptr);
    m_kept.clear();
    recount();
}

void StatisticsPage::recount() {
    m_isOld = true;
    if (isVisible())
        count();
    else
        m_counter.stop();
}

void StatisticsPage::setRange(std::optional<Interval> range) {
    if (range == m_range)
        return;
    m_range = range;
    if (part().kind != PartKind::Range)
        return;
    m_isOld = true;
    if (isVisible())
        m_soon->start();
}

view::StatisticsPart StatisticsPage::part() const {
    return {static_cast<PartKind>(m_part->currentIndex()), m_range.value_or(Interval{})};
}

void StatisticsPage::count() {
    m_isOld = false;
    m_isCounting = m_shown && !lacksRange();
    if (!m_isCounting) {
        m_counter.stop();
        m_model->setCounted(nullptr);
        return;
    }
    say();
    m_counter.count({m_shown, static_cast<analysis::StatisticsGroup>(m_by->currentIndex()), part(),
                     m_shown->steadyState() ? nullptr : m_steady, ++m_request, m_eachNumber->isChecked()});
}

/// What comes may be of before: of another recording or another choice.
void StatisticsPage::take(const view::CountedStatisticsPtr& counted) {
    if (!m_isCounting || counted->request != m_request)
        return;
    m_isCounting = false;
    m_steady = counted->steady;
    m_model->setCounted(counted);
    fitColumns();
}

void StatisticsPage::fitColumns() {
    for (int column = 0; column < StatisticsColumn::ColumnCount; ++column)
        m_table->setColumnHidden(column, m_model->rowCount() > 0 && !m_model->saysSomething(column));
    m_name->fit();
}

QString StatisticsPage::saidOfAll() const {
    const view::CountedStatisticsPtr& found = m_model->counted();
    if (!found->missing.empty())
        return sentence(found->missing);
    const auto shown = static_cast<std::uint64_t>(m_model->rowCount());
    const std::uint64_t all = found->statistics.rows.size();
    return shown == all ? counted("%n names", "%n name", all)
                        : counted("%1 of %n names", "%1 of %n name", all).arg(countText(shown));
}

QString StatisticsPage::saidOfRow(int row) const {
    const analysis::StatisticsRow& chosen = m_model->rowAt(row);
    return tr("%1 like this, %2 in all").arg(countText(chosen.count), durationText(chosen.total));
}

void StatisticsPage::say() {
    const QModelIndex current = m_table->currentIndex();
    QString said;
    if (m_isCounting)
        said = tr("Counting...");
    else if (m_shown && lacksRange())
        said = tr("Set two rulers in the timeline (M)");
    else if (m_model->counted())
        said = current.isValid() ? saidOfRow(current.row()) : saidOfAll();
    m_said->setText(cutText(said, kLongestLine));
}

void StatisticsPage::keepName() {
    if (const QModelIndex current = m_table->currentIndex(); current.isValid())
        m_kept = m_model->rowAt(current.row()).name;
}

/// A name that was selected stays so in another order and part; what the timeline shows stays, too.
void StatisticsPage::selectKept() {
    const int row = m_kept.empty() ? -1 : m_model->rowOf(m_kept);
    if (row >= 0) {
        m_isRestoring = true;
        m_table->setCurrentIndex(m_model->index(row, 0));
        m_isRestoring = false;
    }
    say();
}

void StatisticsPage::choose(const QModelIndex& current) {
    say();
    if (current.isValid() && m_model->counted() && !m_isRestoring)
        emit activitiesChosen(
            m_model->counted()->statistics.activitiesOf(m_shown->trace(), m_model->numberAt(current.row())));
}

void StatisticsPage::copyAll() const {
    QGuiApplication::clipboard()->setText(exactText(io::statisticsToCsv(m_model->shownPart())));
}

void StatisticsPage::copyName() const {
    if (const QModelIndex current = m_table->currentIndex(); current.isValid())
        QGuiApplication::clipboard()->setText(exactText(m_model->rowAt(current.row()).name));
}

} // namespace olab::ui
