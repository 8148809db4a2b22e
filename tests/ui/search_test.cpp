// Searching the timeline.
#include "canvas_fixture.h"

#include <olab/ui/timeline_view.h>
#include <timeline/search.h>

#include <QLabel>
#include <QLineEdit>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::test;

namespace {

std::vector<ActivityIndex> found(const Shown& shown, const char* text) {
    Search search(shown.trace(), Query::parse(QString::fromUtf8(text)));
    while (search.advance(7)) {
    }
    return search.matches();
}

template <typename Wanted>
std::vector<ActivityIndex> allThat(const Shown& shown, Wanted wanted) {
    std::vector<ActivityIndex> all;
    for (ActivityIndex i = 0; i < shown.trace().size(); ++i)
        if (wanted(shown.trace()[i]))
            all.push_back(i);
    return all;
}

struct ViewOnScreen {
    explicit ViewOnScreen(const ShownPtr& shown) {
        view.resize(900, 500);
        view.show();
        view.activateWindow();
        (void)QTest::qWaitForWindowActive(&view);
        view.setShown(shown);
    }
    QLineEdit& edit() { return *view.findChild<QLineEdit*>(); }
    QString count() {
        for (const QLabel* label : view.findChildren<QLabel*>())
            if (label->objectName() == QStringLiteral("matches"))
                return label->text();
        return {};
    }
    TimelineView view;
};

} // namespace

TEST(Search, FindsWhatFits) {
    const ShownPtr shown = randomShown(41, 600);
    const auto streamOf = [&](const Activity& a) {
        const Queue& queue = shown->trace().queue(a.queue);
        return queue.kind == Queue::Kind::Stream ? queue.number : 0;
    };
    using enum ActivityClass;
    EXPECT_EQ(found(*shown, "kernel > 10us"),
              allThat(*shown, [](const Activity& a) { return a.cls == Kernel && a.duration() > 10'000; }));
    EXPECT_EQ(found(*shown, "H2D stream 14"),
              allThat(*shown, [&](const Activity& a) { return a.cls == MemcpyH2D && streamOf(a) == 14; }));
    EXPECT_EQ(found(*shown, "<= 1ns"), allThat(*shown, [](const Activity& a) { return a.duration() <= 1; }));
    EXPECT_EQ(found(*shown, "copy >= 0.005 ms < 10000ns"), allThat(*shown, [](const Activity& a) {
                  return isCopyClass(a.cls) && a.duration() >= 5'000 && a.duration() < 10'000;
              }));
    EXPECT_EQ(found(*shown, "DeviceSync"), allThat(*shown, [](const Activity& a) { return a.cls == Api; }));
    EXPECT_EQ(found(*shown, "thread 4711"), allThat(*shown, [](const Activity& a) { return a.cls == Api; }));
    EXPECT_EQ(found(*shown, "#17"), std::vector<ActivityIndex>{17}) << "no op is planned: its own number";
    EXPECT_EQ(found(*shown, "\"kernel\""), std::vector<ActivityIndex>{}) << "in quotes it is a name";
    EXPECT_EQ(found(*shown, "kernel h2d"), std::vector<ActivityIndex>{}) << "nothing is both";
    EXPECT_FALSE(found(*shown, "kernel > 10us").empty());
    EXPECT_FALSE(found(*shown, "H2D stream 14").empty());
}

TEST(Search, ATimeWithoutAUnitIsSaidToBeWrong) {
    for (const char* text : {"> 1", ">", "< abc", ">= 1 parsec", "kernel > 99999999999999999999s"})
        EXPECT_FALSE(Query::parse(QString::fromUtf8(text)).error.isEmpty()) << text;
    for (const char* text : {"> 1ms", ">1µs", "<.5s", "stream", "a\"b", "#", ""})
        EXPECT_TRUE(Query::parse(QString::fromUtf8(text)).error.isEmpty()) << text;
}

TEST(Search, SelectsTheMatchAndGoesRound) {
    ViewOnScreen t(smallShown());
    TimelineCanvas& canvas = t.view.canvas();
    canvas.showRange({1'000'000, 1'050'000});
    QTest::keyClick(&canvas, Qt::Key_Slash);
    ASSERT_TRUE(t.edit().hasFocus());
    QTest::keyClicks(&t.edit(), QStringLiteral("stream 14"));
    EXPECT_EQ(canvas.selected(), 2u);
    EXPECT_EQ(t.count(), QStringLiteral("1 of 2"));
    EXPECT_FALSE(canvas.rectsOf(2).empty()) << "it has come into view";
    QTest::keyClick(&t.edit(), Qt::Key_Return);
    EXPECT_EQ(canvas.selected(), 3u);
    EXPECT_EQ(t.count(), QStringLiteral("2 of 2"));
    QTest::keyClick(&t.edit(), Qt::Key_Return);
    EXPECT_EQ(canvas.selected(), 2u);
    QTest::keyClick(&t.edit(), Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(canvas.selected(), 3u);
    canvas.setFocus();
    QTest::keyClick(&canvas, Qt::Key_N, Qt::ShiftModifier);
    EXPECT_EQ(canvas.selected(), 2u);
    canvas.select(0);
    QTest::keyClick(&canvas, Qt::Key_N);
    EXPECT_EQ(canvas.selected(), 2u) << "the next one after what was clicked meanwhile";
}

TEST(Search, SaysWhatIsWrongAndCloses) {
    ViewOnScreen t(smallShown());
    QTest::keyClick(&t.view.canvas(), Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(&t.edit(), QStringLiteral("kernel > 5"));
    EXPECT_TRUE(t.count().contains(QStringLiteral("unit"))) << t.count().toStdString();
    t.edit().setText(QStringLiteral("no such name"));
    EXPECT_EQ(t.count(), QStringLiteral("nothing found"));
    QTest::keyClick(&t.edit(), Qt::Key_Escape);
    EXPECT_FALSE(t.edit().isVisible());
    EXPECT_TRUE(t.view.canvas().hasFocus());
}

TEST(Search, StaysAliveWhileItLooksAtMuch) {
    const ShownPtr shown = randomShown(42, 250'000);
    ViewOnScreen t(shown);
    QTest::keyClick(&t.view.canvas(), Qt::Key_Slash);
    t.edit().setText(QStringLiteral("memset"));
    EXPECT_TRUE(t.count().endsWith(QLatin1Char('+'))) << t.count().toStdString();
    const auto all = allThat(*shown, [](const Activity& a) { return a.cls == ActivityClass::Memset; });
    EXPECT_TRUE(QTest::qWaitFor([&] { return !t.count().endsWith(QLatin1Char('+')); }, 10'000));
    QTest::keyClick(&t.edit(), Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(t.view.canvas().selected(), all.back()) << "before the first comes the last";
    t.view.setShown(smallShown());
    EXPECT_EQ(t.count(), QStringLiteral("1 of 1")) << "the same search in another recording";
}
