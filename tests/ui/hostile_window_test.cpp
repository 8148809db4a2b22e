// The window with a recording whose every string is markup, acts, or is a megabyte long: what a person sees
// is its letters. All widgets, tooltips, names for screen readers, menus and models are walked in every
// state.
#include "../hostile_recording.h"
#include "patience.h"
#include "window_states.h"

#include <olab/trace/trace_builder.h>
#include <olab/trace/visible_text.h>
#include <olab/ui/timeline_view.h>

#include <gallery/gallery_card.h>
#include <gallery/gallery_page.h>
#include <timeline/input/canvas_menu.h>
#include <timeline/rows/row_layout.h>
#include <timeline/rows/timeline_rows.h>
#include <timeline/search/search_bar.h>
#include <window/runs/runs.h>
#include <window/window_parts.h>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QHeaderView>
#include <QHelpEvent>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QToolTip>

#include <gtest/gtest.h>

#include <fstream>
#include <set>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

constexpr qsizetype kLongestShown = 20'000; // of anything that is laid out; a name has a million letters

/// Its first tag is one that Qt takes for rich text; the file it names is none that would fill the memory of
/// whoever breaks this.
std::string markup() {
    std::string text = "<img src=\"/dev/zero\"><h1>forged</h1> reduce<s>(int) " + hostileText();
    for (std::size_t at; (at = text.find("/dev/zero")) != std::string::npos;)
        text.replace(at, 9, "/no/such.png");
    return text;
}

view::ViewDataPtr shownOf(const std::string& text, SourceKind source) {
    TraceBuilder builder;
    addHostileRecords(builder, source, text);
    return std::make_shared<const view::ViewData>(recording::makeRecording(
        {builder.finish(), nullptr, std::nullopt, hostileBookmarks(text)}, text, false));
}

/// Markup as the file wrote it, where Qt would obey it.
bool holdsTags(const QString& html) {
    static const QRegularExpression tags(QStringLiteral("<(img|h1|script|/script|s>)"));
    return html.contains(tags);
}

bool acts(const QString& text) {
    static const QRegularExpression bad(QStringLiteral(
        "[\\x{00}-\\x{08}\\x{0b}-\\x{1f}\\x{7f}-\\x{9f}\\x{61c}\\x{200e}\\x{200f}\\x{202a}-\\x{202e}"
        "\\x{2066}-\\x{2069}\\x{ffff}]"));
    return text.contains(bad);
}

class Walk {
public:
    explicit Walk(QString state)
        : m_state(std::move(state)) {}

    void all() {
        for (QWidget* widget : QApplication::allWidgets())
            look(*widget);
    }
    std::size_t seen() const { return m_seen; }

    void look(QWidget& widget) {
        const QString what = QLatin1String(widget.metaObject()->className()) + QLatin1Char(' ') +
                             widget.objectName() + QLatin1Char(' ') + widget.accessibleName().left(40);
        plain(what, widget.accessibleName() + widget.accessibleDescription());
        plain(what, widget.windowTitle());
        tip(what + " tooltip", widget.toolTip());
        tip(what + " status tip", widget.statusTip() + widget.whatsThis());
        if (const auto* label = qobject_cast<const QLabel*>(&widget))
            label->textFormat() == Qt::PlainText ? plain(what, label->text()) : tip(what, label->text());
        if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
            plain(what, button->text());
        if (const auto* browser = qobject_cast<const QTextBrowser*>(&widget))
            document(what, *browser->document());
        if (const auto* tabs = qobject_cast<const QTabWidget*>(&widget))
            for (int i = 0; i < tabs->count(); ++i) {
                plain(what, tabs->tabText(i));
                tip(what, tabs->tabToolTip(i));
            }
        const auto* view = qobject_cast<const QAbstractItemView*>(&widget);
        if (view && view->model() && !qobject_cast<const QHeaderView*>(view)) // its model is the table's
            model(what, *view->model());
        for (const QAction* action : widget.actions())
            look(what, *action);
    }

    void look(const QString& where, const QAction& action) {
        const QString what = where + " action " + action.text().left(40);
        plain(what, action.text());
        tip(what, action.toolTip());
        const auto at = action.text().indexOf("<b>&");
        EXPECT_TRUE(at < 0 || action.text().mid(at + 3, 2) == "&&") << said(what) << ": no mnemonic";
    }

    void tip(const QString& what, const QString& text) {
        plain(what, text);
        const bool rich = Qt::mightBeRichText(text);
        EXPECT_FALSE(rich && holdsTags(text)) << said(what) << ": " << qPrintable(text.left(200));
    }

    void plain(const QString& what, const QString& text) {
        m_seen += text.contains("<img") || text.contains("&lt;img");
        EXPECT_FALSE(acts(text)) << said(what) << ": " << qPrintable(text.left(200));
        EXPECT_LE(text.size(), kLongestShown) << said(what);
    }

private:
    std::string said(const QString& what) const { return (m_state + ": " + what).toStdString(); }

