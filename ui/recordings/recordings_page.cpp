// How the page of recordings is built; recordings_page_rows.cpp: what comes into it.
#include "recordings/recordings_page.h"

#include "base/page_parts.h"
#include "recordings/column_chooser.h"

#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QTableView>

#include <algorithm>
#include <utility>

namespace olab::ui {

namespace {

constexpr int kTypingMs = 150;

QComboBox* pageChoice(const char* name, const QString& accessible, const QString& tip) {
    QComboBox* choice = makeChoice(accessible, tip);
    choice->setObjectName(QLatin1String(name));
    return choice;
}

} // namespace

RecordingsPage::RecordingsPage(QWidget* parent)
    : QWidget(parent)
    , m_reader(new RecordingsReader(this))
    , m_worker(new TableWorker(this))
    , m_model(new RecordingsModel(this))
    , m_table(new QTableView)
    , m_chart(new HistoryChart(*m_model))
    , m_soon(new QTimer(this))
    , m_typing(new QTimer(this)) {
    nameWidget(*this, "recordings", tr("Table of recordings"));
    auto* column = columnIn(this, {0, 0, 0, 6}, 4);
    column->addWidget(buildHead());
    column->addWidget(buildChoices());
    auto* halves = new QSplitter(Qt::Vertical);
    halves->setChildrenCollapsible(false);
    halves->addWidget(buildTable());
    halves->addWidget(m_history = buildHistory());
    halves->setStretchFactor(0, 1);
    halves->setSizes({700, 260});
    column->addWidget(halves, 1);
    connect(m_chart, &HistoryChart::chosen, this, &RecordingsPage::choose);
    connect(m_chart, &HistoryChart::opened, this, [this](std::size_t number) {
        choose(number);
        openSelected();
    });
    connectParts();
    m_model->begin(survey::namedColumns());
    arrangeColumns();
    showStanding();
}

/// The threads end before what they read.
RecordingsPage::~RecordingsPage() {
    delete m_reader;
    delete m_worker;
}

QWidget* RecordingsPage::buildHead() {
    auto* head = new QWidget;
    auto* row = rowIn(head, {10, 6, 10, 2});
    m_title = lineLabel(tr("Recordings"), QStringLiteral("recordingsTitle"), true);
    row->addWidget(m_title, 1);
    m_open = makeButton(tr("Open"), QStringLiteral("recordingsOpen"),
                        tr("The marked recordings, each as a run (Enter, double click)"),
                        [this] { openSelected(); });
    m_asOne = makeButton(tr("As one view"), QStringLiteral("recordingsAsOne"),
                         tr("The marked recordings in one view, aligned in time: ranks of one run"),
                         [this] { emit mergeRequested(selectedFiles()); });
    m_columns = makeButton(tr("Columns..."), QStringLiteral("recordingsColumnsButton"),
                           tr("Any number of the report as a column"), [this] { chooseColumns(); });
    m_save = makeButton(tr("Export..."), QStringLiteral("recordingsSave"),
                        tr("The rows that are shown, in this order, as CSV or JSON lines: what olab analyze "
                           "--csv and --json-lines write"),
                        [this] { emit saveRequested(); });
    m_again = makeButton(tr("Stop"), QStringLiteral("recordingsAgain"),
                         tr("Stops reading, or reads all of it again"),
                         [this] { isRunning() ? stop() : read(m_places); });
    for (QPushButton* button : {m_open, m_asOne, m_columns, m_save, m_again})
        row->addWidget(button);
    row->addWidget(makeButton(tr("Back"), QStringLiteral("recordingsBack"),
                              tr("To the timeline, else the gallery (Esc)"),
                              [this] { emit backRequested(); }));
    return head;
}

QWidget* RecordingsPage::buildChoices() {
    auto* choices = new QWidget;
    auto* row = rowIn(choices, {10, 0, 10, 0});
    m_filter = searchField(
        tr("Filter of the recordings"), tr("Filter: simulated pageable nightly"),
        tr("Words that a row contains, in any order: file, program, machine, origin, date, cause, verdict"));
    m_filter->setObjectName(QStringLiteral("recordingsFilter"));
    m_only = pageChoice("recordingsOnly", tr("Which rows"),
                        tr("Outliers are numbers far from those of the same program on the same machine: 3.5 "
                           "deviations (by the median deviation) and 2 % of the median, of five or more"));
    m_said = lineLabel({}, QStringLiteral("recordingsSaid"));
    m_bar = new QProgressBar;
    m_bar->setAccessibleName(tr("Recordings judged"));
    m_bar->setTextVisible(false);
    m_bar->setMaximumWidth(160);
    row->addWidget(m_filter, 2);
    row->addWidget(m_only);
    row->addWidget(m_said, 3);
    row->addWidget(m_bar);
    return choices;
}

QWidget* RecordingsPage::buildTable() {
    m_table->setObjectName(QStringLiteral("recordingsTable"));
    showRows(*m_table, *m_model, tr("Recordings"));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionsMovable(true);
    m_table->sortByColumn(RecordingsModel::FixedCount, Qt::DescendingOrder);
    m_table->setSortingEnabled(true);
    return m_table;
}

QWidget* RecordingsPage::buildHistory() {
    auto* lower = new QWidget;
    auto* column = columnIn(lower, {0, 4, 0, 0}, 2);
    auto* row = rowIn(nullptr, {10, 0, 10, 0});
    m_numbers = pageChoice("recordingsNumber", tr("Number of the history"),
                           tr("Which number the history shows; sorting by a number chooses it, too"));
    m_groups = pageChoice("recordingsGroup", tr("Program and machine of the history"),
                          tr("Recordings belong together if the same program ran on the same machine; a row "
                             "that is marked chooses its own"));
    m_numbers->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_groups->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_words = lineLabel({}, QStringLiteral("recordingsHistoryWords"));
    row->addWidget(makeLabel(tr("History of")));
    row->addWidget(m_numbers);
    row->addWidget(makeLabel(tr("in")));
    row->addWidget(m_groups, 3);
    column->addLayout(row);
    auto* words = rowIn(nullptr, {10, 0, 10, 0});
    words->addWidget(m_words);
    column->addLayout(words);
    column->addWidget(m_chart, 1);
    return lower;
}

void RecordingsPage::connectParts() {
    m_soon->setSingleShot(true);
    m_typing->setSingleShot(true);
    m_typing->setInterval(kTypingMs);
    connect(m_reader, &RecordingsReader::found, this, &RecordingsPage::takeFound);
    connect(m_reader, &RecordingsReader::waiting, this, &RecordingsPage::takeRows);
    connect(m_reader, &RecordingsReader::ended, this, &RecordingsPage::readEnded);
    connect(m_soon, &QTimer::timeout, this, &RecordingsPage::applyRows);
    connect(m_worker, &TableWorker::idle, this, &RecordingsPage::applyRows);
    connect(m_filter, &QLineEdit::textChanged, m_typing, qOverload<>(&QTimer::start));
    connect(m_typing, &QTimer::timeout, this,
            [this] { keepingCurrent([this] { m_model->setFilter(m_filter->text()); }); });
    connect(m_only, &QComboBox::activated, this, [this](int which) {
        keepingCurrent([this, which] { m_model->setOnly(static_cast<RecordingsModel::Only>(which)); });
    });
    connect(m_table, &QTableView::activated, this, [this] { openSelected(); });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] { showState(); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &RecordingsPage::rowChosen);
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, [this](int section) {
        if (section < RecordingsModel::FixedCount)
            return;
        m_wish.column = static_cast<std::size_t>(section - RecordingsModel::FixedCount);
        followHistory();
    });
    connect(m_numbers, &QComboBox::activated, this, [this](int which) {
        m_wish.column = m_numberColumns[static_cast<std::size_t>(which)];
        followHistory();
    });
    connect(m_groups, &QComboBox::activated, this, [this](int which) {
        std::tie(m_wish.program, m_wish.machine) = m_groupNames[static_cast<std::size_t>(which)];
        m_wish.isChosen = true;
        followHistory();
    });
    for (const QKeySequence& key : {QKeySequence(QKeySequence::Find), QKeySequence(Qt::Key_Slash)})
        connect(new QShortcut(key, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut),
                &QShortcut::activated, m_filter, qOverload<>(&QWidget::setFocus));
}

