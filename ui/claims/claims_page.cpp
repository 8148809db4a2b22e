#include "claims/claims_page.h"

#include "base/look_style.h"
#include "base/page_parts.h"
#include "pictures/painted.h"

#include <olab/claims/claim_results.h>
#include <olab/ui/format.h>
#include <olab/ui/theme.h>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QTabWidget>
#include <QTreeWidget>

namespace olab::ui {

namespace {

constexpr int kFirstNumber = 3; ///< the columns before it are words

QStringList headsOf() {
    return {QObject::tr("Call"),
            QObject::tr("Blocks"),
            QObject::tr("Host waits for"),
            QObject::tr("Host, median"),
            QObject::tr("Host, longest"),
            QObject::tr("Host, behind"),
            QObject::tr("Overlap, non-blocking"),
            QObject::tr("Overlap, blocking")};
}

/// A sign for each, so that the column is read without colour.
QString blocksText(claims::CallBlocks blocks) {
    constexpr const char* kSigns[] = {"○", "◔", "◑", "●"};
    return fromText(kSigns[static_cast<std::size_t>(blocks)]) + QLatin1Char(' ') +
           fromText(claims::callBlocksText(blocks));
}

QStringList cellsOf(const claims::CallRow& row) {
    return {fromText(row.name),
            blocksText(row.blocks),
            fromText(claims::hostWaitsText(row.waits)),
            durationText(static_cast<Ns>(row.host)),
            durationText(static_cast<Ns>(row.hostMax)),
            row.hostBehind ? durationText(static_cast<Ns>(*row.hostBehind)) : QStringLiteral("-"),
            percentLabel(row.overlap),
            row.blockingOverlap ? percentLabel(*row.blockingOverlap) : QStringLiteral("-")};
}

QString explanation() {
    return QObject::tr(
        "Each call was made between two kernels in two streams while the first kernel was running: how long "
        "the host was in it, and how much of the kernels ran side by side "
        "(overlap), of non-blocking and of blocking streams. \"Behind\" is a call in the stream of the "
        "running "
        "kernel; the host waits for what keeps it longer than the call takes alone.");
}

} // namespace

CallsView::CallsView(QWidget* parent)
    : QWidget(parent)
    , m_table(new QTreeWidget)
    , m_where(claimHeading({}))
    , m_says(wordsLabel(explanation()))
    , m_measure(new QPushButton(tr("Measure it here")))
    , m_save(new QPushButton(tr("Export..."))) {
    m_measure->setObjectName(QStringLiteral("callsMeasure"));
    m_save->setObjectName(QStringLiteral("callsExport"));
    setTip(*m_save, tr("As CSV, JSON, Markdown or a picture (PNG, SVG, PDF), by the ending of the name"));
    nameWidget(*m_table, "callsTable", tr("Which calls block what"));
    m_table->setHeaderLabels(headsOf());
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setAlternatingRowColors(true);
    auto* head = new QHBoxLayout;
    head->addWidget(m_where, 1);
    head->addWidget(m_measure);
    head->addWidget(m_save);
    auto* column = columnIn(this, {10, 6, 10, 6});
    column->addLayout(head);
    column->addWidget(m_says);
    column->addWidget(m_table, 1);
    new LookWatch(*this, [this] { fitColumns(); }); // in larger type
    connect(m_measure, &QPushButton::clicked, this, &CallsView::measureRequested);
    connect(m_save, &QPushButton::clicked, this, &CallsView::saveRequested);
}

void CallsView::setShown(const ClaimsShown& shown, bool onGpu, bool busy) {
    const claims::ClaimsResults* const results = shown.calls();
    m_where->setText(results ? whereText(*results) : tr("Nothing was measured yet."));
    m_measure->setEnabled(onGpu && !busy);
    setTip(*m_measure,
           onGpu ? tr("Runs the probe of these calls (experiment E09) on the GPU; it takes some seconds")
                 : tr("This needs a GPU: the simulator does not know which calls block"));
    m_save->setEnabled(results != nullptr);
    m_table->clear();
    if (results)
        for (const claims::CallRow& row : claims::callTable(*results)) {
            const QStringList cells = cellsOf(row);
            auto* item = new QTreeWidgetItem(m_table, cells);
            for (int i = kFirstNumber; i < static_cast<int>(cells.size()); ++i)
                item->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
            item->setData(
                0, Qt::AccessibleTextRole,
                tr("%1 blocks %2; the host waits for %3; %4 in the call")
                    .arg(cells[0], fromText(claims::callBlocksText(row.blocks)), cells[2], cells[3]));
        }
    fitColumns();
}

void CallsView::fitColumns() {
    for (int i = 0; i < m_table->columnCount(); ++i)
        m_table->resizeColumnToContents(i);
}

void CallsView::focusTable() {
    if (!m_table->currentItem() && m_table->topLevelItemCount() > 0)
        m_table->setCurrentItem(m_table->topLevelItem(0));
    m_table->setFocus(Qt::OtherFocusReason);
}

QByteArray callsFile(const claims::ClaimsResults& results, const QString& ending, bool dark) {
    const auto bytes = [](const std::string& text) {
        return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
    };
    if (ending == QLatin1String("csv"))
        return bytes(claims::callTableCsv(results));
    if (ending == QLatin1String("json"))
        return bytes(claims::callTableJson(results) + "\n");
    if (ending == QLatin1String("md"))
        return bytes(claims::callTableMarkdown(results));
    TablePicture picture{
        QObject::tr("Which CUDA calls block what"), whereText(results), explanation(), headsOf(), {}, dark};
    for (const claims::CallRow& row : claims::callTable(results))
        picture.rows << cellsOf(row);
    return tablePicture(picture, ending);
}

namespace {

constexpr int kListWidth = 560, kViewWidth = 440;

} // namespace

ClaimsPage::ClaimsPage(QWidget* parent)
    : QWidget(parent)
    , m_tabs(new QTabWidget)
    , m_list(new ClaimsList)
    , m_view(new ClaimView)
    , m_calls(new CallsView) {
    nameWidget(*this, "claims", tr("Claims"));
    connect(m_list, &ClaimsList::chosen, this, &ClaimsPage::refresh);
    auto* both = new QSplitter(Qt::Horizontal);
    both->addWidget(m_list);
    both->addWidget(m_view);
    both->setChildrenCollapsible(false);
    both->setSizes({kListWidth, kViewWidth});
    m_list->setMinimumWidth(180);
    m_view->setMinimumWidth(180);
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Claims, and the calls that block"));
    m_tabs->addTab(both, tr("Claims"));
    m_tabs->addTab(m_calls, tr("Calls that block"));
    auto* column = columnIn(this, {}, 0);
    column->addWidget(buildHead());
    column->addWidget(m_tabs, 1);
    m_foot = buildFoot();
    column->addWidget(m_foot);
    m_foot->hide();
    m_list->choose(claims::claimTable().front().id);
    refresh();
    for (const QKeySequence& keys : {QKeySequence(QKeySequence::Find), QKeySequence(Qt::Key_Slash)})
        connect(new QShortcut(keys, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut),
                &QShortcut::activated, this, [this] {
                    m_tabs->setCurrentIndex(0);
                    m_list->focusSearch();
                });
}

QWidget* ClaimsPage::buildHead() {
    auto* head = new QWidget;
    auto* row = rowIn(head, {10, 6, 10, 2});
    auto* says =
        lineLabel(tr("Claims about asynchronous CUDA: what is expected, what was measured"), {}, true);
    auto* back = makeButton(tr("Back"), QStringLiteral("claimsBack"));
    setTip(*back, tr("To the timeline, or the gallery where nothing is shown yet (Esc)"));
    connect(back, &QPushButton::clicked, this, &ClaimsPage::backRequested);
    row->addWidget(says, 1);
    row->addWidget(back);
    return head;
}

QWidget* ClaimsPage::buildFoot() {
    auto* foot = new QWidget;
    auto* row = rowIn(foot, {10, 4, 10, 4});
    m_bar = new QProgressBar;
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setMaximumWidth(200);
    m_bar->setAccessibleName(tr("Progress of the measurement"));
    m_doing = lineLabel();
    auto* cancel = makeButton(tr("Cancel"), QStringLiteral("claimsCancel"));
    connect(cancel, &QPushButton::clicked, this, &ClaimsPage::cancelRequested);
    row->addWidget(m_bar);
    row->addWidget(m_doing, 1);
    row->addWidget(cancel);
    return foot;
}

void ClaimsPage::refresh() {
    if (const claims::ClaimRow* claim = m_list->current())
        m_view->showClaim(*claim, m_shown, m_where);
}

void ClaimsPage::setShown(const ClaimsShown& shown) {
    m_shown = shown;
    m_list->setShown(shown);
    m_calls->setShown(m_shown, m_where.onGpu, m_where.busy);
    refresh();
}

void ClaimsPage::setWhere(const ClaimView::Where& where) {
    m_where = where;
    m_calls->setShown(m_shown, m_where.onGpu, m_where.busy);
    refresh();
}

void ClaimsPage::setProgress(double share, const QString& text) {
    m_foot->setVisible(!text.isEmpty());
    m_doing->setText(text);
    if (share >= 0 || text.isEmpty())
        m_bar->setValue(static_cast<int>(share * 1000));
}

bool ClaimsPage::choose(std::string_view claim) {
    m_tabs->setCurrentIndex(0);
    return m_list->choose(claim);
}

void ClaimsPage::showOnly(const std::vector<std::string>& claims) {
    m_tabs->setCurrentIndex(0);
    m_list->showOnly(claims);
}

void ClaimsPage::showCalls() {
    m_tabs->setCurrentIndex(1);
}

void ClaimsPage::focusFirst() {
    m_tabs->currentIndex() == 0 ? m_list->focusList() : m_calls->focusTable();
}

void ClaimsPage::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        return emit backRequested();
    QWidget::keyPressEvent(event);
}

} // namespace olab::ui
