#include "window/pages.h"

#include "base/look_style.h"

#include <QTabBar>

namespace olab::ui {

namespace {

constexpr int kLowestPages = 130;
constexpr int kScrollBar = 16; // may stand beside what a page shows

} // namespace

Pages::Pages() {
    setDocumentMode(true);
    tabBar()->setObjectName(QLatin1String(LookStyle::kPages));
    setMinimumHeight(kLowestPages);
    connect(this, &QTabWidget::currentChanged, this, &Pages::askForHeight);
}

void Pages::add(Page page) {
    page.widget->setObjectName(QLatin1String(page.id));
    setTabVisible(addTab(page.widget, page.title), page.atOnce);
    m_table.push_back(std::move(page));
}

void Pages::setShown(const view::ViewDataPtr& shown) {
    for (const Page& page : m_table)
        if (page.show)
            page.show(shown);
}

void Pages::refine(const view::ViewDataPtr& after, bool judged) {
    for (const Page& page : m_table)
        if (page.refine && (judged || page.news == Page::News::Always))
            page.refine(after);
}

int Pages::placeOf(const QString& id) const {
    for (int i = 0; i < count(); ++i)
        if (widget(i)->objectName() == id)
            return i;
    return -1;
}

bool Pages::open(const QString& id) {
    const int place = placeOf(id);
    if (place < 0 || !isTabVisible(place))
        return false;
    emit opening();
    setCurrentIndex(place);
    return true;
}

void Pages::present(const char* id) {
    const int place = placeOf(QLatin1String(id));
    setTabVisible(place, true);
    open(QLatin1String(id));
    askForHeight(place);
}

void Pages::askForHeight(int place) {
    if (place < 0 || place >= static_cast<int>(m_table.size()))
        return;
    const Page& page = m_table[static_cast<std::size_t>(place)];
    if (page.wantedHeight)
        emit needsHeight(page.wantedHeight(width() - kScrollBar) + tabBar()->height());
    else
        emit heightFree();
}

void Pages::offer(const char* id, bool has) {
    const int place = placeOf(QLatin1String(id));
    if (!has && currentIndex() == place)
        setCurrentIndex(0);
    setTabVisible(place, has);
}

void Pages::bringIntoView(const char* id, std::string_view part) {
    m_table[static_cast<std::size_t>(placeOf(QLatin1String(id)))].bringIntoView(part);
}

void Pages::setTitle(const char* id, const QString& title) {
    setTabText(placeOf(QLatin1String(id)), title);
}

} // namespace olab::ui
