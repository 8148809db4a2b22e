// The timeline and the window as a screen reader and a keyboard find them.
#include "canvas_fixture.h"
#include "patience.h"

#include <olab/sim/sim_backend.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_view.h>

#include <base/focus_ring.h>
#include <results/inspector.h>
#include <results/verdict_strip.h>
#include <timeline/accessibility/accessible_timeline.h>
#include <timeline/rows/timeline_rows.h>
#include <window/help.h>
#include <window/messages/messages.h>
#include <window/runs/runs.h>
#include <window/runs/verdict_band.h>

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTabWidget>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

struct Told {
    QAccessible::Event what;
    QString name;
};
std::vector<Told> g_told;

void hear(QAccessibleEvent* event) {
    if (QAccessibleInterface* about = event->accessibleInterface(); about && about->isValid())
        g_told.push_back({event->type(), about->text(QAccessible::Name)});
}

/// A canvas that has the focus, and one who listens to it.
struct Listened : CanvasOnScreen {
    explicit Listened(view::ViewDataPtr shown)
        : CanvasOnScreen(std::move(shown)) {
        canvas.activateWindow();
        (void)QTest::qWaitForWindowActive(&canvas, kPatience);
        canvas.setFocus();
        g_told.clear();
        before = tellAccessibleBy(hear);
    }
    ~Listened() { tellAccessibleBy(before); }
    QAccessibleInterface& reader() { return *QAccessible::queryAccessibleInterface(&canvas); }
    QAccessibleInterface* rowNamed(const QString& begin) {
        for (int i = 0; i < reader().childCount(); ++i)
            if (reader().child(i)->text(QAccessible::Name).startsWith(begin))
                return reader().child(i);
        return nullptr;
    }
    AccessibleTeller before = nullptr;
};

QString nameOf(QAccessibleInterface* about) {
    return about ? about->text(QAccessible::Name) : QStringLiteral("nothing");
}

QString lastFocus() {
    for (auto told = g_told.rbegin(); told != g_told.rend(); ++told)
        if (told->what == QAccessible::Focus)
            return told->name;
    return {};
}

struct SimulatedWindow {
    SimulatedWindow() {
        window.resize(1280, 720);
        window.show();
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window, kPatience);
        const QSignalSpy spy(&window, &MainWindow::recordingShown);
        window.run();
        ran = QTest::qWaitFor([&] { return spy.count() > 0 && !session.busy(); }, kPatience);
    }
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window{session, {.remember = false, .askBeforeClose = false}};
    bool ran = false;
};

/// Parts of another control, which has the name.
bool isPart(const QWidget& widget) {
    return widget.objectName().startsWith(QLatin1String("qt_")) || widget.focusProxy();
}

void eachAction(const QMenu& menu, const std::function<void(const QAction&)>& look) {
    for (const QAction* action : menu.actions()) {
        if (action->isSeparator())
            continue;
        look(*action);
        if (action->menu())
            eachAction(*action->menu(), look);
    }
}

} // namespace

TEST(Accessible, TheTimelineIsAListOfItsRows) {
    Listened t(smallShown());
    QAccessibleInterface& reader = t.reader();
    EXPECT_EQ(reader.role(), QAccessible::List);
    EXPECT_EQ(nameOf(&reader), QStringLiteral("Timeline"));
    EXPECT_TRUE(reader.text(QAccessible::Description).contains(QStringLiteral("simulated")));
    ASSERT_EQ(reader.childCount(), static_cast<int>(t.canvas.rows().layout().rows.size()));
    for (int i = 0; i < reader.childCount(); ++i) {
        QAccessibleInterface* row = reader.child(i);
        ASSERT_TRUE(row && row->isValid());
        EXPECT_FALSE(nameOf(row).isEmpty());
        EXPECT_EQ(row->role(), QAccessible::ListItem);
        EXPECT_EQ(row->parent(), &reader);
        EXPECT_EQ(reader.indexOfChild(row), i);
        EXPECT_EQ(reader.child(i), row) << "the same one each time";
        EXPECT_EQ(reader.childAt(row->rect().center().x(), row->rect().center().y()), row);
    }
    EXPECT_EQ(reader.child(reader.childCount()), nullptr);
    EXPECT_EQ(nameOf(t.rowNamed(QStringLiteral("copy H2D"))),
              QStringLiteral("copy H2D, GPU 0, 1 operation, busy 18 %"))
        << "100 of 550 us";
    EXPECT_EQ(nameOf(t.rowNamed(QStringLiteral("compute"))),
              QStringLiteral("compute, GPU 0, 2 operations, busy 36 %"));
}

