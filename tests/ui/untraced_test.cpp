// A run that was not traced: the window shows what is known of it, how long it took, and no 0 that nobody
// computed.
#include "shown_fixture.h"

#include <olab/analysis/rules.h>
#include <olab/trace/trace_builder.h>
#include <olab/ui/format.h>

#include <charts/charts_page.h>
#include <results/findings_page.h>
#include <results/inspector.h>
#include <results/verdict_strip.h>

#include <QBarCategoryAxis>
#include <QChart>
#include <QChartView>
#include <QLabel>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

view::ViewDataPtr untraced() {
    TraceBuilder builder;
    builder.add(DeviceRecord{.device = 0, .name = "Test GPU", .uuid = {}, .smCount = 1});
    builder.add(WindowRecord{1'000'000, 33'400'000, false});
    return std::make_shared<const view::ViewData>(
        recording::makeRecording({builder.finish(), nullptr, std::nullopt}, "Run 1", true));
}

QStringList labelsOf(const QWidget& page) {
    QStringList texts;
    for (const QLabel* label : page.findChildren<QLabel*>())
        texts << label->text();
    return texts;
}

} // namespace

TEST(Untraced, ATimeThatWasNotComputedIsADash) {
    EXPECT_EQ(durationText(std::optional<Ns>()), QStringLiteral("–"));
    EXPECT_EQ(durationText(std::optional<Ns>(1'250)), QStringLiteral("1.25 µs"));
}

TEST(Untraced, TheInspectorGivesNoBounds) {
    Inspector inspector;
    inspector.showActivity(untraced(), std::nullopt);
    const QString text = inspector.toPlainText();
    EXPECT_TRUE(text.contains(QStringLiteral("32.4 ms"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("tracing was off"))) << text.toStdString();
    EXPECT_FALSE(text.contains(QStringLiteral("0 ns"))) << text.toStdString();
}

TEST(Untraced, TheChartNamesNoBounds) {
    ChartsPage page;
    page.setShown(untraced());
    QStringList names;
    for (const QChartView* view : page.findChildren<QChartView*>())
        for (QAbstractAxis* axis : view->chart()->axes(Qt::Vertical))
            names << static_cast<QBarCategoryAxis*>(axis)->categories();
    EXPECT_TRUE(names.contains(QStringLiteral("back to back  –"))) << names.join('|').toStdString();
    EXPECT_TRUE(names.contains(QStringLiteral("measured  32.4 ms"))) << names.join('|').toStdString();
    EXPECT_TRUE(names.filter(QStringLiteral("0 ns")).isEmpty()) << names.join('|').toStdString();
}

TEST(Untraced, NoRuleFoundNothing) {
    FindingsPage page;
    page.setShown(untraced());
    const QStringList texts = labelsOf(page);
    EXPECT_TRUE(texts.filter(QStringLiteral("No rule found anything")).isEmpty());
    EXPECT_FALSE(texts.filter(QStringLiteral("No rule could judge this run")).isEmpty());
    EXPECT_EQ(texts.filter(QStringLiteral("tracing was off")).size(),
              static_cast<qsizetype>(analysis::ruleTable().size()))
        << "each rule says what it lacked";
}

TEST(Untraced, TheVerdictStripHasNoNumber) {
    VerdictStrip strip;
    strip.setShown(untraced());
    EXPECT_FALSE(strip.accessibleDescription().contains(QLatin1Char('%')));
    EXPECT_TRUE(strip.accessibleDescription().startsWith(QStringLiteral("Nothing to judge")));
}
