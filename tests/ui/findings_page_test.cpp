// The page of findings: what each cost, why, and what only some want to read.
#include "patience.h"
#include "shown_fixture.h"
#include "test_places.h"
#include "usual_look.h"

#include <base/plain_text.h>
#include <olab/ui/format.h>
#include <results/findings_page.h>
#include <results/findings_parts.h>

#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

view::ViewDataPtr recordedRun(const std::string& name) {
    return std::make_shared<const view::ViewData>(
        recording::openRecording(std::string(OLAB_SOURCE_DIR) + "/resources/recordings/" + name + ".olab"));
}

QPushButton* buttonNamed(const QWidget& page, const QString& start) {
    for (QPushButton* button : page.findChildren<QPushButton*>())
        if (button->text().startsWith(start))
            return button;
    return nullptr;
}

/// A label that can be seen as soon as the page is.
bool showsText(const QWidget& page, const QString& part) {
    for (const QLabel* label : page.findChildren<QLabel*>())
        if (label->text().contains(part) && !label->isHidden())
            return true;
    return false;
}

} // namespace

TEST(FindingsPage, WhatIsOftenBlamedIsFoldedAndThereOnlyWhereItOccurs) {
    FindingsPage page;
    page.setShown(recordedRun("get-last-error-h200"));
    QPushButton* blamed = buttonNamed(page, QStringLiteral("Often blamed, and not the cause here (1)"));
    ASSERT_NE(blamed, nullptr);
    EXPECT_FALSE(showsText(page, QStringLiteral("cudaGetLastError (95 calls")));
    blamed->click();
    EXPECT_TRUE(showsText(page, QStringLiteral("cudaGetLastError (95 calls")));
    blamed->click();
    EXPECT_FALSE(showsText(page, QStringLiteral("cudaGetLastError (95 calls")));
    QPushButton* hidden = buttonNamed(page, QStringLiteral("What these records cannot show"));
    ASSERT_NE(hidden, nullptr);
    hidden->click();
    EXPECT_TRUE(showsText(page, QStringLiteral("this run was on Linux")));
    page.setShown(recordedRun("default-h200"));
    EXPECT_EQ(buttonNamed(page, QStringLiteral("Often blamed")), nullptr);
}

// One ranking: that of the account, which the headline and the bar follow. The recording is no cause of the
// program.
TEST(FindingsPage, CardsAreInTheOrderOfTheAccountAndTheRecordingIsNone) {
    analysis::Report report;
    const auto addFirst = [&](std::string_view id) {
        report.findings.emplace(report.findings.begin())->id = id;
    };
    auto ledger = std::make_shared<analysis::Ledger>();
    for (const auto cause :
         {analysis::LossCause::Tool, analysis::LossCause::Pageable, analysis::LossCause::HostLate}) {
        ledger->entries.emplace_back().cause = cause;
        addFirst(analysis::lossCauseId(cause));
    }
    addFirst("engine-bound");
    report.ledger = ledger;
    std::vector<std::string> ids;
    for (const analysis::Finding* finding : ranked(report))
        ids.push_back(finding->id);
    EXPECT_EQ(ids, (std::vector<std::string>{"pageable", "host-late", "engine-bound", "tool"}));
}

TEST(FindingsPage, ACardHasThePriceItsPlacesAndTheAdviceInTheColourOfText) {
    FindingsPage page;
    const view::ViewDataPtr shown = recordedRun("null-stream-h200");
    page.setShown(shown);
    const auto* card = page.findChild<QFrame*>(QStringLiteral("card"));
    ASSERT_TRUE(card);
    const analysis::LedgerEntry& first = shown->account()->ledger().entries.front();
    EXPECT_TRUE(showsText(*card, durationText(first.cost) + QStringLiteral(" · 69 %")));
    EXPECT_TRUE(
        showsText(*card, QStringLiteral("1 to %1 of %2").arg(first.activities.size()).arg(first.count)));
    for (const QLabel* label : card->findChildren<QLabel*>())
        if (label->text() == sentence(shown->report()->findings.front().remedy)) {
            EXPECT_EQ(label->foregroundRole(), QPalette::WindowText) << "the most legible line of the card";
        }
}

TEST(FindingsPage, WhyIsSaidToWhoAsks) {
    FindingsPage page;
    page.setShown(recordedRun("wait-each-iteration-h200"));
    EXPECT_TRUE(showsText(page, QStringLiteral("cudaDeviceSynchronize")));
    EXPECT_TRUE(showsText(page, QStringLiteral("5.44 ms of the run")));
    const auto why = QStringLiteral("the engines run dry");
    EXPECT_FALSE(showsText(page, why));
    buttonNamed(page, QStringLiteral("Why?"))->click();
    EXPECT_TRUE(showsText(page, why));
    EXPECT_TRUE(showsText(page, QStringLiteral("See NVIDIA")));
    EXPECT_NE(buttonNamed(page, QStringLiteral("Try it")), nullptr) << "sync.every=end";
}

TEST(FindingsPage, TheCardThatIsReadStaysInSightWhenTheLookChanges) {
    UsualLook look;
    FindingsPage page;
    page.resize(620, 160);
    page.setShown(recordedRun("ping-pong-h200"));
    page.show();
    const auto cardInSight = [&page](const char* id) {
        const QFrame* found = nullptr;
        for (const QFrame* card : page.findChildren<QFrame*>(QStringLiteral("card")))
            if (card->property("finding").toString() == QLatin1String(id))
                found = card;
        return found &&
               QTest::qWaitFor([&] { return found->y() == page.verticalScrollBar()->value(); }, kPatience);
    };
    page.bringIntoView("memset-full-grid");
    ASSERT_TRUE(cardInSight("memset-full-grid"));
    ASSERT_GT(page.verticalScrollBar()->value(), 0) << "it is not the first";
    applyTheme(ThemeChoice::Light, true);
    letPass(100);
    EXPECT_TRUE(cardInSight("memset-full-grid")) << "in the projector's type";
    applyTheme(ThemeChoice::Dark, false);
    letPass(100);
    EXPECT_TRUE(cardInSight("memset-full-grid"));
    page.resize(500, 160);
    EXPECT_TRUE(cardInSight("memset-full-grid")) << "where lines are shorter";
    page.setShown(recordedRun("default-h200"));
    letPass(50);
    EXPECT_EQ(page.verticalScrollBar()->value(), 0) << "another run is read from its beginning";
}

TEST(FindingsPage, WhoScrolledReadsOnWhereHeWas) {
    FindingsPage page;
    page.resize(620, 160);
    page.setShown(recordedRun("ping-pong-h200"));
    page.show();
    page.bringIntoView("memset-full-grid");
    letPass(50);
    page.verticalScrollBar()->triggerAction(QScrollBar::SliderToMaximum);
    page.resize(640, 160);
    letPass(50);
    EXPECT_EQ(page.verticalScrollBar()->value(), page.verticalScrollBar()->maximum());
}