    void document(const QString& what, const QTextDocument& shown) {
        plain(what, shown.toPlainText());
        EXPECT_FALSE(shown.toHtml().contains("<img")) << said(what);
        for (QTextBlock block = shown.begin(); block.isValid(); block = block.next())
            EXPECT_NE(block.text(), QLatin1String("forged")) << said(what);
    }
    void model(const QString& what, const QAbstractItemModel& items) {
        for (int row = 0; row < std::min(items.rowCount(), 12); ++row)
            for (int column = 0; column < items.columnCount(); ++column) {
                const QModelIndex at = items.index(row, column);
                plain(what + " item", at.data(Qt::DisplayRole).toString());
                tip(what + " item's tooltip", at.data(Qt::ToolTipRole).toString());
                plain(what + " item", at.data(Qt::AccessibleTextRole).toString());
            }
    }

    QString m_state;
    std::size_t m_seen = 0;
};

/// Counts what any document asks for, and gives it a picture of its own: nothing is read.
class Requests {
public:
    Requests() {
        QTextDocument::setDefaultResourceProvider([this](const QUrl& url) {
            m_asked << url.toString();
            return QVariant(QImage(1, 1, QImage::Format_RGB32));
        });
    }
    ~Requests() { QTextDocument::setDefaultResourceProvider({}); }
    const QStringList& asked() const { return m_asked; }

private:
    QStringList m_asked;
};

void walkAccessible(Walk& walk, QAccessibleInterface* node, int depth = 0) {
    if (!node || depth > 4)
        return;
    walk.plain("accessible", node->text(QAccessible::Name) + node->text(QAccessible::Description));
    for (int i = 0; i < std::min(node->childCount(), 60); ++i)
        walkAccessible(walk, node->child(i), depth + 1);
}

/// What it shows when it is pointed at has been shown before: a widget of Qt's own, of which nothing is new.
bool isKnown(const QWidget& widget) {
    static std::set<std::pair<const QWidget*, QString>> seen;
    const auto* label = qobject_cast<const QLabel*>(&widget);
    const bool isItems = qobject_cast<const QAbstractItemView*>(widget.parentWidget()) != nullptr;
    const bool isOurs = QByteArray(widget.metaObject()->className()).startsWith("olab::");
    const QString words = widget.toolTip() + (label ? label->text() : widget.accessibleName());
    return !isItems && !isOurs && !seen.insert({&widget, words}).second;
}

/// The tooltip of each widget that can be seen.
void hoverWidgets(StatefulWindow& w, Walk& walk) {
    for (QWidget* widget : w.window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || isKnown(*widget))
            continue;
        const QPoint middle = widget->rect().center();
        QHelpEvent help(QEvent::ToolTip, middle, widget->mapToGlobal(middle));
        QCoreApplication::sendEvent(widget, &help);
        walk.tip("tip shown by " + QLatin1String(widget->metaObject()->className()), QToolTip::text());
    }
    QToolTip::hideText();
}

/// The card of each op that is drawn, of the name of each row, and of places where nothing is; the same
/// whatever page is in front.
std::size_t hoverLanes(StatefulWindow& w, const QString& state) {
    Walk walk(state);
    TimelineCanvas& canvas = w.window.timeline().canvas();
    std::vector<QPoint> places;
    for (const Row* row : canvas.rows().layout().inView(canvas.rows().scroll(), canvas.height()))
        for (const int x : {10, canvas.gutter() + 5, canvas.width() / 2, canvas.width() - 5})
            places.emplace_back(x, canvas.rows().layout().screenTop(*row, canvas.rows().scroll()) +
                                       row->height / 2);
    for (ActivityIndex i = 0; i < w.window.shown()->trace().size(); ++i)
        for (const QRect& rect : canvas.map().rectsOf(i))
            places.push_back(rect.center());
    for (const QPoint& place : places)
        if (canvas.rect().contains(place)) {
            QTest::mouseMove(&canvas, place);
            walk.tip("card", QToolTip::text());
        }
    QToolTip::hideText();
    return walk.seen();
}

std::size_t walkAll(StatefulWindow& w, const QString& state) {
    StatefulWindow::settle();
    Walk walk(state);
    walk.all();
    hoverWidgets(w, walk);
    walk.all(); // with what Qt keeps of the last tooltip
    walkAccessible(walk, QAccessible::queryAccessibleInterface(&w.window));
    walkAccessible(walk, QAccessible::queryAccessibleInterface(&w.window.timeline().canvas()));
    return walk.seen();
}

