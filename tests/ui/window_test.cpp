// The whole window, with the simulator behind it.
#include "moody_window.h"
#include "shown_fixture.h"
#include "test_places.h"

#include <olab/ui/timeline_view.h>

#include <results/inspector.h>
#include <results/summary_lines.h>
#include <results/verdict_strip.h>
#include <timeline/search/search_bar.h>
#include <window/messages/message_bars.h>

#include <QAbstractButton>
#include <QApplication>
#include <QFontInfo>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollBar>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

const analysis::Verdict* verdictOf(const view::ViewData& shown, ActivityClass a, ActivityClass b) {
    for (const analysis::Verdict& v : shown.recording->report.verdicts)
        if (v.a == a && v.b == b)
            return &v;
    return nullptr;
}

QStringList namesIn(const QWidget& window) {
    QStringList names;
    for (const QWidget* widget : window.findChildren<QWidget*>())
        if (!widget->accessibleName().isEmpty())
            names << widget->accessibleName();
    return names;
}

} // namespace

TEST(MainWindow, ASimulatedRunShowsItsVerdicts) {
    MoodyWindow t;
    QTest::keyClick(&t.window, Qt::Key_F5);
    ASSERT_TRUE(t.waitForRecording());
    const analysis::Verdict* verdict =
        verdictOf(*t.window.shown(), ActivityClass::MemcpyH2D, ActivityClass::Kernel);
    ASSERT_NE(verdict, nullptr);
    EXPECT_EQ(verdict->kind, analysis::VerdictKind::Overlapped);
    EXPECT_TRUE(
        namesIn(t.window).join(QLatin1Char('\n')).contains(QStringLiteral("H2D and kernel: overlapped")))
        << "the chip";
    EXPECT_EQ(t.window.shown()->recording->badge(), "SIMULATED");
    EXPECT_TRUE(t.window.timeline().canvas().viewport().isFit());
    EXPECT_EQ(t.window.errors().count(), 0);
    EXPECT_FALSE(t.window.grab().isNull());
}

