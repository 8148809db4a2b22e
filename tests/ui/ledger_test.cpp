// Where the time of a run went: the bar adds up, its pieces and rows show their places, and what there is no
// account of is said.
#include "account_fixture.h"
#include "patience.h"
#include "test_places.h"
#include "window_states.h"

#include <olab/analysis/cause_table.h>
#include <olab/ui/format.h>
#include <olab/ui/timeline_view.h>

#include <base/ledger_pieces.h>
#include <base/plain_text.h>
#include <charts/ledger_bar.h>
#include <olab/analysis/steady_state.h>
#include <results/findings_page.h>
#include <results/headline_line.h>
#include <results/inspector.h>
#include <results/ledger_row.h>
#include <timeline/canvas/bar_colouring.h>
#include <timeline/canvas/legend.h>
#include <timeline/minimap_marks.h>
#include <window/runs/verdict_band.h>

#include <QBarSet>
#include <QChart>
#include <QHorizontalStackedBarSeries>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

Ns sumOf(const std::vector<LedgerPiece>& pieces) {
    return std::accumulate(pieces.begin(), pieces.end(), Ns{0},
                           [](Ns sum, const LedgerPiece& piece) { return sum + piece.length; });
}

struct PageOnScreen {
    explicit PageOnScreen(const view::ViewDataPtr& shown, QSize size = {900, 400}) {
        page.resize(size);
        page.setShown(shown);
        band.resize(size.width(), band.sizeHint().height());
        band.setShown(shown);
        QObject::connect(&band, &VerdictBand::causeChosen, &page, &FindingsPage::choose);
        band.show();
        page.show();
        page.activateWindow();
        (void)QTest::qWaitForWindowActive(&page, kPatience);
        QCoreApplication::processEvents();
    }
    QList<LedgerRow*> rows() const { return page.findChildren<LedgerRow*>(); }
    LedgerBar* bar() const { return band.findChild<LedgerBar*>(); }
    QString words() const {
        QStringList all;
        for (const QLabel* label : page.findChildren<QLabel*>())
            all << label->text();
        return all.join(QLatin1Char('\n'));
    }
    FindingsPage page;
    VerdictBand band;
    QSignalSpy places{&page, &FindingsPage::placeChosen};
    quint32 lastPlace() const { return places.back().front().toUInt(); }
};

/// More operations than an account is made of at once.
view::ViewDataPtr longShown() {
    std::vector<ActivityRecord> records;
    for (Ns i = 0; i <= static_cast<Ns>(recording::kAccountAtOnce); ++i)
        records.push_back(deviceWork(i % 2 == 0 ? ActivityClass::Kernel : ActivityClass::Memset,
                                     1'000'000 + i * 2000, 1'001'000 + i * 2000, 13));
    return shownOf(records);
}

} // namespace

TEST(LedgerPieces, AddUpToTheNanosecond) {
    std::mt19937_64 random(3);
    for (int i = 0; i < 500; ++i) {
        analysis::Ledger ledger;
        ledger.ideal = 1 + static_cast<Ns>(random() % 100'000'000);
        ledger.unexplained = static_cast<Ns>(random() % 2'000'000) - 1'000'000;
        ledger.measured = ledger.ideal + ledger.unexplained;
        for (std::size_t c = 0; c < random() % 8; ++c) {
            analysis::LedgerEntry& entry = ledger.entries.emplace_back();
            entry.cause = static_cast<analysis::LossCause>(1 + c);
            entry.cost =
                random() % 3 == 0 ? 0 : static_cast<Ns>(random() % (random() % 2 ? 1000 : 50'000'000));
            ledger.measured += entry.cost;
        }
        if (ledger.measured <= 0)
            continue;
        const auto pieces = ledgerPieces(ledger);
        EXPECT_EQ(sumOf(pieces), ledger.measured);
        for (const LedgerPiece& piece : pieces)
            EXPECT_TRUE(piece.length > 0 || piece.kind == LedgerPiece::Kind::Unexplained);
    }
}

