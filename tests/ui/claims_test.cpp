// The Claims page in the window: the list with its filters, what decided a claim, running it again on the
// simulator, the ways there and back, by mouse and by keys.
#include "patience.h"
#include "window_states.h"

#include <claims/claims_list.h>
#include <claims/claims_page.h>
#include <lessons/lesson_panel.h>
#include <results/findings_page.h>
#include <window/rooms/claims_room.h>
#include <window/rooms/lesson_room.h>
#include <window/window_parts.h>

#include <olab/claims/claim_results.h>
#include <olab/lesson/lesson_file.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/timeline_view.h>

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTest>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include <gtest/gtest.h>

#include <algorithm>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

struct ClaimsWindow : StatefulWindow {
    ClaimsWindow() {
        room().showPage();
        settle();
    }
    ClaimsRoom& room() { return window.claims(); }
    ClaimsPage& page() { return room().page(); }
    template <class Widget>
    Widget* find(const char* name) {
        return page().findChild<Widget*>(QLatin1String(name));
    }
    /// What stands on the right.
    QString words() {
        QStringList all;
        for (const QLabel* label : page().view().widget()->findChildren<QLabel*>())
            all << label->text();
        return all.join(QLatin1Char('\n'));
    }
    void click(const char* name) {
        auto* button = find<QPushButton>(name);
        ASSERT_NE(button, nullptr) << name;
        ASSERT_TRUE(button->isEnabled()) << name;
        button->click();
        settle();
    }
    bool waitForEnd() {
        const bool came = QTest::qWaitFor([this] { return !session.busy(); }, kPatience);
        settle();
        return came;
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(window.focusWidget() ? window.focusWidget() : &window, key, modifiers);
        settle();
    }
};

} // namespace

TEST(ClaimsPage, ListsAllWithAnswersThatNeedNoColour) {
    ClaimsWindow t;
    EXPECT_EQ(t.page().list().shownCount(), 96);
    auto* tree = t.find<QTreeWidget>("claimsTree");
    EXPECT_EQ(tree->topLevelItemCount(), 5);
    int differing = 0;
    for (QTreeWidgetItemIterator at(tree, QTreeWidgetItemIterator::NoChildren); *at; ++at) {
        EXPECT_FALSE((*at)->text(1).isEmpty());
        EXPECT_FALSE((*at)->text(2).isEmpty());
        EXPECT_TRUE((*at)->data(0, Qt::AccessibleTextRole).toString().contains(QStringLiteral("measured")));
        differing += (*at)->text(3).startsWith(QStringLiteral("≠"));
    }
    EXPECT_EQ(differing, 1) << "as resources/claims/README.md says";
}

TEST(ClaimsPage, SearchAndFiltersLeaveWhatFits) {
    ClaimsWindow t;
    ClaimsList& list = t.page().list();
    auto* search = t.find<QLineEdit>("claimsSearch");
    search->setText(QStringLiteral("cudaGetLastError"));
    EXPECT_GT(list.shownCount(), 1);
    EXPECT_LT(list.shownCount(), 10);
    search->setText(QStringLiteral("000-2, 001-9"));
    EXPECT_EQ(list.shownCount(), 2) << "ids mean any of them";
    search->setText(QStringLiteral("E03 pageable"));
    EXPECT_GT(list.shownCount(), 0) << "what E03 decides, and says pageable";
    search->setText(QStringLiteral("no such words anywhere"));
    EXPECT_EQ(list.shownCount(), 0);
    search->clear();
    t.find<QCheckBox>("claimsDiffering")->setChecked(true);
    EXPECT_EQ(list.shownCount(), 1);
    t.find<QCheckBox>("claimsDiffering")->setChecked(false);
    const auto boxes = list.findChildren<QComboBox*>();
    ASSERT_EQ(boxes.size(), 2);
    boxes[0]->setCurrentIndex(3); // of the second text
    EXPECT_EQ(list.shownCount(), 15);
    boxes[1]->setCurrentIndex(3); // refuted
    EXPECT_LT(list.shownCount(), 15);
    EXPECT_TRUE(list.choose("000-1")) << "what filters hide is shown when it is asked for";
    EXPECT_EQ(list.current()->id, "000-1");
}

