// Which panels stand beside what is shown, what a person chose, the timeline alone, and whose settings and
// answers the window shows.
#include "patience.h"
#include "test_places.h"
#include "window_states.h"

#include <olab/experiment/presets.h>
#include <olab/ui/activities_model.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <experiment/experiment_panel.h>
#include <gallery/gallery_page.h>
#include <lessons/lessons_page.h>
#include <results/compare_page.h>
#include <results/fix_page.h>
#include <results/headline_line.h>
#include <results/inspector.h>
#include <results/summary_lines.h>
#include <results/verdict_strip.h>
#include <window/jobs.h>
#include <window/messages/message_bars.h>
#include <window/messages/messages.h>
#include <window/pages.h>
#include <window/panel_rules.h>
#include <window/rail.h>
#include <window/runs/runs.h>
#include <window/window_layout.h>
#include <window/window_parts.h>

#include <QAction>
#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QScrollArea>
#include <QSet>
#include <QSettings>
#include <QSplitter>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

using namespace olab;
using namespace olab::ui;
using olab::test::StatefulWindow;

namespace {

constexpr QSize kWide(1600, 900), kNarrow(960, 540);

QWidget& right(StatefulWindow& t) {
    return *t.window.findChild<QSplitter*>(QStringLiteral("columns"))->widget(2);
}
bool formSeen(StatefulWindow& t) {
    return t.window.form().isVisible();
}
void press(StatefulWindow& t, Qt::Key key, Qt::KeyboardModifiers with = Qt::NoModifier) {
    QTest::keyClick(t.window.focusWidget() ? t.window.focusWidget() : &t.window, key, with);
    StatefulWindow::settle();
}
QString whose(StatefulWindow& t) {
    const auto* label = t.window.findChild<QLabel*>(QStringLiteral("whose"));
    return label->isHidden() ? QString() : label->text();
}
bool openFile(StatefulWindow& t, const QString& path) {
    const view::ViewDataPtr before = t.window.shown();
    t.window.open(path);
    const bool came =
        QTest::qWaitFor([&] { return t.window.shown() != before && !t.session.busy(); }, test::kPatience);
    StatefulWindow::settle();
    return came;
}
bool hasTab(StatefulWindow& t, const char* id) {
    return t.window.parts().pages.offers(id);
}
bool findFix(StatefulWindow& t) {
    t.window.parts().jobs.findFix();
    const bool ended = QTest::qWaitFor([&] { return !t.session.busy(); }, test::kPatience);
    StatefulWindow::settle();
    return ended;
}

/// Of another tool: it does not say with which settings it was made.
bool openForeign(StatefulWindow& t, const char* name = "trace.json") {
    static const QTemporaryDir folder;
    const QString path = folder.filePath(QLatin1String(name));
    std::ofstream(path.toStdString())
        << R"({"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, )"
           R"("tid": 7, "ts": 100, "dur": 100, "args": {"device": 0, "context": 1, "stream": 7}}]})";
    return openFile(t, path);
}

} // namespace

// --- the form

TEST(Panels, TheFormNeedsNoBarBelowItAtItsUsualWidth) {
    StatefulWindow t(kWide);
    ASSERT_TRUE(t.run());
    auto* form = t.window.findChild<ExperimentForm*>();
    const auto* scroll = qobject_cast<QScrollArea*>(form->parentWidget()->parentWidget());
    ASSERT_TRUE(formSeen(t) && scroll);
    EXPECT_LE(form->minimumSizeHint().width(), scroll->viewport()->width());
}

// --- the rules