TEST(LedgerPieces, SmallCausesAreOnePiece) {
    const auto pieces = ledgerPieces(*smallLedger());
    ASSERT_EQ(pieces.size(), 4u);
    EXPECT_EQ(pieces[0].kind, LedgerPiece::Kind::Ideal);
    EXPECT_EQ(pieces[1].cause, analysis::LossCause::NullStream);
    EXPECT_EQ(pieces[2].cause, analysis::LossCause::HostLate);
    EXPECT_EQ(pieces[3].kind, LedgerPiece::Kind::Smaller);
    EXPECT_EQ(pieces[3].length, 1'000);
}

TEST(LedgerPieces, EveryCauseLooksLikeNoOther) {
    for (const Theme* theme : {&Theme::light(), &Theme::darkTheme()}) {
        std::set<std::pair<QString, int>> looks;
        for (std::size_t c = 1; c < analysis::kLossCauses; ++c) {
            const auto cause = static_cast<analysis::LossCause>(c);
            EXPECT_TRUE(looks.emplace(theme->colour(cause).name(), static_cast<int>(hatchOf(cause))).second)
                << analysis::lossCauseId(cause);
            EXPECT_GE(contrastRatio(inkOn(theme->colour(cause)), theme->colour(cause)), 4.5)
                << analysis::lossCauseId(cause);
        }
        EXPECT_GE(contrastRatio(inkOn(theme->ideal), theme->ideal), 4.5);
    }
}

TEST(Account, DrawsPiecesAsLongAsWhatTheySay) {
    const PageOnScreen t(shownWith(smallLedger(6'000)));
    ASSERT_NE(t.bar(), nullptr);
    const auto& pieces = t.bar()->pieces();
    ASSERT_EQ(sumOf(pieces), 600'000);
    const auto* series = qobject_cast<QHorizontalStackedBarSeries*>(t.bar()->chart()->series().front());
    ASSERT_EQ(series->barSets().size(), static_cast<qsizetype>(pieces.size()));
    const double whole = t.bar()->rectOf(pieces.size() - 1).right() - t.bar()->rectOf(0).left();
    EXPECT_GT(whole, 800) << "all of the page's width";
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        EXPECT_NEAR(series->barSets()[static_cast<qsizetype>(i)]->at(0) * 1e6,
                    static_cast<double>(pieces[i].length), 0.5);
        EXPECT_NEAR(t.bar()->rectOf(i).width(), whole * static_cast<double>(pieces[i].length) / 600'000, 2.5);
        if (i > 0) {
            EXPECT_NEAR(t.bar()->rectOf(i).left(), t.bar()->rectOf(i - 1).right(), 2);
        }
    }
    EXPECT_TRUE(t.words().contains(QStringLiteral("600 µs measured = "))) << qPrintable(t.words());
}

TEST(Account, WhatTheModelMakesTooLongIsSaidAndNotDrawn) {
    const PageOnScreen t(shownWith(smallLedger(-12'000)));
    for (const LedgerPiece& piece : t.bar()->pieces())
        EXPECT_GT(piece.length, 0);
    EXPECT_EQ(sumOf(t.bar()->pieces()), 612'000);
    EXPECT_TRUE(t.words().contains(QStringLiteral("2.0 % longer than the run"))) << qPrintable(t.words());
    EXPECT_TRUE(t.words().contains(QStringLiteral(" − 12"))) << qPrintable(t.words());
}

TEST(Account, AClickOnAPieceShowsItsPlacesOneAfterTheOther) {
    PageOnScreen t(shownWith(smallLedger()));
    const QPoint piece = t.bar()->rectOf(1).center(); // the NULL stream
    const QPoint edge(t.bar()->rectOf(1).right() - 6, piece.y());
    QTest::mouseClick(t.bar()->viewport(), Qt::LeftButton, {}, edge);
    ASSERT_EQ(t.places.size(), 1);
    EXPECT_EQ(t.lastPlace(), 1u) << "the worst one first";
    QTest::mouseClick(t.bar()->viewport(), Qt::LeftButton, {}, edge);
    EXPECT_EQ(t.lastPlace(), 2u);
    QTest::mouseClick(t.bar()->viewport(), Qt::LeftButton, {}, t.bar()->rectOf(0).center());
    EXPECT_EQ(t.places.size(), 2) << "the ideal has no place";
}

TEST(Account, RowsAreReachedAndUsedByKeys) {
    PageOnScreen t(shownWith(smallLedger()));
    ASSERT_GE(t.rows().size(), 5);
    LedgerRow* first = t.rows().front();
    first->setFocus();
    QTest::keyClick(first, Qt::Key_Return);
    ASSERT_EQ(t.places.size(), 1);
    EXPECT_EQ(t.lastPlace(), 1u);
    QTest::keyClick(first, Qt::Key_Right);
    EXPECT_EQ(t.lastPlace(), 2u);
    QTest::keyClick(first, Qt::Key_Left);
    EXPECT_EQ(t.lastPlace(), 1u);
    QTest::keyClick(first, Qt::Key_Left);
    EXPECT_EQ(t.lastPlace(), 2u) << "round";
    for (int i = 0; i < 5 && QApplication::focusWidget() != t.rows()[1]; ++i) // past the buttons of its card
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    EXPECT_EQ(QApplication::focusWidget(), t.rows()[1]);
    QTest::keyClick(t.rows()[1], Qt::Key_Space);
    EXPECT_EQ(t.lastPlace(), 2u);
    EXPECT_TRUE(first->accessibleName().startsWith(QStringLiteral("The NULL stream")));
    EXPECT_TRUE(first->accessibleName().contains(QStringLiteral("150 µs")));
    EXPECT_TRUE(first->accessibleDescription().contains(QStringLiteral("A sentence about the NULL stream.")));
}

TEST(Account, SaysWhatCostsNothingAndWhatMendingAloneBrings) {
    const PageOnScreen t(shownWith(smallLedger()));
    EXPECT_TRUE(t.rows()[0]->accessibleDescription().contains(QStringLiteral("fixing this alone saves 20")))
        << qPrintable(t.rows()[0]->accessibleDescription());
    EXPECT_FALSE(t.rows()[1]->accessibleDescription().contains(QStringLiteral("fixing this alone")));
    EXPECT_TRUE(t.rows()[3]->accessibleDescription().contains(QStringLiteral("costs nothing")));
}

TEST(Account, LongSentencesWrapInASmallWindow) {
    auto ledger = smallLedger();
    ledger->entries[0].text = std::string(40, 'w') + " " + std::string(900, 'x') + " and so on, and so on.";
    ledger->headline = std::string(700, 'h');
    const PageOnScreen t(shownWith(ledger), {360, 200});
    EXPECT_LE(t.page.widget()->width(), t.page.viewport()->width()) << "nothing is cut off at the side";
    for (const LedgerRow* row : t.rows())
        EXPECT_GE(row->height(), row->heightForWidth(row->width()) - 1);
}

TEST(Account, SaysWhyThereIsNoAccount) {
    auto ledger = std::make_shared<analysis::Ledger>();
    ledger->missing = "No work of a device was recorded.";
    const PageOnScreen t(shownWith(ledger));
    EXPECT_EQ(t.bar(), nullptr);
    EXPECT_TRUE(t.words().contains(QStringLiteral("No work of a device was recorded.")));
}

TEST(Account, OffersTheAccountOfALongRecording) {
    PageOnScreen t(longShown());
    auto* button = t.page.findChild<QPushButton*>(QStringLiteral("account"));
    ASSERT_NE(button, nullptr);
    QSignalSpy asked(&t.page, &FindingsPage::accountRequested),
        stopped(&t.page, &FindingsPage::cancelRequested);
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(asked.size(), 1);
    t.page.setWorking(true, true);
    auto* progress = t.page.findChild<QProgressBar*>();
    ASSERT_NE(progress, nullptr);
    EXPECT_EQ(progress->maximum(), 0) << "how far it is is not known yet";
    t.page.setProgress(0.25);
    EXPECT_EQ(progress->value() * 4, progress->maximum());
    QTest::mouseClick(t.page.findChild<QPushButton*>(QStringLiteral("account")), Qt::LeftButton);
    EXPECT_EQ(stopped.size(), 1);
    t.page.setWorking(false, true);
    EXPECT_EQ(t.page.findChild<QProgressBar*>(), nullptr);
    EXPECT_FALSE(t.page.findChild<QPushButton*>(QStringLiteral("account"))->isEnabled())
        << "something else runs";
}

TEST(LedgerWindow, MakesTheAccountOfALongRecordingOnDemand) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("long.olab"));
    recording::saveRecording(*longShown()->recording, path.toStdString());
    StatefulWindow t;
    t.window.open(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.shown() != nullptr && !t.session.busy(); }, kPatience));
    EXPECT_EQ(t.window.shown()->account(), nullptr);
    const auto* headline = t.window.findChild<HeadlineLine*>();
    EXPECT_TRUE(headline->isHidden());
    const auto* inspector = t.window.findChild<Inspector*>();
    EXPECT_TRUE(inspector->toPlainText().contains(QStringLiteral("Ideal (estimate)")));
    ASSERT_TRUE(t.window.showPage(QStringLiteral("ledger")));
    t.window.findChild<QPushButton*>(QStringLiteral("account"))->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.shown()->account() != nullptr && !t.session.busy(); },
                                kPatience));
    StatefulWindow::settle();
    EXPECT_EQ(t.window.findChild<QPushButton*>(QStringLiteral("account")), nullptr);
    EXPECT_EQ(headline->accessibleName(), sentence(t.window.shown()->account()->ledger().headline));
    const auto report = t.window.shown()->report();
    ASSERT_NE(report->ledger, nullptr);
    EXPECT_EQ(report->bounds.ideal, report->ledger->ideal);
    EXPECT_FALSE(inspector->toPlainText().contains(QStringLiteral("estimate"))) << "the account is there now";
    for (const analysis::LedgerEntry& entry : report->ledger->entries) {
        const bool isMuch = entry.cost * 100 >= report->ledger->measured && analysis::causeRowOf(entry.cause);
        const auto finding =
            std::ranges::find(report->findings, analysis::lossCauseId(entry.cause), &analysis::Finding::id);
        EXPECT_TRUE(!isMuch || finding != report->findings.end())
            << "findings follow the account: " << entry.text;
    }
}

TEST(Account, WhatOnlyTheAuthorCanKnowIsARowOfItsOwnAndNoPiece) {
    const auto shown = std::make_shared<const view::ViewData>(recording::openRecording(
        OLAB_SOURCE_DIR "/tests/data/programs/cuda_eleventh_sensitivities_in_one_stream-bad.olab"));
    PageOnScreen on(shown);
    auto* row = on.page.findChild<LedgerRow*>(QStringLiteral("ifIndependent"));
    ASSERT_TRUE(row);
    EXPECT_TRUE(on.words().contains(QStringLiteral("if kernels in a row do not need each other")));
    const analysis::Ledger& ledger = shown->account()->ledger();
    EXPECT_TRUE(on.words().contains(sentence(ledger.ifIndependent.text)));
    EXPECT_EQ(sumOf(ledgerPieces(ledger)), ledger.measured);
    row->step(+1);
    ASSERT_EQ(on.places.size(), 1);
    EXPECT_EQ(on.lastPlace(), ledger.ifIndependent.activities.front());
}

TEST(Account, OffersTheIterationOfALongRecording) {
    PageOnScreen t(longShown());
    const auto button = [&] { return t.page.findChild<QPushButton*>(QStringLiteral("findIteration")); };
    ASSERT_NE(button(), nullptr);
    QSignalSpy asked(&t.page, &FindingsPage::iterationRequested),
        stopped(&t.page, &FindingsPage::cancelRequested);
    button()->click();
    EXPECT_EQ(asked.size(), 1);
    t.page.setFindsIteration(true);
    auto* progress = t.page.findChild<QProgressBar*>();
    ASSERT_NE(progress, nullptr);
    t.page.setProgress(0.5);
    EXPECT_EQ(progress->value() * 2, progress->maximum());
    button()->click();
    EXPECT_EQ(stopped.size(), 1);
    t.page.setFindsIteration(false);
    t.page.setWorking(false, true);
    EXPECT_FALSE(button()->isEnabled()) << "something else runs";
}

TEST(LedgerWindow, FindsTheIterationOfALongRecordingOnDemandAndShowsTheWorst) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("long.olab"));
    recording::saveRecording(*longShown()->recording, path.toStdString());
    StatefulWindow t;
    t.window.open(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return t.window.shown() != nullptr && !t.session.busy(); }, kPatience));
    EXPECT_EQ(t.window.shown()->steadyState(), nullptr);
    const auto* marks = t.window.findChild<MinimapMarks*>();
    EXPECT_TRUE(marks->iterations().empty());
    ASSERT_TRUE(t.window.showPage(QStringLiteral("ledger")));
    t.window.findChild<QPushButton*>(QStringLiteral("findIteration"))->click();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return t.window.shown()->steadyState() != nullptr && !t.session.busy(); }, kPatience));
    StatefulWindow::settle();
    const auto found = t.window.shown()->steadyState();
    ASSERT_EQ(found->missing, "");
    EXPECT_EQ(t.window.shown()->report()->steadyState, found) << "the report has it too";
    EXPECT_EQ(t.window.findChild<QPushButton*>(QStringLiteral("findIteration")), nullptr);
    EXPECT_EQ(marks->iterations().size(), 2u);
    t.window.findChild<QPushButton*>(QStringLiteral("worst"))->click();
    const Interval seen = t.window.timeline().canvas().viewport().visible(), worst = found->judged[1].time;
    EXPECT_LE(seen.begin, worst.begin);
    EXPECT_GE(seen.end, worst.end);
    EXPECT_LE(seen.length(), 3 * worst.length());
    EXPECT_EQ(t.window.shown()->account(), nullptr) << "that is another question";
}

