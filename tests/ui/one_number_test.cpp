// One set of numbers on a screen: headline, verdict strip, Inspector, charts, pictures and the command line
// say the same run time, ideal and back-to-back time, in the same rounding.
#include "window_states.h"

#include "test_places.h"

#include <olab/ui/format.h>

#include <base/ledger_pieces.h>
#include <base/plain_text.h>
#include <pictures/picture_text.h>
#include <results/headline_line.h>
#include <results/inspector.h>
#include <results/verdict_strip.h>

#include <QAbstractButton>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

constexpr const char* kSeveral[] = {"pageable-h200", "one-stream-h200",   "best-case-h200",
                                    "blog-v1-h200",  "launch-bound-h200", "ping-pong-zero-copy-h200"};

/// What `olab analyze` says of it, with the unit of a screen.
QString plainTextOf(const recording::Recording& recording) {
    QProcess olab;
    olab.start(QStringLiteral(OLAB_PROGRAM),
               {QStringLiteral("analyze"), QString::fromStdString(recording.file.string())});
    EXPECT_TRUE(olab.waitForFinished(60'000));
    static const QRegularExpression micro(QStringLiteral("(\\d) us\\b"));
    return QString::fromUtf8(olab.readAllStandardOutput()).replace(micro, QStringLiteral("\\1 µs"));
}

QString chipTexts(const MainWindow& window) {
    QString all;
    for (const auto* chip : window.findChild<VerdictStrip*>()->findChildren<QAbstractButton*>())
        all += chip->accessibleName() + QLatin1Char('\n') + chip->accessibleDescription() + QLatin1Char('\n');
    const auto* numbers = window.findChild<QWidget*>(QStringLiteral("numbers"));
    for (const auto* label : numbers->findChildren<QLabel*>())
        all += label->text() + QLatin1Char('\n') + label->toolTip() + QLatin1Char('\n');
    return all + numbers->findChild<QPushButton*>()->text();
}

QString pictureTexts(const view::ViewData& shown) {
    const PictureText text = pictureText(shown, {});
    QString all = text.headline + QLatin1Char('\n') + text.sum;
    for (const PictureText::Line& line : text.lines)
        all += QLatin1Char('\n') + line.outcome + QLatin1Char('\n') + line.text;
    return all;
}

} // namespace

TEST(OneNumber, EveryPlaceSaysTheSameOfARun) {
    StatefulWindow t;
    for (const char* name : kSeveral) {
        ASSERT_TRUE(t.open(name));
        const view::ViewDataPtr shown = t.window.shown();
        const analysis::Ledger& ledger = shown->account()->ledger();
        const QString run = durationText(ledger.measured), ideal = durationText(ledger.ideal),
                      serial = durationText(shown->report()->bounds.serial);
        const QString inspector = t.window.findChild<Inspector*>()->toPlainText(),
                      chips = chipTexts(t.window), picture = pictureTexts(*shown),
                      text = plainTextOf(*shown->recording);
        for (const QString& said : {inspector, chips, picture, text})
            for (const QString& number : {run, ideal, serial})
                EXPECT_TRUE(said.contains(number))
                    << name << ": " << number.toStdString() << " is not in " << said.toStdString();
        for (QString said : {inspector, chips, picture, text}) {
            EXPECT_FALSE(said.contains(QStringLiteral("estimate"))) << name << ' ' << said.toStdString();
            said.remove(QStringLiteral("so it has nothing to overlap")); // said of what did not run
            EXPECT_FALSE(said.contains(QStringLiteral("nothing to overlap")))
                << name << ' ' << said.toStdString();
        }
        EXPECT_TRUE(sumText(ledger).startsWith(run + QStringLiteral(" measured = ") + ideal)) << name;
        const QString headline = t.window.findChild<HeadlineLine*>()->accessibleName();
        EXPECT_TRUE(text.contains(headline)) << headline.toStdString();
        EXPECT_TRUE(!headline.contains(QStringLiteral(" costs ")) ||
                    headline.contains(QStringLiteral(" of ") + run))
            << headline.toStdString();
    }
}

TEST(OneNumber, WithoutAnAccountTheIdealIsCalledAnEstimate) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("race-other-stream-h200")); // its data came out wrong
    const view::ViewDataPtr shown = t.window.shown();
    const QString inspector = t.window.findChild<Inspector*>()->toPlainText();
    EXPECT_TRUE(inspector.contains(QStringLiteral("Ideal (estimate)"))) << inspector.toStdString();
    EXPECT_TRUE(plainTextOf(*shown->recording).contains(QStringLiteral("an estimate: no account")));
}