TEST(PanelRules, APanelStandsWhereItHasSomethingToSayAndRoom) {
    const PanelFacts small{1280, 2, true, true}, wide{1600, 2, true, true}, tiny{960, 2, true, true};
    EXPECT_FALSE(standsByItself(Part::Form, Scene::Gallery, small));
    EXPECT_TRUE(standsByItself(Part::Form, Scene::Gallery, wide));
    for (const PanelFacts& facts : {small, wide, tiny}) {
        EXPECT_FALSE(standsByItself(Part::Form, Scene::Foreign, facts)) << "it has no settings";
        EXPECT_FALSE(standsByItself(Part::Form, Scene::Lesson, facts));
        EXPECT_FALSE(standsByItself(Part::Form, Scene::Reading, facts));
        EXPECT_FALSE(standsByItself(Part::Right, Scene::Reading, facts));
        EXPECT_TRUE(standsByItself(Part::Form, Scene::Experiment, facts));
        EXPECT_TRUE(standsByItself(Part::Form, Scene::Live, facts));
        EXPECT_FALSE(standsByItself(Part::Right, Scene::Live, facts)) << "it would be of another run";
        EXPECT_TRUE(standsByItself(Part::Right, Scene::Foreign, facts));
        EXPECT_TRUE(standsByItself(Part::Right, Scene::Foreign, {facts.width, 1, true, true}));
        EXPECT_TRUE(standsByItself(Part::Right, Scene::Foreign, {facts.width, 2, true, false}));
        for (const Scene scene : {Scene::Foreign, Scene::Recording, Scene::Experiment, Scene::Lesson})
            EXPECT_FALSE(standsByItself(Part::Right, scene, {facts.width, 1, true, false}))
                << "nothing is chosen, one run is on the screen anyway";
        EXPECT_TRUE(standsByItself(Part::Pages, Scene::Foreign, facts));
    }
    EXPECT_FALSE(standsByItself(Part::Right, Scene::Lesson, small)) << "rows and verdicts need the room";
    EXPECT_TRUE(standsByItself(Part::Right, Scene::Lesson, wide));
    EXPECT_TRUE(standsByItself(Part::Form, Scene::Recording, small));
    EXPECT_FALSE(standsByItself(Part::Form, Scene::Recording, tiny));
    EXPECT_FALSE(standsByItself(Part::Right, Scene::Gallery, {1600, 0, false})) << "the list is empty";
    EXPECT_TRUE(standsByItself(Part::Right, Scene::Gallery, {1600, 1, true}));
}

TEST(PanelRules, AChoiceIsOfOneSceneAndGoesWhenItIsWhatHappensAnyway) {
    PanelChoices choices;
    choices.choose(Part::Form, Scene::Foreign, true, false);
    EXPECT_EQ(choices.chosen(Part::Form, Scene::Foreign), true);
    EXPECT_EQ(choices.chosen(Part::Form, Scene::Gallery), std::nullopt);
    choices.choose(Part::Pages, Scene::Foreign, false, true);
    EXPECT_EQ(choices.chosen(Part::Pages, Scene::Recording), false) << "below every timeline";
    EXPECT_EQ(PanelChoices::fromJson(choices.toJson()), choices);
    choices.choose(Part::Form, Scene::Foreign, false, false);
    EXPECT_EQ(choices.chosen(Part::Form, Scene::Foreign), std::nullopt);
    EXPECT_EQ(PanelChoices::fromJson("{\"form.gallery\":3, 7"), PanelChoices());
}

// --- in the window

TEST(Panels, TheGalleryHasTheWidthUnlessTheWindowIsWide) {
    StatefulWindow t;
    t.window.showGallery();
    StatefulWindow::settle();
    EXPECT_FALSE(formSeen(t));
    EXPECT_FALSE(right(t).isVisible());
    t.window.resize(kWide);
    StatefulWindow::settle();
    EXPECT_TRUE(formSeen(t));
    EXPECT_FALSE(right(t).isVisible()) << "nothing is inspected, no run is there";
    t.window.showPage(QStringLiteral("claims"));
    StatefulWindow::settle();
    EXPECT_FALSE(formSeen(t));
}

TEST(Panels, OfAForeignTraceTheFormFoldsAndComesBackAsWideWithARecording) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("full-grid-h200"));
    auto* columns = t.window.findChild<QSplitter*>(QStringLiteral("columns"));
    QList<int> sizes = columns->sizes();
    columns->setSizes({sizes[0] + 60, sizes[1] - 60, sizes[2]});
    sizes = columns->sizes();
    ASSERT_TRUE(openForeign(t));
    EXPECT_FALSE(formSeen(t));
    EXPECT_FALSE(t.window.findChild<Inspector*>()->isVisible()) << "nothing is chosen";
    ASSERT_TRUE(t.open("default-h200"));
    EXPECT_TRUE(formSeen(t));
    EXPECT_NEAR(columns->sizes()[0], sizes[0], 2) << "as wide as it was made";
}