TEST(Accessible, KeysMoveTheFocusAndSayWhere) {
    const view::ViewDataPtr shown = smallShown();
    shown->setAccount(nullptr); // which takes what two of them have in common for usual
    Listened t(shown);
    QTest::keyClick(&t.canvas, Qt::Key_Down, Qt::ControlModifier);
    QTest::keyClick(&t.canvas, Qt::Key_Down, Qt::ControlModifier);
    QAccessibleInterface* row = t.reader().focusChild();
    EXPECT_TRUE(nameOf(row).startsWith(QStringLiteral("compute"))) << qPrintable(nameOf(row));
    EXPECT_TRUE(row->state().focused && row->state().selected);
    EXPECT_EQ(lastFocus(), nameOf(row));
    QTest::keyClick(&t.canvas, Qt::Key_Period);
    QAccessibleInterface* first = t.reader().focusChild();
    EXPECT_EQ(nameOf(first),
              QStringLiteral("memset 16.0 MiB #1, 100 µs, stream 13, starts at 150 µs, waited 50.0 µs")
                  .replace(QStringLiteral("16.0 MiB"), QStringLiteral("16 MiB")));
    EXPECT_EQ(lastFocus(), nameOf(first));
    EXPECT_EQ(first->parent(), row);
    EXPECT_EQ(row->childCount(), 1);
    EXPECT_EQ(row->child(0), first);
    EXPECT_FALSE(row->state().focused) << "only one thing has the focus";
    EXPECT_EQ(first->text(QAccessible::Value), QStringLiteral("1 of 2 in compute"));
    EXPECT_FALSE(first->text(QAccessible::Description).isEmpty()) << "why it started then";
    const QPoint middle = t.canvas.mapFromGlobal(first->rect().center());
    EXPECT_EQ(t.canvas.map().activityAt(middle), t.canvas.selection().activity());
    QTest::keyClick(&t.canvas, Qt::Key_Period);
    EXPECT_TRUE(lastFocus().startsWith(QStringLiteral("kernel spin #2"))) << qPrintable(lastFocus());
    QTest::keyClick(&t.canvas, Qt::Key_BracketLeft);
    EXPECT_TRUE(lastFocus().startsWith(QStringLiteral("Idle for"))) << qPrintable(lastFocus());
    EXPECT_TRUE(lastFocus().contains(QStringLiteral("Nothing on compute")));
}

TEST(Accessible, TheMeasuredRangeIsSaidWithItsNumbers) {
    Listened t(smallShown());
    t.canvas.measure(Interval{1'000'000, 1'250'000});
    QAccessibleInterface* range = t.reader().child(t.reader().childCount() - 1);
    EXPECT_EQ(range->role(), QAccessible::Indicator);
    EXPECT_EQ(nameOf(range), QStringLiteral("Measured range of 250 µs, starts at 0 ns"));
    EXPECT_TRUE(range->text(QAccessible::Description).contains(QStringLiteral("copy H2D")));
    EXPECT_EQ(t.reader().focusChild(), range);
    const int children = t.reader().childCount();
    t.canvas.measure(std::nullopt);
    EXPECT_EQ(t.reader().childCount(), children - 1);
}