TEST(ClaimsPage, SaysWhatDecidedItValueByValueAndThatItIsRecorded) {
    ClaimsWindow t;
    ASSERT_TRUE(t.room().showClaim("000-2"));
    t.settle();
    const QString said = t.words();
    for (const char* part : {"RECORDED on NVIDIA H200", "thread 237147", "Reference:", "96 % on device 0",
                             "at least 80 %", "000-2", "E05", "Believed only while its controls hold"})
        EXPECT_TRUE(said.contains(QLatin1String(part))) << part << '\n' << qPrintable(said);
    EXPECT_TRUE(said.contains(QStringLiteral("~ PARTLY")));
    ASSERT_TRUE(t.room().showClaim("001-18"));
    t.settle();
    auto* code = t.find<QLabel>("claimCode");
    ASSERT_NE(code, nullptr);
    EXPECT_TRUE(code->text().contains(QStringLiteral("✗ 79")));
    EXPECT_TRUE(code->text().contains(QStringLiteral("cudaGetLastError")));
    EXPECT_TRUE(code->accessibleName().contains(QStringLiteral("line 79")));
    EXPECT_FALSE(code->text().contains(QStringLiteral("<iostream>"))) << "letters are no markup";
    EXPECT_TRUE(code->text().contains(QStringLiteral("&lt;iostream&gt;")));
}

TEST(ClaimsPage, EveryClaimCanBeShown) {
    ClaimsWindow t;
    for (const claims::ClaimRow& claim : claims::claimTable()) {
        ASSERT_TRUE(t.room().showClaim(claim.id));
        EXPECT_TRUE(t.words().contains(QString::fromStdString(claim.id)));
    }
    t.settle();
    EXPECT_LE(t.page().minimumSizeHint().width(), 640) << "no claim makes the window wide";
}

TEST(ClaimsPage, RunsAgainOnTheSimulatorAndShowsItsTimeline) {
    ClaimsWindow t;
    ASSERT_TRUE(t.room().showClaim("000-17")); // one run of options
    t.settle();
    t.click("claimRunAgain");
    ASSERT_TRUE(t.waitForEnd());
    const claims::ClaimResult* const here = t.room().results().here("000-17");
    ASSERT_NE(here, nullptr);
    EXPECT_TRUE(t.words().contains(QStringLiteral("SIMULATED")));
    EXPECT_TRUE(t.words().contains(QStringLiteral("RECORDED"))) << "the evidence of the H200 stays";
    EXPECT_LE(t.page().view().widget()->minimumSizeHint().width(), t.page().view().viewport()->width())
        << "the picture of the timeline cuts no text off";
    QPushButton* show = nullptr;
    for (auto* button : t.page().view().findChildren<QPushButton*>())
        if (button->objectName().startsWith(QStringLiteral("show ")))
            show = button;
    ASSERT_NE(show, nullptr);
    show->click();
    t.settle();
    EXPECT_FALSE(t.room().shown());
    ASSERT_NE(t.window.shown(), nullptr);
    EXPECT_EQ(t.window.shown()->recording->badge(), "SIMULATED");
}

TEST(ClaimsPage, AMeasurementCanBeCancelledAndTakesNothingAway) {
    ClaimsWindow t;
    ASSERT_TRUE(t.room().showClaim("003-15"));
    t.settle();
    t.click("claimRunAgain");
    if (!t.find<QPushButton>("claimsCancel")->isVisible()) { // it was quicker than the look
        ASSERT_TRUE(t.room().results().here("003-15"));
        return;
    }
    t.click("claimsCancel");
    ASSERT_TRUE(t.waitForEnd());
    EXPECT_FALSE(t.find<QPushButton>("claimsCancel")->isVisible());
    if (t.room().results().here("003-15")) // it was quicker
        return;
    EXPECT_TRUE(t.words().contains(QStringLiteral("It was stopped")));
    EXPECT_TRUE(t.words().contains(QStringLiteral("RECORDED")));
}