TEST(Panels, TheInspectorComesWithWhatIsChosenAndStaysForThatRun) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("full-grid-h200"));
    const auto* inspector = t.window.findChild<Inspector*>();
    TimelineCanvas& canvas = t.window.timeline().canvas();
    EXPECT_FALSE(right(t).isVisible());
    const int wide = canvas.width();
    canvas.select(5);
    EXPECT_EQ(canvas.width(), wide) << "a second click is still on what the first was on";
    ASSERT_TRUE(QTest::qWaitFor([&] { return inspector->isVisible(); }, test::kPatience));
    canvas.select({});
    StatefulWindow::settle();
    EXPECT_TRUE(inspector->isVisible()) << "the view does not move under the pointer";
    ASSERT_TRUE(t.open("default-h200"));
    EXPECT_FALSE(inspector->isVisible());
    EXPECT_TRUE(t.window.findChild<Runs*>()->isVisible()) << "of two runs";
}

TEST(Panels, FiveTabsHoldAllPagesAndOldNamesLeadToThem) {
    StatefulWindow t;
    ASSERT_TRUE(t.compareTwo());
    Pages& pages = t.window.parts().pages;
    const std::pair<const char*, const char*> kTabOf[] = {
        {"findings", "Fix"},      {"ledger", "Fix"},        {"statistics", "Statistics"},
        {"charts", "Statistics"}, {"matrix", "Statistics"}, {"activities", "Operations"},
        {"compare", "Compare"},   {"contents", "Details"},  {"log", "Details"},
        {"code", "Details"},      {"bookmarks", "Details"}};
    QSet<QString> tabs;
    for (const auto& [id, tab] : kTabOf) {
        ASSERT_TRUE(t.window.showPage(QLatin1String(id))) << id;
        EXPECT_TRUE(pages.page(id).isVisible()) << id;
        const QString title = pages.tabText(pages.currentIndex());
        EXPECT_TRUE(title.startsWith(QLatin1String(tab))) << id << ' ' << title.toStdString();
        tabs.insert(title);
    }
    EXPECT_EQ(tabs.size(), 5);
    for (auto* button : pages.cornerWidget()->findChildren<QToolButton*>())
        if (button->text() == QStringLiteral("Log")) {
            EXPECT_TRUE(button->isVisible()) << "the tab of the page in front has it";
            button->click();
        }
    EXPECT_TRUE(pages.page("log").isVisible());
    ASSERT_TRUE(t.window.showPage(QStringLiteral("activities")));
    for (const auto* button : pages.cornerWidget()->findChildren<QToolButton*>())
        EXPECT_FALSE(button->isVisible()) << "one page, no choice";
}

TEST(Panels, TheRailBringsBackWhatIsHiddenAndLeadsToTheRooms) {
    StatefulWindow t;
    ASSERT_TRUE(openForeign(t));
    const auto* rail = t.window.findChild<Rail*>();
    ASSERT_TRUE(rail && rail->isVisible());
    const auto press = [&](const char* name) {
        for (auto* button : rail->findChildren<QToolButton*>())
            if (button->accessibleName() == QLatin1String(name))
                button->click();
        StatefulWindow::settle();
    };
    EXPECT_FALSE(formSeen(t));
    press("Experiment");
    EXPECT_TRUE(formSeen(t));
    press("Inspector");
    EXPECT_TRUE(t.window.findChild<Inspector*>()->isVisible());
    press("Pages");
    EXPECT_FALSE(t.window.parts().pages.isVisible());
    press("Pages");
    EXPECT_TRUE(t.window.parts().pages.isVisible());
    press("Gallery");
    EXPECT_TRUE(t.window.findChild<GalleryPage*>()->isVisible());
    press("Learn");
    EXPECT_TRUE(t.window.findChild<LessonsPage*>()->isVisible());
    for (const char* name : {"Open", "Sweep", "Live"})
        EXPECT_TRUE(std::ranges::any_of(rail->findChildren<QToolButton*>(), [&](const auto* button) {
            return button->accessibleName() == QLatin1String(name) && !button->icon().isNull();
        })) << name;
    t.window.setProjector(true);
    EXPECT_FALSE(rail->isVisible()) << "a class has no use for it";
}