TEST(MainWindow, ASimulatedRunSaysHowFarToTrustIt) {
    MoodyWindow t;
    const auto* line = t.window.findChild<TrustLine*>();
    ASSERT_NE(line, nullptr);
    EXPECT_FALSE(line->isVisible());
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_TRUE(line->isVisible());
    EXPECT_TRUE(line->text().contains(QStringLiteral("the same settings took 35.5 ms, simulated 33.4 ms")))
        << qPrintable(line->text());
    EXPECT_FALSE(line->text().contains(QStringLiteral("measured runs"))) << "one statement of accuracy";
    experiment::HeldExperiment other;
    experiment::setOption(other, "kernel.us=120");
    t.window.form().setExperiment(other);
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_TRUE(line->text().contains(QStringLiteral("kernel.us=120"))) << qPrintable(line->text());
    t.window.open(QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings/default-h200.olab"));
    ASSERT_TRUE(t.waitForRecording());
    EXPECT_FALSE(line->isVisible()) << "it was measured";
}

TEST(MainWindow, SeveralDevicesEachHaveTheirVerdicts) {
    MoodyWindow t;
    t.window.open(QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings/two-gpus-p2p-h200.olab"));
    ASSERT_TRUE(t.waitForRecording());
    QStringList names; // those of pairs on which little hangs are in the description of one chip
    for (const QAbstractButton* chip : t.window.findChild<VerdictStrip*>()->findChildren<QAbstractButton*>())
        names << chip->accessibleName() << chip->accessibleDescription().split(QLatin1Char('\n'));
    for (const char* device : {"GPU 0: ", "GPU 1: "})
        EXPECT_EQ(names.filter(QRegularExpression(QLatin1Char('^') + QLatin1String(device))).size(), 7)
            << device;
}

TEST(MainWindow, TheInspectorFollowsWhatIsPickedInTheTimeline) {
    MoodyWindow t;
    QTest::keyClick(&t.window, Qt::Key_F5);
    ASSERT_TRUE(t.waitForRecording());
    TimelineCanvas& canvas = t.window.timeline().canvas();
    const auto* inspector = t.window.findChild<Inspector*>();
    ASSERT_NE(inspector, nullptr);
    QTest::keyClick(&canvas, Qt::Key_M);
    EXPECT_TRUE(inspector->toPlainText().startsWith(QStringLiteral("Measured"))) << "a range";
    QTest::keyClick(&canvas, Qt::Key_BracketRight);
    EXPECT_TRUE(inspector->toPlainText().contains(QStringLiteral("Nothing on"))) << "a gap";
    QTest::keyClick(&canvas, Qt::Key_Period);
    EXPECT_TRUE(inspector->toPlainText().contains(QStringLiteral("Why it started then"))) << "an operation";
}

TEST(MainWindow, ShowsEveryPageInBothThemes) {
    MoodyWindow t;
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    for (const ThemeChoice theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
        t.window.setTheme(theme);
        for (const char* page :
             {"findings", "ledger", "matrix", "activities", "bookmarks", "charts", "log"}) {
            EXPECT_TRUE(t.window.showPage(QLatin1String(page)));
            QCoreApplication::processEvents();
            EXPECT_FALSE(t.window.grab().isNull());
        }
    }
    EXPECT_FALSE(t.window.showPage(QStringLiteral("nothing")));
}

TEST(MainWindow, FitsIntoAWindowOf1280By720) {
    MoodyWindow t;
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    QCoreApplication::processEvents();
    EXPECT_EQ(t.window.size(), QSize(1280, 720));
    EXPECT_GT(t.window.timeline().canvas().height(), 200);
}

TEST(MainWindow, SlashSearchesWhereverTheFocusIs) {
    MoodyWindow t;
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    auto* box = qobject_cast<QWidget*>(t.window.form().editor("memset"));
    for (const bool slash : {true, false}) {
        box->setFocus();
        if (slash)
            QTest::keyClick(box, Qt::Key_Slash);
        else
            QTest::keyClick(box, Qt::Key_F, Qt::ControlModifier);
        auto* search = t.window.findChild<SearchBar*>();
        ASSERT_NE(search, nullptr);
        EXPECT_TRUE(search->isVisible());
        EXPECT_TRUE(search->isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        EXPECT_FALSE(search->isVisible());
    }
}

TEST(MainWindow, TheLogFollowsItsEndAlsoWhenItBecomesSmaller) {
    MoodyWindow t;
    ASSERT_TRUE(t.window.showPage(QStringLiteral("log")));
    auto* log = t.window.findChild<QPlainTextEdit*>(QStringLiteral("log"));
    ASSERT_NE(log, nullptr);
    for (int i = 0; i < 100; ++i)
        log->appendPlainText(QString::number(i));
    const QScrollBar& bar = *log->verticalScrollBar();
    QCoreApplication::processEvents();
    ASSERT_EQ(bar.value(), bar.maximum());
    log->setMaximumHeight(log->height() / 2);
    letPass(20);
    log->appendPlainText(QStringLiteral("last"));
    EXPECT_EQ(bar.value(), bar.maximum());
    log->verticalScrollBar()->setValue(0);
    log->appendPlainText(QStringLiteral("more"));
    EXPECT_EQ(bar.value(), 0) << "who reads something older is left there";
}

TEST(MainWindow, VerdictsFitIntoOneRowAt1280) {
    QSettings().clear(); // splitters where they are at the first start
    MoodyWindow t;
    if (QFontInfo(t.window.font()).family() != QStringLiteral("DejaVu Sans"))
        GTEST_SKIP() << "measured with DejaVu Sans, the widest of the usual fonts";
    t.window.run();
    ASSERT_TRUE(t.waitForRecording());
    QCoreApplication::processEvents();
    EXPECT_LT(t.window.findChild<VerdictStrip*>()->height(), 60);
}