TEST(LedgerWindow, OneHeadlineStandsOverTheVerdictsAndLeadsToThePage) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("pageable-h200"));
    const auto* headline = t.window.findChild<HeadlineLine*>();
    ASSERT_FALSE(headline->isHidden());
    EXPECT_EQ(headline->accessibleName(), sentence(t.window.shown()->recording->report.ledger->headline));
    const QString first = headline->accessibleName().section(QStringLiteral(". "), 0, 0);
    EXPECT_EQ(headline->lineIn(5000), headline->accessibleName()) << "all of it where there is room";
    EXPECT_EQ(headline->lineIn(1200), first) << "the bar below says the rest";
    const QString cut = headline->lineIn(300);
    EXPECT_TRUE(cut.endsWith(QChar(0x2026)) && cut.startsWith(first.left(4))) << cut.toStdString();
    const qsizetype aside = first.indexOf(QStringLiteral(" ("));
    ASSERT_GT(aside, 0) << "what is in brackets makes room first";
    int wide = 1200;
    while (headline->lineIn(wide) == first)
        --wide;
    EXPECT_EQ(headline->lineIn(wide), first.left(aside));
    EXPECT_TRUE(headline->toolTip().contains(headline->accessibleName().right(12)));
    auto* page = t.window.findChild<FindingsPage*>();
    ASSERT_TRUE(t.window.showPage(QStringLiteral("log")));
    EXPECT_FALSE(page->isVisible());
    emit t.window.findChild<HeadlineLine*>()->moreRequested();
    EXPECT_TRUE(page->isVisible());
    LedgerRow* row = page->findChildren<LedgerRow*>().front();
    row->click();
    const view::Selection& selected = t.window.timeline().canvas().selection();
    ASSERT_TRUE(selected.place());
    EXPECT_EQ(selected.place()->op, t.window.shown()->account()->ledger().entries.front().activities.front());
}