TEST(Panels, WhatAPersonMovesWinsInThatSceneAndIsRemembered) {
    QSettings().clear();
    test::UsualLook look;
    Session session{{[] { return nullptr; }, {}}};
    const auto toggle = [](MainWindow& window, const QString& name) {
        for (QAction* action : window.findChildren<QAction*>())
            if (action->text().remove(QLatin1Char('&')) == name)
                action->trigger();
    };
    {
        MainWindow window(session, {.remember = true, .askBeforeClose = false, .keepToScreen = false});
        window.resize(1280, 720);
        window.show();
        window.showGallery();
        EXPECT_FALSE(window.form().isVisible());
        toggle(window, QStringLiteral("Experiment panel"));
        EXPECT_TRUE(window.form().isVisible());
        window.showPage(QStringLiteral("claims"));
        EXPECT_FALSE(window.form().isVisible()) << "nobody has chosen it there";
        window.showGallery();
        EXPECT_TRUE(window.form().isVisible());
        window.close();
    }
    MainWindow later(session, {.remember = true, .askBeforeClose = false, .keepToScreen = false});
    later.resize(1280, 720);
    later.show();
    later.showGallery();
    EXPECT_TRUE(later.form().isVisible());
    QSettings().clear();
}

TEST(Panels, OneKeyShowsTheTimelineAloneAndEscBringsAllBack) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("full-grid-h200"));
    const int before = t.window.timeline().canvas().height();
    t.window.timeline().canvas().setFocus();
    press(t, Qt::Key_F11);
    EXPECT_TRUE(t.window.parts().layout.alone());
    EXPECT_FALSE(formSeen(t));
    EXPECT_FALSE(right(t).isVisible());
    EXPECT_FALSE(t.window.parts().pages.isVisible());
    EXPECT_FALSE(t.window.findChild<VerdictStrip*>()->isVisible());
    EXPECT_FALSE(t.window.findChild<HeadlineLine*>()->isVisible());
    EXPECT_GT(t.window.timeline().canvas().height(), before + 150);
    press(t, Qt::Key_Escape);
    EXPECT_FALSE(t.window.parts().layout.alone());
    EXPECT_TRUE(formSeen(t));
    EXPECT_TRUE(t.window.parts().pages.isVisible());
    EXPECT_TRUE(t.window.findChild<VerdictStrip*>()->isVisible());
    EXPECT_TRUE(t.window.findChild<HeadlineLine*>()->isVisible());
    EXPECT_EQ(t.window.timeline().canvas().height(), before);
    press(t, Qt::Key_F11);
    press(t, Qt::Key_F11);
    EXPECT_FALSE(t.window.parts().layout.alone()) << "the same key";
    press(t, Qt::Key_F11);
    t.window.showPage(QStringLiteral("findings"));
    EXPECT_FALSE(t.window.parts().layout.alone()) << "a page was asked for";
    press(t, Qt::Key_F11);
    t.window.showGallery();
    t.window.resize(kNarrow);
    StatefulWindow::settle();
    EXPECT_FALSE(t.window.parts().layout.alone());
    press(t, Qt::Key_F11);
    EXPECT_TRUE(t.window.timeline().isVisible()) << "from the gallery to the lanes";
    EXPECT_TRUE(t.window.parts().layout.alone());
}

TEST(Panels, EscClosesTheMessagesAboveTheView) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("full-grid-h200"));
    t.window.timeline().canvas().setFocus();
    t.window.showError({ErrorKind::Usage, "test", "Something went wrong.", "Do it again."});
    EXPECT_EQ(t.window.errors().count(), 1);
    press(t, Qt::Key_Escape);
    EXPECT_EQ(t.window.errors().count(), 0);
    EXPECT_FALSE(t.window.errors().isVisible());
    t.window.parts().messages.notice().say(QStringLiteral("Something was found."));
    press(t, Qt::Key_Escape);
    EXPECT_FALSE(t.window.parts().messages.notice().isVisible());
}