/// What is read first stands first; where and when comes behind the numbers.
void RecordingsPage::arrangeColumns() {
    QHeaderView& header = *m_table->horizontalHeader();
    using Column = RecordingsModel::Column;
    int place = 0;
    const auto put = [&](int section) { header.moveSection(header.visualIndex(section), place++); };
    for (const int section : {int{Column::File}, int{Column::Note}, int{Column::Origin}})
        put(section);
    const std::vector<survey::Column>& columns = m_model->all()->columns;
    for (const char* const pointer : {"/bounds/measured_ns", "/bounds/ideal_ns", "/survey/lost_ns"})
        if (const auto at = std::ranges::find(columns, pointer, &survey::Column::pointer);
            at != columns.end())
            put(Column::FixedCount + static_cast<int>(at - columns.begin()));
    const std::vector<survey::Column> named = survey::namedColumns();
    for (int section = Column::FixedCount; section < m_model->columnCount(); ++section) // what a person added
        if (std::ranges::find(named, columns[static_cast<std::size_t>(section - Column::FixedCount)]) ==
            named.end())
            put(section);
    for (int section = Column::FixedCount; section < m_model->columnCount(); ++section)
        if (header.visualIndex(section) >= place)
            put(section);
    resizeColumns();
}

void RecordingsPage::resizeColumns() {
    const ViewStyle sizes = ViewStyle::of(font());
    m_table->verticalHeader()->setDefaultSectionSize(sizes.scaled(22));
    using Column = RecordingsModel::Column;
    constexpr int kNumber = 84;
    constexpr std::pair<Column, int> kWidths[]{{Column::File, 240},    {Column::Note, 190},
                                               {Column::Origin, 82},   {Column::Date, 160},
                                               {Column::Program, 260}, {Column::Machine, 190}};
    for (const auto& [column, width] : kWidths)
        m_table->setColumnWidth(column, sizes.scaled(width));
    for (std::size_t i = 0; i < m_model->all()->columns.size(); ++i) {
        const std::string& pointer = m_model->all()->columns[i].pointer;
        const int width = pointer.ends_with("/causes/0/id")                          ? 150
                          : pointer == "/survey/pair"                                ? 120
                          : pointer == "/survey/hidden_share" || pointer.size() > 30 ? 104
                                                                                     : kNumber;
        m_table->setColumnWidth(Column::FixedCount + static_cast<int>(i), sizes.scaled(width));
    }
}

void RecordingsPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        resizeColumns();
}

void RecordingsPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape)
        return QWidget::keyPressEvent(event);
    isRunning() ? stop() : emit backRequested();
}

void RecordingsPage::chooseColumns() {
    auto* chooser = new ColumnChooser(m_model->all()->columns, m_reader->numbers(), this);
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    connect(chooser, &QDialog::accepted, this, [this, chooser] { setColumns(chooser->columns()); });
    chooser->open();
}

void RecordingsPage::focusTable() {
    m_table->setFocus(Qt::OtherFocusReason);
}

} // namespace olab::ui