TEST(LedgerWindow, TheBarStandsInALowWindowAndTheNumbersMakeRoom) {
    StatefulWindow t(QSize(960, 540));
    ASSERT_TRUE(t.open("null-stream-h200"));
    const auto* bar = t.window.findChild<LedgerBar*>();
    ASSERT_TRUE(bar);
    EXPECT_TRUE(bar->isVisible());
    EXPECT_FALSE(t.window.findChild<QWidget*>(QStringLiteral("numbers"))->isVisible());
    EXPECT_GE(t.window.timeline().canvas().height(), 120);
}

TEST(LedgerWindow, OfARunThatRacedThereIsNoHeadlineAndNoNumber) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("race-other-stream-h200"));
    ASSERT_FALSE(t.window.shown()->recording->raceText().empty());
    EXPECT_TRUE(t.window.findChild<HeadlineLine*>()->isHidden());
    EXPECT_EQ(t.window.findChild<LedgerBar*>(), nullptr);
    EXPECT_TRUE(t.window.findChild<QWidget*>(QStringLiteral("numbers"))->isHidden());
    const auto* badge = t.window.findChild<QWidget*>(QStringLiteral("badge"));
    EXPECT_LE(badge->width(), badge->sizeHint().width()) << "no wider than its word";
}

TEST(LedgerWindow, TheBandStandsOverEveryPageAndAClickOnACauseShowsItsPlaces) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("null-stream-h200"));
    const auto* band = t.window.findChild<VerdictBand*>();
    auto* bar = t.window.findChild<LedgerBar*>();
    ASSERT_TRUE(band && bar);
    for (const QString& page :
         {QStringLiteral("findings"), QStringLiteral("ledger"), QStringLiteral("log")}) {
        ASSERT_TRUE(t.window.showPage(page));
        EXPECT_TRUE(bar->isVisible()) << page.toStdString();
    }
    EXPECT_GT(band->width(), t.window.width() * 9 / 10);
    EXPECT_EQ(band->findChild<QLabel*>(QStringLiteral("badge"))->text(), QStringLiteral("RECORDED"));
    EXPECT_TRUE(band->findChild<QPushButton*>(QStringLiteral("tryIt"))->isVisible());
    EXPECT_TRUE(band->findChild<QPushButton*>(QStringLiteral("findTheFix"))->isVisible());
    const QRect piece = bar->rectOf(1);
    QTest::mouseClick(bar->viewport(), Qt::LeftButton, {}, QPoint(piece.right() - 6, piece.center().y()));
    const auto& selected = t.window.timeline().canvas().selection();
    ASSERT_TRUE(selected.place());
    EXPECT_EQ(selected.place()->op, t.window.shown()->account()->ledger().entries.front().activities.front());
    t.window.showGallery();
    EXPECT_FALSE(band->isVisible()) << "it is of the run";
}