TEST(Panels, NoBannerOutlivesItsPageAndOneStandsAtATime) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("full-grid-h200"));
    NoticeBar& notice = t.window.parts().messages.notice();
    notice.say(QStringLiteral("Something was found."));
    t.window.showGallery();
    EXPECT_TRUE(notice.isVisible()) << "nobody has read it yet";
    test::letPass(1100);
    t.window.showPage(QStringLiteral("claims"));
    EXPECT_FALSE(notice.isVisible()) << "it was of the page before";
    notice.say(QStringLiteral("Something was found."));
    t.window.showError({ErrorKind::Usage, "test", "Something went wrong.", "Do it again."});
    EXPECT_FALSE(notice.isVisible());
    test::letPass(1100);
    t.window.showGallery();
    EXPECT_EQ(t.window.errors().count(), 0);
}

TEST(Panels, ALongFileNameDoesNotWidenTheForm) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("default-h200"));
    auto* columns = t.window.findChild<QSplitter*>(QStringLiteral("columns"));
    const int wide = columns->sizes()[0];
    ASSERT_TRUE(
        openForeign(t, "a_trace_of_a_program_on_a_cluster_with_a_name_that_goes_on_and_on_00042.json"));
    const view::ViewDataPtr foreign = t.window.shown();
    press(t, Qt::Key_E, Qt::ControlModifier); // its experiment is named after it
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return t.window.shown() != foreign && !t.session.busy(); }, test::kPatience));
    StatefulWindow::settle();
    ASSERT_TRUE(formSeen(t));
    EXPECT_NEAR(columns->sizes()[0], wide, 2);
    experiment::HeldExperiment changed = t.window.form().experiment();
    experiment::setOption(changed, "streams=3");
    t.window.form().setExperiment(changed);
    StatefulWindow::settle();
    EXPECT_NEAR(columns->sizes()[0], wide, 2);
}

