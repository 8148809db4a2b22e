#include "window/pages.h"

#include "base/look_style.h"
#include "base/page_parts.h"

#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

namespace olab::ui {

namespace {

constexpr int kLowestPages = 130;
constexpr int kScrollBar = 16; // may stand beside what a page shows

} // namespace

Pages::Pages() {
    setDocumentMode(true);
    tabBar()->setObjectName(QLatin1String(LookStyle::kPages));
    setMinimumHeight(kLowestPages);
    auto* corner = new QWidget;
    rowIn(corner, {0, 0, 8, 0}, 0);
    setCornerWidget(corner);
    connect(this, &QTabWidget::currentChanged, this, [this] {
        arrange();
        askForHeight();
    });
}

QStackedWidget* Pages::tabOf(const QString& title) {
    for (int i = 0; i < count(); ++i)
        if (tabText(i) == title)
            return static_cast<QStackedWidget*>(widget(i));
    auto* tab = new QStackedWidget;
    addTab(tab, title);
    return tab;
}

void Pages::add(Page page, const QString& tab) {
    page.widget->setObjectName(QLatin1String(page.id));
    QStackedWidget* const in = tabOf(tab);
    in->addWidget(page.widget);
    auto* button = new QToolButton;
    button->setText(page.title);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->hide();
    cornerWidget()->layout()->addWidget(button);
    connect(button, &QToolButton::clicked, this, [this, id = page.id] { open(QLatin1String(id)); });
    const bool offered = page.atOnce;
    m_rows.push_back({std::move(page), in, button, offered});
    arrange();
}

/// A tab is there with its first page, a button where there is a choice.
void Pages::arrange() {
    for (int i = 0; i < count(); ++i) {
        const auto isIn = [tab = widget(i)](const Row& row) { return row.tab == tab && row.offered; };
        const auto pages = std::ranges::count_if(m_rows, isIn);
        setTabVisible(i, pages > 0);
        for (const Row& row : m_rows)
            if (row.tab == widget(i)) {
                row.button->setVisible(row.offered && pages > 1 && i == currentIndex());
                row.button->setChecked(row.tab->currentWidget() == row.page.widget);
            }
    }
}

void Pages::setShown(const view::ViewDataPtr& shown) {
    for (const Row& row : m_rows)
        if (row.page.show)
            row.page.show(shown);
}

void Pages::refine(const view::ViewDataPtr& after, bool judged) {
    for (const Row& row : m_rows)
        if (row.page.refine && (judged || row.page.news == Page::News::Always))
            row.page.refine(after);
}

const Pages::Row* Pages::find(const QString& id) const {
    const auto found = std::ranges::find_if(m_rows, [&](const Row& row) {
        return id == QLatin1String(row.page.id) || id == QLatin1String(row.page.also);
    });
    return found == m_rows.end() ? nullptr : &*found;
}

bool Pages::open(const QString& id) {
    const Row* const row = find(id);
    if (!row || !row->offered)
        return false;
    emit opening();
    row->tab->setCurrentWidget(row->page.widget);
    setCurrentWidget(row->tab);
    arrange();
    askForHeight();
    return true;
}

void Pages::present(const char* id) {
    find(QLatin1String(id))->offered = true;
    arrange();
    open(QLatin1String(id));
}

void Pages::askForHeight() {
    const auto inFront = std::ranges::find_if(m_rows, [this](const Row& row) {
        return row.tab == currentWidget() && row.tab->currentWidget() == row.page.widget;
    });
    if (inFront == m_rows.end())
        return;
    if (inFront->page.wantedHeight)
        emit needsHeight(inFront->page.wantedHeight(width() - kScrollBar) + tabBar()->height());
    else
        emit heightFree();
}

void Pages::offer(const char* id, bool has) {
    Row& row = *find(QLatin1String(id));
    row.offered = has;
    if (!has && row.tab->currentWidget() == row.page.widget) {
        const auto other = std::ranges::find_if(
            m_rows, [&](const Row& each) { return each.tab == row.tab && each.offered; });
        if (other != m_rows.end())
            row.tab->setCurrentWidget(other->page.widget);
        else if (currentWidget() == row.tab)
            setCurrentIndex(0);
    }
    arrange();
}

void Pages::bringIntoView(const char* id, std::string_view part) {
    find(QLatin1String(id))->page.bringIntoView(part);
}

void Pages::setTitle(const char* id, const QString& title) {
    find(QLatin1String(id))->button->setText(title);
}

void Pages::setTabTitle(const char* id, const QString& title) {
    setTabText(indexOf(find(QLatin1String(id))->tab), title);
}

} // namespace olab::ui
