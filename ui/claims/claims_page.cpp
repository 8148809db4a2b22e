#include "claims/claims_page.h"

#include "base/elided_label.h"
#include "base/page_parts.h"

#include <olab/ui/view_style.h>

#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include <utility>

namespace olab::ui {

namespace {

constexpr int kListWidth = 560, kViewWidth = 440;

} // namespace

ClaimsPage::ClaimsPage(Wishes wishes, QWidget* parent)
    : QWidget(parent)
    , m_wishes(std::move(wishes))
    , m_tabs(new QTabWidget)
    , m_list(new ClaimsList([this](const claims::ClaimRow&) { refresh(); }))
    , m_view(new ClaimView(m_wishes.claim))
    , m_calls(new CallsView(m_wishes.calls)) {
    setObjectName(QStringLiteral("claims"));
    setAccessibleName(tr("Claims"));
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
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
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
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(10, 6, 10, 2);
    auto* says = new ElidedLabel(tr("Claims about asynchronous CUDA: what is documented, what was measured"));
    says->setFont(boldOf(says->font()));
    says->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* back = makeButton(tr("Back"), QStringLiteral("claimsBack"));
    setTip(*back, tr("To the timeline, or the gallery where nothing is shown yet (Esc)"));
    connect(back, &QPushButton::clicked, this, [this] { m_wishes.back(); });
    row->addWidget(says, 1);
    row->addWidget(back);
    return head;
}

QWidget* ClaimsPage::buildFoot() {
    auto* foot = new QWidget;
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(10, 4, 10, 4);
    m_bar = new QProgressBar;
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setMaximumWidth(200);
    m_bar->setAccessibleName(tr("Progress of the measurement"));
    m_doing = new ElidedLabel;
    m_doing->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* cancel = makeButton(tr("Cancel"), QStringLiteral("claimsCancel"));
    connect(cancel, &QPushButton::clicked, this, [this] { m_wishes.cancel(); });
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
        return m_wishes.back();
    QWidget::keyPressEvent(event);
}

} // namespace olab::ui
