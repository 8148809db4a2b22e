// Searching the timeline.
#include "canvas_fixture.h"
#include "patience.h"

#include <olab/ui/timeline_view.h>
#include <timeline/minimap_marks.h>
#include <timeline/search/search.h>

#include <QLabel>
#include <QLineEdit>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

std::vector<ActivityIndex> found(const view::ViewData& shown, const char* text) {
    Search search(shown, SearchQuery::parse(QString::fromUtf8(text)));
    while (search.advance(7)) {
    }
    return search.matches();
}

template <typename Wanted>
std::vector<ActivityIndex> allThat(const view::ViewData& shown, Wanted wanted) {
    std::vector<ActivityIndex> all;
    for (ActivityIndex i = 0; i < shown.trace().size(); ++i)
        if (wanted(shown.trace()[i]))
            all.push_back(i);
    return all;
}

struct ViewOnScreen {
    explicit ViewOnScreen(const view::ViewDataPtr& shown) {
        view.resize(900, 500);
        view.show();
        view.activateWindow();
        (void)QTest::qWaitForWindowActive(&view, kPatience);
        view.setShown(shown);
    }
    QLineEdit& edit() { return *view.findChild<QLineEdit*>(); }
    QString labelled(const QString& name) {
        for (const QLabel* label : view.findChildren<QLabel*>())
            if (label->objectName() == name)
                return label->text();
        return {};
    }
    QString count() { return labelled(QStringLiteral("matches")); }
    QString says() { return labelled(QStringLiteral("said")); }
    TimelineView view;
};

} // namespace

