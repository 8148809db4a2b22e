#include "results/bookmarks_page.h"

#include "base/page_parts.h"

#include <olab/ui/format.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QTreeWidget>

namespace olab::ui {

namespace {

enum BookmarkColumn { Number, At, Lasts, RowName, Note };
constexpr qsizetype kNoteLetters = 400; // of a line in the list

QTreeWidgetItem* itemOf(const io::Bookmark& bookmark, std::size_t number, Ns zero) {
    const Ns lasts = bookmark.time.length();
    const QString note = noteText(bookmark.note);
    auto* item = new QTreeWidgetItem;
    item->setText(Number, QString::number(number));
    item->setText(At, durationText(bookmark.time.begin - zero));
    item->setText(Lasts, lasts > 0 ? durationText(lasts) : QString());
    item->setText(RowName, fromText(bookmark.row));
    item->setText(Note, cutText(note.simplified(), kNoteLetters));
    setTip(*item, Note, note);
    for (const int column : {Number, At, Lasts})
        item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

} // namespace

BookmarksPage::BookmarksPage(BookmarkDesk& desk, BookmarkTools& tools, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_tools(tools)
    , m_list(buildList())
    , m_hint(makeLabel(tr("No bookmarks yet. Press B in the timeline: it marks what is picked there, or the "
                          "middle of the view."))) {
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    auto* column = columnIn(this, {}, 0);
    column->addWidget(m_list, 1);
    column->addWidget(m_hint, 1);
    column->addLayout(buildFoot());
    for (QAction* action : tools.actions()) // the keys of the timeline work here, too
        addAction(action);
    connect(&desk, &BookmarkDesk::listChanged, this, &BookmarksPage::fill);
    connect(&desk, &BookmarkDesk::inUseChanged, this, &BookmarksPage::followInUse);
    fill();
}

QTreeWidget* BookmarksPage::buildList() {
    auto* list = new QTreeWidget;
    list->setAccessibleName(tr("Bookmarks"));
    setTip(*list, tr("Double click or Enter goes there, F2 edits the note, Delete removes it"));
    list->setHeaderLabels({tr("No."), tr("At"), tr("Lasts"), tr("Row"), tr("Note")});
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setAlternatingRowColors(true);
    list->setFrameShape(QFrame::NoFrame);
    const int widths[] = {48, 110, 100, 170};
    for (int i = 0; i < static_cast<int>(std::size(widths)); ++i)
        list->setColumnWidth(i, widths[i]);
    const auto placeOf = [list](QTreeWidgetItem* item) {
        return static_cast<std::size_t>(list->indexOfTopLevelItem(item));
    };
    connect(list, &QTreeWidget::currentItemChanged, this, [this, placeOf](QTreeWidgetItem* item) {
        if (item)
            m_desk.use(placeOf(item));
    });
    connect(list, &QTreeWidget::itemActivated, this,
            [this, placeOf](QTreeWidgetItem* item) { m_tools.goTo(placeOf(item)); });
    auto* copyKey = new QShortcut(QKeySequence::Copy, list, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copyKey, &QShortcut::activated, this, &BookmarksPage::copy);
    return list;
}

QLayout* BookmarksPage::buildFoot() {
    auto* foot = rowIn(nullptr, {8, 3, 8, 3});
    m_copy = new QPushButton(tr("Copy as text"));
    setTip(*m_copy, tr("Copies all bookmarks with their notes, one to a line (Ctrl+C in the list)"));
    connect(m_copy, &QPushButton::clicked, this, &BookmarksPage::copy);
    foot->addStretch(1);
    foot->addWidget(m_copy);
    return foot;
}

void BookmarksPage::fill() {
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    QList<QTreeWidgetItem*> items;
    if (const view::ViewDataPtr& shown = m_desk.shown())
        for (const io::Bookmark& bookmark : m_desk.list())
            items << itemOf(bookmark, static_cast<std::size_t>(items.size()) + 1, shown->zero());
    for (QTreeWidgetItem* item : items)
        item->setSizeHint(Number, {0, m_list->fontMetrics().height() + 8});
    m_list->addTopLevelItems(items);
    m_list->setVisible(!items.empty());
    m_hint->setVisible(items.empty());
    m_copy->setEnabled(!items.empty());
    followInUse();
}

void BookmarksPage::followInUse() {
    const QSignalBlocker quiet(m_list);
    const auto place = m_desk.inUse();
    QTreeWidgetItem* item = place ? m_list->topLevelItem(static_cast<int>(*place)) : nullptr;
    m_list->setCurrentItem(item);
    if (item)
        m_list->scrollToItem(item);
}

void BookmarksPage::copy() {
    QGuiApplication::clipboard()->setText(m_tools.text());
}

} // namespace olab::ui