TEST(ClaimsPage, ARunOfItsExperimentRunsInTheTimelineWithItsSettingsInTheForm) {
    ClaimsWindow t;
    ASSERT_TRUE(t.room().showClaim("000-2"));
    t.settle();
    t.click("run E01.h2d");
    ASSERT_TRUE(t.waitForEnd());
    EXPECT_FALSE(t.room().shown());
    const auto& runs = claims::findLabExperiment("E01")->runs;
    const auto meant = std::ranges::find(runs, "h2d", &claims::LabRun::name);
    ASSERT_NE(meant, runs.end());
    EXPECT_TRUE(t.window.form().experiment() == meant->experiment);
    ASSERT_NE(t.window.shown(), nullptr);
}

TEST(ClaimsPage, TheKeyboardAloneFindsAClaimAndRunsIt) {
    ClaimsWindow t;
    t.window.showGallery();
    t.settle();
    t.key(Qt::Key_K, Qt::ControlModifier);
    ASSERT_TRUE(t.room().shown());
    auto* tree = t.find<QTreeWidget>("claimsTree");
    EXPECT_EQ(t.window.focusWidget(), tree);
    const std::string before = t.page().list().current()->id;
    t.key(Qt::Key_Down);
    EXPECT_NE(t.page().list().current()->id, before);
    EXPECT_TRUE(t.words().contains(QString::fromStdString(t.page().list().current()->id)));
    for (int i = 0; i < 12 && t.window.focusWidget()->objectName() != QStringLiteral("claimRunAgain"); ++i)
        t.key(Qt::Key_Tab);
    ASSERT_EQ(t.window.focusWidget()->objectName(), QStringLiteral("claimRunAgain"));
    const std::string chosen = t.page().list().current()->id;
    t.key(Qt::Key_Space);
    ASSERT_TRUE(t.waitForEnd());
    EXPECT_NE(t.room().results().here(chosen), nullptr);
    t.key(Qt::Key_Escape);
    EXPECT_FALSE(t.room().shown());
    EXPECT_TRUE(t.window.parts().centre.isIn(olab::ui::Room::Gallery)) << "nothing was shown before";
}

TEST(ClaimsPage, SlashAndCtrlFSearchFromWhereverTheFocusIs) {
    ClaimsWindow t;
    ASSERT_TRUE(t.open("full-grid-h200")); // the timeline has a search of its own
    t.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window, kPatience));
    auto* search = t.find<QLineEdit>("claimsSearch");
    for (const auto& [key, with] : {std::pair{Qt::Key_Slash, Qt::KeyboardModifiers{}},
                                    std::pair{Qt::Key_F, Qt::KeyboardModifiers(Qt::ControlModifier)}}) {
        t.room().showPage();
        t.settle();
        ASSERT_NE(t.window.focusWidget(), search);
        t.key(key, with);
        EXPECT_EQ(t.window.focusWidget(), search) << key;
    }
    t.key(Qt::Key_Slash);
    EXPECT_EQ(search->text(), QStringLiteral("/")) << "in a field it is a letter";
}

TEST(ClaimsPage, AfterARunTheKeyThatRunsItAgainHasTheFocusAgain) {
    ClaimsWindow t;
    t.window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&t.window, kPatience));
    ASSERT_TRUE(t.room().showClaim("000-17"));
    t.settle();
    t.find<QPushButton>("claimRunAgain")->setFocus();
    t.key(Qt::Key_Space);
    ASSERT_TRUE(t.waitForEnd());
    ASSERT_NE(t.window.focusWidget(), nullptr);
    EXPECT_EQ(t.window.focusWidget()->objectName(), QStringLiteral("claimRunAgain"));
}

TEST(ClaimsPage, WhatHasTheFocusHasAName) {
    ClaimsWindow t;
    for (int tab = 0; tab < 2; ++tab) {
        tab == 0 ? t.room().showPage() : t.room().showCalls();
        t.settle();
        for (const QWidget* widget : t.page().findChildren<QWidget*>())
            if (widget->isVisible() && (widget->focusPolicy() & Qt::TabFocus)) {
                const auto* button = qobject_cast<const QAbstractButton*>(widget);
                EXPECT_TRUE(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()) ||
                            qobject_cast<const QTabBar*>(widget))
                    << widget->metaObject()->className() << ' ' << qPrintable(widget->objectName());
            }
    }
}