TEST(Search, FindsWhatFits) {
    const view::ViewDataPtr shown = randomShown(41, 600);
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

TEST(Search, KnowsNvtxEnginesAndCauses) {
    const view::ViewDataPtr shown = randomShown(44, 600);
    using enum ActivityClass;
    EXPECT_EQ(found(*shown, "nvtx"), allThat(*shown, [](const Activity& a) { return a.cls == Nvtx; }));
    EXPECT_EQ(SearchQuery::parse(QStringLiteral("NVTX")).said.join(u' '), QStringLiteral("NVTX ranges"));
    EXPECT_EQ(found(*shown, "engine compute"), allThat(*shown, [](const Activity& a) {
                  return isDeviceClass(a.cls) && a.engine == EngineKind::Compute;
              }));
    EXPECT_FALSE(found(*shown, "engine compute").empty());
    EXPECT_EQ(found(*shown, "engine"), std::vector<ActivityIndex>{}) << "a part of a name";
    std::vector<ActivityIndex> waited;
    const analysis::ExplainedWaits waits = shown->waits();
    for (std::size_t n = 0; n < waits.size(); ++n)
        if (waits.cause(n) == analysis::LossCause::EngineBound ||
            waits.cause(n) == analysis::LossCause::StreamOrder)
            waited.push_back(waits[n].op);
    EXPECT_FALSE(waited.empty());
    std::vector<ActivityIndex> because = found(*shown, "because of same-engine"),
                               order = found(*shown, "because stream-order");
    because.insert(because.end(), order.begin(), order.end());
    std::ranges::sort(because);
    EXPECT_EQ(because, waited);
    EXPECT_EQ(found(*shown, "because engine-bound"), found(*shown, "because same-engine"))
        << "what it was once called";
    EXPECT_TRUE(
        SearchQuery::parse(QStringLiteral("because nonsense")).error.contains(QStringLiteral("full-grid")));
}

TEST(Search, ATimeWithoutAUnitIsSaidToBeWrong) {
    for (const char* text : {"> 1", ">", "< abc", ">= 1 parsec", "kernel > 99999999999999999999s"})
        EXPECT_FALSE(SearchQuery::parse(QString::fromUtf8(text)).error.isEmpty()) << text;
    for (const char* text : {"> 1ms", ">1µs", "<.5s", "stream", "a\"b", "#", ""})
        EXPECT_TRUE(SearchQuery::parse(QString::fromUtf8(text)).error.isEmpty()) << text;
}

TEST(Search, SelectsTheMatchAndGoesRound) {
    ViewOnScreen t(smallShown());
    TimelineCanvas& canvas = t.view.canvas();
    canvas.showRange({1'000'000, 1'050'000});
    QTest::keyClick(&canvas, Qt::Key_Slash);
    ASSERT_TRUE(t.edit().hasFocus());
    QTest::keyClicks(&t.edit(), QStringLiteral("stream 14"));
    EXPECT_EQ(canvas.selection().activity(), 2u);
    EXPECT_EQ(t.count(), QStringLiteral("1 of 2"));
    EXPECT_FALSE(canvas.map().rectsOf(2).empty()) << "it has come into view";
    QTest::keyClick(&t.edit(), Qt::Key_Return);
    EXPECT_EQ(canvas.selection().activity(), 3u);
    EXPECT_EQ(t.count(), QStringLiteral("2 of 2"));
    QTest::keyClick(&t.edit(), Qt::Key_Return);
    EXPECT_EQ(canvas.selection().activity(), 2u);
    QTest::keyClick(&t.edit(), Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(canvas.selection().activity(), 3u);
    canvas.setFocus();
    QTest::keyClick(&canvas, Qt::Key_N, Qt::ShiftModifier);
    EXPECT_EQ(canvas.selection().activity(), 2u);
    canvas.select(0);
    QTest::keyClick(&canvas, Qt::Key_N);
    EXPECT_EQ(canvas.selection().activity(), 2u) << "the next one after what was clicked meanwhile";
}

TEST(Search, SaysWhatIsWrongAndCloses) {
    ViewOnScreen t(smallShown());
    QTest::keyClick(&t.view.canvas(), Qt::Key_F, Qt::ControlModifier);
    QTest::keyClicks(&t.edit(), QStringLiteral("kernel > 5"));
    EXPECT_TRUE(t.says().contains(QStringLiteral("unit"))) << t.says().toStdString();
    t.edit().setText(QStringLiteral("no such name"));
    EXPECT_EQ(t.count(), QStringLiteral("nothing found"));
    QTest::keyClick(&t.edit(), Qt::Key_Escape);
    EXPECT_FALSE(t.edit().isVisible());
    EXPECT_TRUE(t.view.canvas().hasFocus());
}

TEST(Search, StaysAliveWhileItLooksAtMuch) {
    const view::ViewDataPtr shown = randomShown(42, 250'000);
    ViewOnScreen t(shown);
    QTest::keyClick(&t.view.canvas(), Qt::Key_Slash);
    t.edit().setText(QStringLiteral("memset"));
    EXPECT_TRUE(t.count().endsWith(QLatin1Char('+'))) << t.count().toStdString();
    const auto all = allThat(*shown, [](const Activity& a) { return a.cls == ActivityClass::Memset; });
    EXPECT_TRUE(QTest::qWaitFor([&] { return !t.count().endsWith(QLatin1Char('+')); }, kPatience));
    QTest::keyClick(&t.edit(), Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(t.view.canvas().selection().activity(), all.back()) << "before the first comes the last";
    t.view.setShown(smallShown());
    EXPECT_EQ(t.count(), QStringLiteral("1 of 1")) << "the same search in another recording";
}

TEST(Search, EqualIsWhatIsShownSo) {
    const view::ViewDataPtr shown = randomShown(43, 2'000);
    const auto between = [&](Ns from, Ns to) {
        return allThat(*shown, [=](const Activity& a) { return a.duration() >= from && a.duration() < to; });
    };
    EXPECT_EQ(found(*shown, "= 12us"), between(11'500, 12'500));
    EXPECT_EQ(found(*shown, "== 12.3 us"), between(12'250, 12'350));
    EXPECT_EQ(found(*shown, "=1ns"), between(1, 2));
    EXPECT_EQ(found(*shown, "kernel duration >= 0.3ms"), found(*shown, "kernel >= 300us"));
    EXPECT_EQ(found(*shown, "stream = 14"), found(*shown, "stream 14"));
    EXPECT_FALSE(found(*shown, "= 12us").empty());
}

TEST(Search, SaysWhatItUnderstood) {
    const auto said = [](const char* text) {
        return SearchQuery::parse(QString::fromUtf8(text)).said.join(QStringLiteral(", ")).toStdString();
    };
    EXPECT_EQ(said("kernel > 1ms stream 14 spin"),
              "kernels, longer than 1.00 ms, in stream 14, called \"spin\"");
    EXPECT_EQ(said("h2d <= 20us"), "H2D copies, at most 20.0 µs");
    EXPECT_EQ(said("= 412us"), "lasting 411.500 µs to 412.499 µs");
    EXPECT_EQ(said("\"kernel\" #17"), "called \"kernel\", #17");
    EXPECT_EQ(said(""), "");
}

TEST(Search, WhatCannotBeIsSaidBeforeAnythingIsLookedAt) {
    const std::pair<const char*, const char*> mistakes[] = {
        {"kernel h2d", "nothing is both kernels and H2D copies"},
        {"> 5ms < 1ms", "no time is longer than 5.00 ms and shorter than 1.00 ms"},
        {"stream 13 stream 14", "nothing is in stream 13 and in stream 14"},
        {"stream > 14", "stream needs its number, such as stream 14"},
        {"kernel = 5", "= needs a time with its unit, such as = 1ms (ns, us, ms, s)"},
    };
    for (const auto& [text, why] : mistakes)
        EXPECT_EQ(SearchQuery::parse(QString::fromUtf8(text)).error.toStdString(), why) << text;
}

TEST(Search, WhenNothingFitsItSaysWhichPartIsToBlame) {
    ViewOnScreen t(smallShown());
    QTest::keyClick(&t.view.canvas(), Qt::Key_Slash);
    const std::pair<const char*, const char*> blame[] = {
        {"d2d", "D2D copies: this recording has none"},
        {"kernel stream 99", "kernels, in stream 99: none is there; the recording has stream 13, 14"},
        {"kernel gemm", "kernels, called \"gemm\": none is called so"},
        {"#99", "#99: none has this number"},
        {"kernel > 1ms",
         "kernels, longer than 1.00 ms: the shortest lasts 100.000 µs, the longest 100.000 µs"},
    };
    for (const auto& [text, why] : blame) {
        t.edit().setText(QString::fromUtf8(text));
        EXPECT_EQ(t.says().toStdString(), why);
        EXPECT_EQ(t.count(), QStringLiteral("nothing found"));
    }
    t.edit().setText(QStringLiteral("kernel < 1ms"));
    EXPECT_EQ(t.says(), QStringLiteral("kernels, shorter than 1.00 ms"));
    EXPECT_EQ(t.count(), QStringLiteral("1 of 1"));
    t.edit().setText(QStringLiteral("<b>"));
    EXPECT_FALSE(t.view.grab().isNull());
}

TEST(Search, MarksWhatItFindsOnTheMinimap) {
    const view::ViewDataPtr shown = randomShown(44, 3'000);
    ViewOnScreen t(shown);
    auto* marks = t.view.findChild<MinimapMarks*>();
    ASSERT_NE(marks, nullptr);
    QTest::keyClick(&t.view.canvas(), Qt::Key_Slash);
    t.edit().setText(QStringLiteral("memset > 500us"));
    const auto expectMarked = [&] {
        view::Viewport all;
        all.setLimits(shown->limits());
        all.setWidth(marks->width() - t.view.canvas().gutter());
        all.fit();
        std::vector<bool> wanted(static_cast<std::size_t>(all.width()));
        for (const ActivityIndex index : found(*shown, "memset > 500us"))
            wanted[static_cast<std::size_t>(all.xAt(shown->trace().time(index).begin))] = true;
        EXPECT_EQ(marks->foundColumns(), wanted);
        EXPECT_GT(std::ranges::count(wanted, true), 3);
    };
    expectMarked();
    t.view.resize(1200, 500);
    QCoreApplication::processEvents();
    expectMarked();
    t.edit().setText(QStringLiteral("no such name"));
    EXPECT_EQ(std::ranges::count(marks->foundColumns(), true), 0);
    t.edit().setText(QStringLiteral("memset > 500us"));
    QTest::keyClick(&t.edit(), Qt::Key_Escape);
    EXPECT_EQ(std::ranges::count(marks->foundColumns(), true), 0) << "closed: nothing is marked";
}