TEST(LedgerWindow, AClickOnACauseEmphasisesWhatWaitedForItAndAnotherOrEscEndsIt) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("null-stream-h200"));
    auto* bar = t.window.findChild<LedgerBar*>();
    ASSERT_TRUE(bar);
    TimelineCanvas& canvas = t.window.timeline().canvas();
    const QRect piece = bar->rectOf(1);
    const auto click = [&] {
        QTest::mouseClick(bar->viewport(), Qt::LeftButton, {}, QPoint(piece.right() - 6, piece.center().y()));
    };
    canvas.ghosts().setShowsWaits(false);
    const auto colourOfPiece = [&] { return bar->grab().toImage().pixelColor(bar->rectOf(0).center()); };
    const QColor usual = colourOfPiece();
    click();
    const auto account = t.window.shown()->account();
    const analysis::LedgerEntry& entry = account->ledger().entries.front();
    ASSERT_EQ(canvas.ghosts().only().front(), entry.cause);
    EXPECT_TRUE(canvas.ghosts().showsWaits()) << "its waits, at least";
    const view::Colouring* made = canvas.colours().made();
    ASSERT_TRUE(made);
    std::size_t lit = 0;
    for (ActivityIndex i = 0; i < t.window.shown()->trace().size(); ++i) {
        const auto wait = account->waitOf(i);
        const bool isLit = (wait && wait->cause == entry.cause) ||
                           std::ranges::find(entry.activities, i) != entry.activities.end();
        lit += isLit;
        EXPECT_EQ(made->of(i) != view::kPaleColour, isLit) << i;
    }
    EXPECT_GT(lit, 0u);
    EXPECT_NE(colourOfPiece(), usual) << "what is not chosen is pale";
    EXPECT_TRUE(t.window.findChild<Legend*>()->names().front().contains(causeTitle(entry.cause)));
    click();
    EXPECT_TRUE(canvas.ghosts().only().empty());
    EXPECT_FALSE(canvas.ghosts().showsWaits());
    EXPECT_FALSE(canvas.colours().made());
    EXPECT_EQ(colourOfPiece(), usual);
    bar->setFocus();
    QTest::keyClick(bar, Qt::Key_Return);
    EXPECT_FALSE(canvas.ghosts().only().empty());
    QTest::keyClick(bar, Qt::Key_Escape);
    EXPECT_TRUE(canvas.ghosts().only().empty());
    click();
    canvas.setFocus();
    QTest::keyClick(&canvas, Qt::Key_Escape);
    EXPECT_TRUE(canvas.ghosts().only().empty());
    click();
    ASSERT_TRUE(t.open("pageable-h200"));
    EXPECT_TRUE(canvas.ghosts().only().empty()) << "another run shows all of it";
}