void walkMenus(StatefulWindow& w) {
    TimelineCanvas& canvas = w.window.timeline().canvas();
    const Trace& trace = w.window.shown()->trace();
    for (ActivityIndex i = 0; i < std::min<std::size_t>(trace.size(), 8); ++i) {
        QMenu menu;
        addOpActions(menu, canvas, i);
        Walk walk("menu of an op");
        walk.look(menu);
        EXPECT_FALSE(menu.actions().isEmpty());
        for (const QAction* entry : menu.actions())
            EXPECT_FALSE(entry->toolTip().contains(QLatin1Char('\t')) ||
                         entry->toolTip().contains(QLatin1String("&amp;&amp;")))
                << "signs of the menu in its tip: " << qPrintable(entry->toolTip());
    }
}

void walkSelections(StatefulWindow& w) {
    TimelineCanvas& canvas = w.window.timeline().canvas();
    const Trace& trace = w.window.shown()->trace();
    std::set<ActivityClass> done;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (done.insert(trace.cls(i)).second) {
            canvas.select(i);
            EXPECT_GT(walkAll(w, "an op is selected"), 10u);
        }
    canvas.setFocus();
    canvas.select(done.size());
    QTest::keyClick(&canvas, Qt::Key_BracketRight);
    walkAll(w, "a gap is selected");
    canvas.measure(Interval{2'000'000, 9'000'000});
    walkAll(w, "a range is measured");
    hoverLanes(w, "a range is measured");
    canvas.measure(std::nullopt);
}

void walkPages(StatefulWindow& w) {
    for (const char* page : kPages) {
        EXPECT_TRUE(w.window.showPage(QLatin1String(page)));
        walkAll(w, QLatin1String(page));
    }
}

} // namespace

TEST(HostileWindow, WhatAFileSaysIsTextEverywhere) {
    const Requests requests;
    for (const SourceKind source : {SourceKind::Imported, SourceKind::Simulated}) {
        StatefulWindow w;
        const view::ViewDataPtr shown = shownOf(markup(), source);
        emit w.session.ready(shown);
        EXPECT_GT(walkAll(w, "shown"), 10u) << "the file's text is seen at all";
        EXPECT_GT(hoverLanes(w, "shown"), 5u) << "in the cards, too";
        walkPages(w);
        walkSelections(w);
        walkMenus(w);
        w.window.findChild<SearchBar*>()->openWith(QStringLiteral("\"<img\""));
        walkAll(w, "search");
        const view::ViewDataPtr second = shownOf("<img src='x'>" + markup(), source);
        second->setLabel({markup(), markup() + "\nsecond line"});
        emit w.session.ready(second);
        w.window.parts().runs.compared(shown, second);
        walkAll(w, "two compared");
        hoverLanes(w, "two compared");
        auto* runs = w.window.findChild<Runs*>();
        QMenu menu;
        runs->fillMenu(menu, shown->run);
        Walk("menu of a run").look(menu);
        for (const QAction* entry : menu.actions())
            EXPECT_FALSE(entry->toolTip().contains(QLatin1Char('\t'))) << qPrintable(entry->toolTip());
        runs->editNote(second->run);
        walkAll(w, "a note is edited");
        w.window.findChild<QDialog*>(QStringLiteral("runNote"))->close();
        const std::string text = markup();
        emit w.session.failed({ErrorKind::Usage, text, text, text}, true);
        emit w.session.started(QString::fromStdString(text));
        emit w.session.progressed(0.5, QString::fromStdString(text));
        walkAll(w, "an error");
    }
    EXPECT_TRUE(requests.asked().isEmpty()) << qPrintable(requests.asked().join('\n'));
}

TEST(HostileWindow, TheGalleryShowsTextOfFiles) {
    const Requests requests;
    const QTemporaryDir folder;
    recording::saveRecording(*shownOf(markup(), SourceKind::Imported)->recording,
                             (folder.path() + "/a<img src='x'>&b-<b>x.olab").toStdString());
    std::ofstream((folder.path() + "/bad-<h1>forged<.olab").toStdString()) << markup();
    GalleryPage gallery(folder.path());
    gallery.resize(900, 3000);
    gallery.show();
    const auto cards = gallery.cards();
    ASSERT_GE(cards.size(), 2u);
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return std::ranges::any_of(cards, &GalleryCard::hasPicture); }, kPatience));
    gallery.setBack(QString::fromStdString(visibleText(markup())));
    Walk walk("gallery");
    walk.all();
    EXPECT_GT(walk.seen(), 1u);
    EXPECT_TRUE(requests.asked().isEmpty());
}

TEST(HostileWindow, ANameOfAMegabyteIsCutAndTheWindowStaysAsItIs) {
    std::string text = "<b>";
    while (text.size() < 1'000'000)
        text += "void reduce<s>&";
    StatefulWindow w;
    const int before = w.window.minimumSizeHint().width();
    emit w.session.ready(shownOf(text, SourceKind::Simulated));
    w.window.timeline().canvas().select(1);
    walkPages(w);
    w.window.parts().runs.compared(w.window.shown(), w.window.shown());
    walkAll(w, "long names");
    EXPECT_LE(w.window.minimumSizeHint().width(), before + 400) << "no name makes the window wider";
}