TEST(Accessible, ActionsDoWhatTheKeysDo) {
    Listened t(smallShown());
    auto* row = t.rowNamed(QStringLiteral("compute"))->actionInterface();
    ASSERT_NE(row, nullptr);
    row->doAction(QStringLiteral("Next operation"));
    EXPECT_EQ(t.canvas.selection().activity(), 1u);
    row->doAction(QStringLiteral("Next operation"));
    EXPECT_EQ(t.canvas.selection().activity(), 2u);
    row->doAction(QStringLiteral("Previous operation"));
    ASSERT_EQ(t.canvas.selection().activity(), 1u);
    t.reader().focusChild()->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    EXPECT_LT(t.canvas.viewport().visible().length(), 350'000) << "pressed: zoomed to it";
    t.canvas.fit();
    const Interval whole = t.canvas.viewport().visible();
    t.reader().actionInterface()->doAction(QAccessibleActionInterface::increaseAction());
    EXPECT_LT(t.canvas.viewport().visible().length(), whole.length());
    for (const QString& name : row->actionNames())
        EXPECT_TRUE(name == QAccessibleActionInterface::pressAction() ||
                    !row->keyBindingsForAction(name).isEmpty())
            << qPrintable(name);
}

TEST(Accessible, AFoldedGroupSaysSoAndItsRowsAreGone) {
    Listened t(smallShown());
    QAccessibleInterface* group = t.rowNamed(QStringLiteral("Streams"));
    ASSERT_NE(group, nullptr);
    EXPECT_TRUE(group->state().expandable && group->state().expanded);
    const QAccessible::Id stream = QAccessible::uniqueId(t.rowNamed(QStringLiteral("stream 13")));
    const int children = t.reader().childCount();
    group->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    EXPECT_TRUE(group->state().collapsed);
    EXPECT_EQ(t.reader().childCount(), children - 2);
    EXPECT_FALSE(QAccessible::accessibleInterface(stream)->isValid());
    t.canvas.setShown(randomShown(3, 40));
    EXPECT_EQ(t.reader().childCount(), static_cast<int>(t.canvas.rows().layout().rows.size()));
}

TEST(Accessible, AMillionActivitiesAreNoMillionChildren) {
    Listened t(randomShown(5, 100'000));
    EXPECT_LT(t.reader().childCount(), 40);
    t.canvas.setFocus();
    for (int i = 0; i < 50; ++i)
        QTest::keyClick(&t.canvas, Qt::Key_Period);
    int known = 0; // what was passed is not kept
    for (QAccessible::Id id = QAccessible::uniqueId(t.reader().focusChild()), back = 0; back < 200; ++back)
        known += QAccessible::accessibleInterface(id - back) ? 1 : 0;
    EXPECT_LT(known, 60);
}

TEST(Accessible, EverythingThatCanHaveTheFocusHasAName) {
    SimulatedWindow t;
    ASSERT_TRUE(t.ran);
    int looked = 0;
    for (QWidget* widget : t.window.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || isPart(*widget) || widget->window() != &t.window)
            continue;
        const QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(widget);
        EXPECT_FALSE(reader->text(QAccessible::Name).isEmpty())
            << widget->metaObject()->className() << ' ' << qPrintable(widget->objectName());
        ++looked;
    }
    EXPECT_GT(looked, 60);
}

TEST(Accessible, VerdictsAndTheStatusLineAreSentences) {
    SimulatedWindow t;
    ASSERT_TRUE(t.ran);
    const auto* strip = t.window.findChild<VerdictStrip*>();
    EXPECT_EQ(strip->accessibleName(), QStringLiteral("Verdicts, simulated"));
    EXPECT_TRUE(strip->accessibleDescription().contains(QStringLiteral("H2D and kernel: overlapped")));
    QStringList said;
    for (const QWidget* part : {static_cast<QWidget*>(t.window.findChild<StatusLine*>()),
                                static_cast<QWidget*>(t.window.findChild<VerdictBand*>())})
        for (QLabel* label : part->findChildren<QLabel*>())
            if (label->isVisible())
                said << QAccessible::queryAccessibleInterface(label)->text(QAccessible::Name);
    EXPECT_TRUE(said.contains(QStringLiteral("What is shown: SIMULATED"))) << qPrintable(said.join(';'));
    EXPECT_TRUE(said.join(' ').contains(QStringLiteral("records read")));
}

TEST(Accessible, TabGoesThroughTheWindowAsOneReadsItAndTheFocusIsSeen) {
    SimulatedWindow t;
    ASSERT_TRUE(t.ran);
    const auto* ring = t.window.findChild<FocusRing*>();
    ASSERT_NE(ring, nullptr);
    t.window.timeline().canvas().select(5);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return t.window.findChild<Inspector*>()->isVisible(); }, test::kPatience));
    std::vector<QWidget*> order;
    t.window.setFocus();
    for (int i = 0; i < 400; ++i) {
        QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &t.window, Qt::Key_Tab);
        QWidget* now = QApplication::focusWidget();
        ASSERT_NE(now, nullptr);
        if (std::ranges::find(order, now) != order.end())
            break;
        order.push_back(now);
        QCoreApplication::processEvents();
        EXPECT_EQ(ring->around(), now) << now->metaObject()->className();
        EXPECT_TRUE(t.window.rect().intersects(ring->geometry()));
    }
    const auto place = [&](const QWidget* part) {
        return std::ranges::find_if(order,
                                    [&](const QWidget* w) { return part == w || part->isAncestorOf(w); }) -
               order.begin();
    };
    const QWidget* parts[] = {t.window.findChild<VerdictStrip*>(), &t.window.form(),
                              &t.window.timeline().canvas(),       t.window.findChild<QTabWidget*>(),
                              t.window.findChild<Inspector*>(),    t.window.findChild<Runs*>()};
    for (std::size_t i = 0; i + 1 < std::size(parts); ++i)
        EXPECT_LT(place(parts[i]), place(parts[i + 1])) << i;
    EXPECT_LT(place(parts[5]), static_cast<std::ptrdiff_t>(order.size())) << "all of them are reached";
    QTest::mouseClick(&t.window.timeline().canvas(), Qt::LeftButton, {}, {300, 60});
    QCoreApplication::processEvents();
    EXPECT_EQ(ring->around(), nullptr) << "the mouse needs no frame";
}

TEST(Accessible, EveryActionHasItsLetterAndEveryShortcutIsListed) {
    SimulatedWindow t;
    QString listed;
    for (const KeyHelp& row : keyList())
        listed += QStringLiteral(" %1 ")
                      .arg(QLatin1String(row.keys))
                      .replace(QLatin1String(","), QLatin1String(" , "));
    int looked = 0;
    for (const QAction* top : t.window.menuBar()->actions()) {
        EXPECT_TRUE(top->text().contains('&')) << qPrintable(top->text());
        eachAction(*top->menu(), [&](const QAction& action) {
            EXPECT_TRUE(QString(action.text()).remove(QLatin1String("&&")).contains('&'))
                << qPrintable(action.text());
            for (const QKeySequence& key : action.shortcuts().mid(0, 1))
                EXPECT_TRUE(listed.contains(QStringLiteral(" %1 ").arg(key.toString())))
                    << qPrintable(key.toString());
            ++looked;
        });
    }
    EXPECT_GT(looked, 20);
}