TEST(Panels, PagesOfWordsAreAsHighAsTheirWordsAndAsWideAsTheyStand) {
    StatefulWindow t;
    ASSERT_TRUE(t.compareTwo());
    ASSERT_TRUE(t.window.showPage(QStringLiteral("ledger")));
    StatefulWindow::settle();
    for (const char* id : {"ledger", "compare"}) {
        ASSERT_TRUE(t.window.showPage(QLatin1String(id)));
        StatefulWindow::settle();
        const auto* area = qobject_cast<QScrollArea*>(&t.window.parts().pages.page(id));
        ASSERT_TRUE(area && area->widget());
        EXPECT_LE(area->widget()->width(), area->viewport()->width()) << id << ": nothing is cut";
        int lowest = 0; // of what says something
        for (const QWidget* child : area->widget()->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
            if (child->isVisible())
                lowest = std::max(lowest, child->geometry().bottom());
        const int room = std::max(area->widget()->height(), area->viewport()->height());
        EXPECT_LE(area->widget()->height() - lowest, std::max(40, area->viewport()->height() - lowest))
            << id << ": it scrolls into blank space, " << room;
    }
}

TEST(Panels, NamesGetTheRoomOfTheTableOfActivities) {
    StatefulWindow t(kWide);
    ASSERT_TRUE(t.open("full-grid-h200"));
    ASSERT_TRUE(t.window.showPage(QStringLiteral("activities")));
    StatefulWindow::settle();
    const auto* table = t.window.parts().pages.page("activities").findChild<QTableView*>();
    ASSERT_TRUE(table);
    const int name = table->columnWidth(ActivitiesModel::Name);
    EXPECT_GT(name, 2 * table->columnWidth(ActivitiesModel::Rate));
    t.window.resize(kWide.width() + 200, kWide.height());
    StatefulWindow::settle();
    EXPECT_EQ(table->columnWidth(ActivitiesModel::Name), name + 200);
    const_cast<QTableView*>(table)->setColumnWidth(ActivitiesModel::Name, 150);
    t.window.resize(kWide);
    StatefulWindow::settle();
    EXPECT_EQ(table->columnWidth(ActivitiesModel::Name), 150) << "a person has set it";
}

TEST(Panels, BesideASimulatedRunStandsWhatAGpuDidWithTheSameSettings) {
    StatefulWindow t;
    t.window.form().setExperiment(experiment::findPreset("copy-bound")->experiment);
    ASSERT_TRUE(t.run());
    const auto* trust = t.window.findChild<TrustLine*>();
    EXPECT_TRUE(
        trust->text().contains(QStringLiteral("Recorded on an NVIDIA H200 the same settings took 139 ms")))
        << trust->text().toStdString();
    EXPECT_FALSE(trust->text().contains(QStringLiteral("accuracy unknown"))) << "it is known";
    EXPECT_TRUE(trust->toolTip().contains(QStringLiteral("D2H | kernel: recorded partial 36 %")))
        << trust->toolTip().toStdString();
    const view::ViewDataPtr before = t.window.shown();
    t.window.form().setExperiment(experiment::findPreset("default")->experiment);
    ASSERT_TRUE(t.run());
    t.window.parts().runs.compared(before, t.window.shown());
    QString words;
    for (const QLabel* label : t.window.comparison().findChildren<QLabel*>())
        words += label->text() + QLatin1Char('\n');
    EXPECT_TRUE(words.contains(QStringLiteral("Recorded on an NVIDIA H200: before 139 ms (simulated ")))
        << words.toStdString();
    ASSERT_TRUE(t.open("full-grid-h200"));
    EXPECT_FALSE(trust->text().contains(QStringLiteral("same settings"))) << "that is the recording";
}

TEST(Panels, WhileTheFormIsFoldedTheStatusBarSaysWhatRuns) {
    test::UsualLook look;
    QWidget form;
    BusyLine busy(form);
    busy.start(QStringLiteral("Opening a file"));
    EXPECT_FALSE(busy.isVisible()) << "most files are there at once";
    ASSERT_TRUE(QTest::qWaitFor([&] { return busy.isVisible(); }, test::kPatience));
    busy.setProgress(0.5, QStringLiteral("reading"));
    EXPECT_EQ(busy.findChild<QProgressBar*>()->value(), 500);
    EXPECT_EQ(busy.findChild<QLabel*>()->text(), QStringLiteral("reading"));
    form.show();
    busy.setProgress(0.6, {});
    EXPECT_FALSE(busy.isVisible()) << "the form says it";
    form.hide();
    busy.setProgress(0.7, {});
    EXPECT_TRUE(busy.isVisible());
    bool cancelled = false;
    QObject::connect(&busy, &BusyLine::cancelRequested, [&] { cancelled = true; });
    busy.findChild<QToolButton*>(QStringLiteral("busyCancel"))->click();
    EXPECT_TRUE(cancelled);
    busy.end();
    EXPECT_FALSE(busy.isVisible());
    busy.setProgress(0.8, {});
    EXPECT_FALSE(busy.isVisible());
}

// --- whose settings, whose answer

TEST(Whose, BesideRunTheFormSaysHowItDiffersFromTheRunShown) {
    StatefulWindow t;
    EXPECT_EQ(whose(t), QString());
    ASSERT_TRUE(t.open("full-grid-h200"));
    EXPECT_TRUE(whose(t).contains(QStringLiteral("recording. Run simulates"))) << whose(t).toStdString();
    experiment::HeldExperiment changed = t.window.form().experiment();
    experiment::setOption(changed, "streams=5");
    t.window.form().setExperiment(changed);
    EXPECT_TRUE(whose(t).contains(QStringLiteral("streams 2 → 5"))) << whose(t).toStdString();
    ASSERT_TRUE(openForeign(t));
    EXPECT_TRUE(whose(t).contains(QStringLiteral("has no settings"))) << whose(t).toStdString();
}

TEST(Whose, TheUntouchedFormFollowsTheRunThatIsChosenInTheList) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("full-grid-h200"));
    const experiment::HeldExperiment first = t.window.form().experiment();
    ASSERT_TRUE(t.open("pageable-h200"));
    ASSERT_NE(t.window.form().experiment(), first);
    t.window.parts().runs.setCurrentRow(1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.form().experiment() == first; }, test::kPatience));
}