TEST(LedgerWindow, TheNumbersOfTheBandAreThoseOfTheReport) {
    const auto shown = shownOf({deviceWork(ActivityClass::MemcpyH2D, 1'000'000, 2'000'000, 13),
                                deviceWork(ActivityClass::Kernel, 1'500'000, 2'000'000, 14),
                                deviceWork(ActivityClass::Kernel, 3'000'000, 5'000'000, 14)});
    const BandNumbers numbers = numbersOf(*shown->report());
    EXPECT_TRUE(numbers.run.startsWith(durationText(shown->report()->bounds.measured)))
        << numbers.run.toStdString();
    EXPECT_EQ(numbers.idle, QStringLiteral("GPU idle 25 %"));
    EXPECT_EQ(numbers.more, QStringLiteral("kernels run 63 % · copies hidden 50 %"));
}

// The headline's ratio is of the run without its recording: run time, ideal and ratio divide.
TEST(LedgerWindow, TheBandSaysWhatTheRunTookWithoutItsRecording) {
    auto ledger = std::make_shared<analysis::Ledger>(*smallLedger());
    ledger->entries.front().cause = analysis::LossCause::Tool;
    analysis::Report report;
    report.bounds.measured = ledger->measured;
    report.ledger = ledger;
    const QString own = durationText(ledger->measured - ledger->entries.front().cost);
    EXPECT_EQ(numbersOf(report).run,
              QStringLiteral("%1 (%2 without the recording)").arg(durationText(ledger->measured), own));
}