TEST(ClaimsPage, TheCallsAreATableThatCanBeTakenAlong) {
    ClaimsWindow t;
    t.room().showCalls();
    t.settle();
    auto* table = t.find<QTreeWidget>("callsTable");
    ASSERT_TRUE(table->isVisible());
    EXPECT_EQ(table->topLevelItemCount(),
              static_cast<int>(claims::callTable(*claims::recordedClaims()).size()));
    EXPECT_FALSE(t.find<QPushButton>("callsMeasure")->isEnabled()) << "the simulator does not know";
    EXPECT_TRUE(t.room().callsFileOf(QStringLiteral("x.csv")).startsWith("call,blocks,"));
    EXPECT_TRUE(t.room().callsFileOf(QStringLiteral("x.json")).contains("\"olab-calls\""));
    EXPECT_TRUE(t.room().callsFileOf(QStringLiteral("x.md")).contains("recorded"));
    EXPECT_TRUE(t.room().callsFileOf(QStringLiteral("x.png")).startsWith("\x89PNG"));
    EXPECT_TRUE(t.room().callsFileOf(QStringLiteral("x.svg")).contains("<svg"));
    EXPECT_TRUE(t.room().callsFileOf(QStringLiteral("x.pdf")).startsWith("%PDF-"));
    EXPECT_THROW(t.room().callsFileOf(QStringLiteral("x.doc")), Error);
}

TEST(ClaimsPage, AFindingLeadsToTheClaimsThatItDecides) {
    ClaimsWindow t;
    ASSERT_TRUE(t.open("full-grid-h200"));
    ASSERT_TRUE(t.window.showPage(QStringLiteral("findings")));
    t.settle();
    auto* button =
        t.window.findChild<FindingsPage*>()->findChild<QPushButton*>(QStringLiteral("claimsAbout"));
    ASSERT_NE(button, nullptr);
    button->click();
    t.settle();
    EXPECT_TRUE(t.room().shown());
    EXPECT_GT(t.page().list().shownCount(), 0);
    EXPECT_LT(t.page().list().shownCount(), 20);
}

TEST(ClaimsPage, ALessonLeadsToTheClaimThatItNames) {
    ClaimsWindow t;
    LessonRoom& lessons = t.window.lessons();
    const lesson::Lesson named =
        lesson::parseLesson("---\ntitle: T\nminutes: 5\n---\n# One\nSee 001-9, and 999-9.\n", "t.md");
    lessons.start(named, QStringLiteral("own/t"));
    t.settle();
    QLabel* linked = nullptr;
    for (auto* label : lessons.panel().findChildren<QLabel*>())
        if (label->text().contains(QStringLiteral("claim:001-9")))
            linked = label;
    ASSERT_NE(linked, nullptr);
    EXPECT_FALSE(linked->text().contains(QStringLiteral("claim:999-9"))) << "there is no such claim";
    emit linked->linkActivated(QStringLiteral("claim:001-9"));
    t.settle();
    EXPECT_TRUE(t.room().shown());
    EXPECT_EQ(t.page().list().current()->id, "001-9");
}

TEST(ClaimsPage, ThemeTypeAndProjectorMayChangeWhileItIsOpen) {
    ClaimsWindow t;
    ASSERT_TRUE(t.room().showClaim("001-9"));
    t.settle();
    const QString before = t.words();
    for (const bool dark : {true, false}) {
        t.window.setTheme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        t.settle();
        t.window.setProjector(dark);
        t.settle();
        auto* tree = t.find<QTreeWidget>("claimsTree");
        EXPECT_GE(tree->columnWidth(2), tree->fontMetrics().horizontalAdvance(QStringLiteral("✓ confirmed")))
            << "the answers are read in large type too";
        EXPECT_TRUE(t.room().shown());
        EXPECT_FALSE(t.window.grab().isNull());
    }
    EXPECT_EQ(t.words().size(), before.size()) << "but for colours the same";
}
