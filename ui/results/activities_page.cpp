#include "results/activities_page.h"

#include "base/page_parts.h"
#include "timeline/search/search.h"

#include <olab/ui/activities_model.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QShortcut>
#include <QTableView>
#include <QTimer>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kLeastName = 104; // in usual type
constexpr int kTypingMs = 150;  // a large recording is not filtered for each letter

/// As wide as what usually stands there; names may be longer.
void setSizes(QTableView& table, const ViewStyle& sizes) {
    table.verticalHeader()->setDefaultSectionSize(sizes.scaled(22));
    using Column = ActivitiesModel::Column;
    constexpr std::pair<Column, int> kWidths[] = {
        {Column::Number, 52}, {Column::Class, 108},    {Column::Name, kLeastName}, {Column::Where, 112},
        {Column::Begin, 104}, {Column::Duration, 112}, {Column::Waited, 88},       {Column::Cause, 110},
        {Column::Engine, 84}, {Column::Bytes, 72},     {Column::Rate, 76},
    };
    int place = 0;
    for (const auto& [column, width] : kWidths) {
        const int title = table.horizontalHeader()->sectionSizeHint(column);
        table.setColumnWidth(column, std::max(sizes.scaled(width), title));
        table.horizontalHeader()->moveSection(table.horizontalHeader()->visualIndex(column), place++);
    }
}

} // namespace

ActivitiesPage::ActivitiesPage(QWidget* parent)
    : QWidget(parent)
    , m_model(new ActivitiesModel(this))
    , m_filter(searchField(tr("Filter of the activities"),
                           tr("Filter: kernel > 1ms    h2d stream 14    because null-stream    #17"),
                           SearchQuery::help()))
    , m_count(makeLabel()) {
    auto* top = rowIn(nullptr, {8, 4, 8, 4}, 8);
    top->addWidget(m_filter, 1);
    top->addWidget(m_count);
    auto* column = columnIn(this, {}, 0);
    column->addLayout(top);
    column->addWidget(buildTable(), 1);
    auto* typing = new QTimer(this);
    typing->setSingleShot(true);
    typing->setInterval(kTypingMs);
    connect(m_filter, &QLineEdit::textChanged, typing, qOverload<>(&QTimer::start));
    connect(typing, &QTimer::timeout, this, [this] { m_model->setFilter(m_filter->text()); });
    connect(m_model, &ActivitiesModel::modelReset, this, &ActivitiesPage::sayCount);
    auto* find = new QShortcut(QKeySequence::Find, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, m_filter, qOverload<>(&QWidget::setFocus));
    sayCount();
}

QTableView* ActivitiesPage::buildTable() {
    auto* table = m_table = new QTableView(this);
    showRows(*table, *m_model, tr("Activities"));
    m_name = new NameColumn(*table, ActivitiesModel::Name, kLeastName);
    table->sortByColumn(ActivitiesModel::Begin, Qt::AscendingOrder);
    table->setSortingEnabled(true);
    setTip(*table, tr("A click shows an activity in the timeline"));
    resizeColumns();
    for (const auto chosen : {&QTableView::clicked, &QTableView::activated})
        connect(table, chosen, this,
                [this](const QModelIndex& index) { emit activityChosen(m_model->activityAt(index.row())); });
    return table;
}

void ActivitiesPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        resizeColumns(); // the table hears of it later
}

void ActivitiesPage::resizeColumns() {
    if (!m_table)
        return;
    setSizes(*m_table, ViewStyle::of(font()));
    m_name->fit(true);
}

void ActivitiesPage::setShown(const view::ViewDataPtr& shown) {
    m_model->setShown(shown);
}

void ActivitiesPage::sayCount() {
    const auto shown = static_cast<std::uint64_t>(m_model->rowCount());
    const auto all = static_cast<std::uint64_t>(m_model->total());
    if (!m_model->problem().isEmpty())
        m_count->setText(cutText(shownText(m_model->problem()), kLongestLine));
    else
        m_count->setText(shown == all ? countText(all)
                                      : tr("%1 of %2").arg(countText(shown), countText(all)));
}

} // namespace olab::ui