TEST(Whose, F5ShowsSettingsThatNobodySeesBeforeItRunsThem) {
    StatefulWindow t;
    ASSERT_TRUE(openForeign(t));
    t.window.timeline().canvas().setFocus();
    ASSERT_FALSE(formSeen(t));
    press(t, Qt::Key_F5);
    EXPECT_FALSE(t.session.busy());
    EXPECT_TRUE(formSeen(t));
    EXPECT_TRUE(t.window.parts().messages.notice().text().contains(QStringLiteral("Ctrl+E")));
    const view::ViewDataPtr before = t.window.shown();
    press(t, Qt::Key_F5);
    EXPECT_TRUE(QTest::qWaitFor([&] { return t.window.shown() != before; }, test::kPatience));
}

TEST(Whose, TheFixIsOfTheRunShownSaysSoAndComesAndGoesWithIt) {
    StatefulWindow t;
    experiment::HeldExperiment pageable = experiment::findPreset("pageable")->experiment;
    experiment::setOption(pageable, "iterations=4");
    t.window.form().setExperiment(pageable);
    ASSERT_TRUE(t.run());
    const QString title = QStringLiteral("Run 1");
    experiment::HeldExperiment other = pageable;
    experiment::setOption(other, "streams=3");
    t.window.form().setExperiment(other); // edited, not run
    ASSERT_TRUE(findFix(t));
    ASSERT_TRUE(hasTab(t, "fix"));
    const auto* page = t.window.findChild<FixPage*>();
    QString words;
    for (const QLabel* label : page->findChildren<QLabel*>())
        words += label->text() + QLatin1Char('\n');
    EXPECT_TRUE(words.contains(QStringLiteral("For %1.").arg(title))) << words.toStdString();
    EXPECT_EQ(words.count(QStringLiteral("streams=3")), 0) << "not what the form has";
    ASSERT_TRUE(t.open("full-grid-h200"));
    EXPECT_FALSE(hasTab(t, "fix")) << "that is another run's";
    EXPECT_FALSE(page->isVisible());
    t.window.parts().runs.setCurrentRow(1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return hasTab(t, "fix"); }, test::kPatience));
}

TEST(Whose, BesideASimulatedFixStandsWhatAGpuDidWithItsSettings) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("pageable-h200"));
    ASSERT_TRUE(findFix(t)); // the best is pinned memory: the default preset
    QString words;
    for (const QLabel* label : t.window.findChild<FixPage*>()->findChildren<QLabel*>())
        words += label->text() + QLatin1Char('\n');
    EXPECT_TRUE(words.contains(QStringLiteral("Recorded on an NVIDIA H200 the same settings took 35.5 ms")))
        << words.toStdString();
}

TEST(Whose, ThereIsNoFixOfAFileWithoutSettings) {
    StatefulWindow t;
    ASSERT_TRUE(openForeign(t));
    t.window.parts().jobs.findFix();
    EXPECT_FALSE(t.session.busy());
    EXPECT_TRUE(t.window.errors().lastText().contains(QStringLiteral("Ctrl+E")));
}

TEST(Whose, AComparisonComesAndGoesWithItsRunsAndGivesItsHeightBack) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("two-streams-h200"));
    const int before = t.window.timeline().canvas().height();
    ASSERT_TRUE(t.compareTwo());
    EXPECT_TRUE(hasTab(t, "compare"));
    EXPECT_LT(t.window.timeline().canvas().height(), before) << "it is made to be looked at";
    ASSERT_TRUE(t.open("pageable-h200"));
    EXPECT_FALSE(hasTab(t, "compare"));
    EXPECT_NEAR(t.window.timeline().canvas().height(), before, 60)
        << "but for the lines above and the legend";
    t.window.parts().runs.setCurrentRow(1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return hasTab(t, "compare"); }, test::kPatience));
    t.window.parts().runs.remove(t.window.comparison().before()->run);
    StatefulWindow::settle();
    EXPECT_FALSE(hasTab(t, "compare")) << "one of them is gone";
}
