// The two rulers and the numbers between them.
#include "canvas_fixture.h"

#include <olab/trace/lanes.h>

#include <results/inspector.h>
#include <timeline/texts/range_text.h>

#include <QClipboard>
#include <QGuiApplication>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

bool isTouched(Interval time, Interval range) {
    return time.begin < range.end && (time.end > range.begin || time.begin >= range.begin);
}

/// How many engines of the device work at `t`.
int enginesAt(const view::ViewData& shown, Ns t) {
    int count = 0;
    for (const Lane& lane : shown.index.lanes().lanes())
        count += lane.kind == LaneKind::Engine && lane.busy.measure({t, t + 1}) > 0 ? 1 : 0;
    return count;
}

Interval randomRange(std::mt19937_64& random, Interval span) {
    const auto length = static_cast<std::uint64_t>(span.length());
    const Ns a = span.begin + static_cast<Ns>(random() % length),
             b = span.begin + static_cast<Ns>(random() % length);
    return {std::min(a, b), std::max(a, b) + 1};
}

int columnOf(const TimelineCanvas& canvas, Ns t) {
    return canvas.gutter() + static_cast<int>(canvas.viewport().edgeAt(t));
}

} // namespace

TEST(Measure, CountsAndBusyTimesAreThoseOfBruteForce) {
    const view::ViewDataPtr shown = randomShown(21, 900);
    std::mt19937_64 random(3);
    for (int i = 0; i < 60; ++i) {
        const Interval range = randomRange(random, shown->trace().deviceSpan());
        const view::RangeNumbers numbers = view::measureRange(*shown, range);
        ASSERT_EQ(numbers.lanes.size(), shown->index.lanes().lanes().size());
        std::uint64_t operations = 0;
        for (const view::LaneNumbers& lane : numbers.lanes) {
            std::uint64_t count = 0;
            std::vector<Interval> times;
            for (const ActivityIndex a : lane.lane->activities) {
                const Interval time = shown->trace().time(a);
                count += isTouched(time, range) ? 1 : 0;
                times.push_back(time);
            }
            EXPECT_EQ(lane.count, count) << lane.lane->label;
            EXPECT_EQ(lane.busy, IntervalSet::unionOf(times).measure(range)) << lane.lane->label;
            operations += lane.lane->kind == LaneKind::Stream ? count : 0;
        }
        EXPECT_EQ(numbers.operations, operations);
    }
}

TEST(Measure, PairsAreThoseOfTheirSets) {
    const view::ViewDataPtr shown = randomShown(22, 900);
    std::mt19937_64 random(4);
    std::size_t pairs = 0;
    for (int i = 0; i < 40; ++i) {
        const Interval range = randomRange(random, shown->trace().deviceSpan());
        for (const view::PairNumbers& pair : view::measureRange(*shown, range).pairs) {
            const IntervalSet a = shown->index.lanes().classCoverage(0, pair.a),
                              b = shown->index.lanes().classCoverage(0, pair.b);
            EXPECT_EQ(pair.busyA, a.measure(range));
            EXPECT_EQ(pair.busyB, b.measure(range));
            EXPECT_EQ(pair.both, a.intersected(b).measure(range));
            ++pairs;
        }
    }
    EXPECT_GT(pairs, 100u);
}

TEST(Measure, EnginesAtOnceAreCountedNanosecondByNanosecond) {
    using enum ActivityClass;
    const view::ViewDataPtr shown =
        shownOf({deviceWork(MemcpyH2D, 1000, 1600, 13), deviceWork(Kernel, 1200, 1800, 14),
                 deviceWork(MemcpyD2H, 1400, 1500, 15), deviceWork(Kernel, 1900, 1950, 14)});
    for (const Interval range : {Interval{1000, 1950}, Interval{1450, 1920}, Interval{1790, 1890}}) {
        std::array<Ns, 4> expected{};
        for (Ns t = range.begin; t < range.end; ++t)
            ++expected[static_cast<std::size_t>(enginesAt(*shown, t))];
        const view::DeviceNumbers numbers = view::numbersOf(shown->index, 0, range);
        EXPECT_EQ(numbers.idle, expected[0]);
        EXPECT_EQ(numbers.atOnce, (std::array<Ns, 3>{expected[1], expected[2], expected[3]}));
    }
}

TEST(Measure, EdgesAreThoseOfASearchThroughAll) {
    const view::ViewDataPtr shown = randomShown(23, 400);
    std::mt19937_64 random(5);
    for (const Lane& lane : shown->index.lanes().lanes())
        for (const view::Strip& strip : shown->index.strips(lane.id)) {
            std::vector<Ns> edges;
            for (std::size_t i = 0; i < strip.times.size(); ++i) {
                edges.push_back(strip.times.begin(i));
                edges.push_back(strip.times.end(i));
            }
            std::ranges::sort(edges);
            for (int i = 0; i < 40; ++i) {
                const Ns t = i % 2 == 0 ? randomRange(random, shown->trace().span()).begin
                                        : edges[static_cast<std::size_t>(random()) % edges.size()];
                const auto after = std::ranges::upper_bound(edges, t);
                const auto from = std::ranges::lower_bound(edges, t);
                EXPECT_EQ(view::nextEdge(strip, t, +1),
                          after == edges.end() ? std::nullopt : std::optional(*after));
                EXPECT_EQ(view::nextEdge(strip, t, -1),
                          from == edges.begin() ? std::nullopt : std::optional(*std::prev(from)));
                Ns nearest = std::abs(edges.front() - t);
                for (const Ns edge : edges)
                    nearest = std::min(nearest, std::abs(edge - t));
                const auto snapped = view::nearestEdge(strip, t, 5000);
                EXPECT_EQ(snapped.has_value(), nearest <= 5000);
                EXPECT_TRUE(!snapped || std::abs(*snapped - t) == nearest);
            }
        }
}

TEST(Rulers, ShiftAndDragMeasureFromEdgeToEdge) {
    CanvasOnScreen t(smallShown());
    const QRect memset = t.canvas.map().rectsOf(1).front();
    const int y = memset.center().y();
    t.drag({memset.left() + 3, y}, {memset.right() - 3, y}, Qt::ShiftModifier);
    EXPECT_EQ(t.canvas.selection().range(), t.canvas.shown()->trace().time(1)) << "both ends snapped";
    EXPECT_EQ(t.canvas.selection().picked(), view::Selection::Picked::Range);
    EXPECT_TRUE(t.canvas.viewport().isFit()) << "measuring does not pan";
    t.drag({memset.left() + 3, y}, {memset.right() - 3, y}, Qt::ShiftModifier | Qt::AltModifier);
    EXPECT_NE(t.canvas.selection().range(), t.canvas.shown()->trace().time(1))
        << "with Alt held nothing snaps";
}

TEST(Rulers, SnapToOtherLanesWhereTheOwnOneHasNoEdge) {
    CanvasOnScreen t(smallShown());
    const int y = t.canvas.map().rectsOf(0).front().center().y(); // the lane of the H2D copy alone
    const Ns begin = 1'300'000, end = 1'450'000;                  // of the kernel and of the D2H copy
    t.drag({columnOf(t.canvas, begin) + 2, y}, {columnOf(t.canvas, end) - 2, y}, Qt::ShiftModifier);
    EXPECT_EQ(t.canvas.selection().range(), (Interval{begin, end}));
}

TEST(Rulers, CanBeTakenAndMoved) {
    CanvasOnScreen t(smallShown());
    t.canvas.measure(Interval{1'000'000, 1'100'000});
    const int y = t.canvas.height() - 4;
    t.drag({columnOf(t.canvas, 1'100'000), y}, {columnOf(t.canvas, 1'250'000), y});
    EXPECT_EQ(t.canvas.selection().range(), (Interval{1'000'000, 1'250'000}));
    t.drag({columnOf(t.canvas, 1'000'000), y}, {columnOf(t.canvas, 1'400'000), y});
    EXPECT_EQ(t.canvas.selection().range(), (Interval{1'250'000, 1'400'000}))
        << "past the other one they change places";
}

TEST(Rulers, WorkWithKeysAlone) {
    CanvasOnScreen t(smallShown());
    QTest::keyClick(&t.canvas, Qt::Key_M);
    EXPECT_EQ(t.canvas.selection().range(), t.canvas.viewport().visible())
        << "nothing selected: all that is seen";
    QTest::keyClick(&t.canvas, Qt::Key_M);
    EXPECT_EQ(t.canvas.selection().range(), std::nullopt);
    const QRect kernel = t.canvas.map().rectsOf(2).back(); // in its stream, which also holds the D2H copy
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {}, kernel.center());
    QTest::keyClick(&t.canvas, Qt::Key_M);
    EXPECT_EQ(t.canvas.selection().range(), (Interval{1'300'000, 1'400'000}));
    QTest::keyClick(&t.canvas, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(t.canvas.selection().range(), (Interval{1'300'000, 1'450'000}));
    QTest::keyClick(&t.canvas, Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(t.canvas.selection().range(), (Interval{1'300'000, 1'550'000}));
    QTest::keyClick(&t.canvas, Qt::Key_Right, Qt::ShiftModifier | Qt::ControlModifier);
    EXPECT_EQ(t.canvas.selection().range(), (Interval{1'400'000, 1'550'000}));
    QTest::keyClick(&t.canvas, Qt::Key_Left, Qt::ShiftModifier);
    EXPECT_EQ(t.canvas.selection().range(), (Interval{1'400'000, 1'450'000}));
    QTest::keyClick(&t.canvas, Qt::Key_Escape);
    EXPECT_EQ(t.canvas.selection().range(), std::nullopt);
}

TEST(Rulers, AnotherRecordingIsNotMeasured) {
    CanvasOnScreen t(smallShown());
    QTest::keyClick(&t.canvas, Qt::Key_M);
    t.canvas.setShown(randomShown(9));
    EXPECT_EQ(t.canvas.selection().range(), std::nullopt);
    t.canvas.setShown(nullptr);
    for (const Qt::Key key : {Qt::Key_M, Qt::Key_T, Qt::Key_BracketLeft, Qt::Key_Period, Qt::Key_F})
        QTest::keyClick(&t.canvas, key);
    EXPECT_EQ(t.canvas.selection().range(), std::nullopt) << "nothing is shown, nothing is measured";
}

TEST(Inspector, ShowsTheNumbersOfARangeAndCopiesThem) {
    const view::ViewDataPtr shown = smallShown();
    Inspector inspector;
    const Interval range{1'000'000, 1'200'000};
    inspector.showRange(shown, range);
    const QString text = inspector.toPlainText();
    EXPECT_TRUE(text.contains(QStringLiteral("Measured: 200"))) << text.toStdString();
    for (const auto& [name, value] : rangeFields(*shown, view::measureRange(*shown, range)))
        EXPECT_TRUE(text.contains(name) && text.contains(value)) << name.toStdString();
    emit inspector.anchorClicked(QUrl(QStringLiteral("copy:table")));
    EXPECT_EQ(QGuiApplication::clipboard()->text(), rangeTable(*shown, view::measureRange(*shown, range)));
    emit inspector.anchorClicked(QUrl(QStringLiteral("copy:text")));
    EXPECT_EQ(QGuiApplication::clipboard()->text(), rangeText(*shown, view::measureRange(*shown, range)));
}

TEST(Rulers, NumbersAreCopiedAsTextAndAsTable) {
    CanvasOnScreen t(smallShown());
    t.canvas.measure(Interval{1'000'000, 1'200'000});
    QTest::keyClick(&t.canvas, Qt::Key_C, Qt::ControlModifier);
    const QString text = QGuiApplication::clipboard()->text();
    EXPECT_TRUE(text.contains(QStringLiteral("Lasts: 200.000"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("copy H2D: 50 %"))) << text.toStdString();
    QTest::keyClick(&t.canvas, Qt::Key_T);
    const QStringList rows =
        QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString& row : rows)
        EXPECT_EQ(row.count(QLatin1Char('\t')), 3) << row.toStdString();
    EXPECT_TRUE(rows.contains(QStringLiteral("copy H2D\t100000\t0.5\t1")));
    EXPECT_TRUE(rows.contains(QStringLiteral("compute\t50000\t0.25\t1")));
    EXPECT_TRUE(rows.contains(QStringLiteral("no engine\t50000\t0.25\t")));
    EXPECT_TRUE(rows.contains(QStringLiteral("copy D2H\t0\t0\t0"))) << "idle lanes too";
}

TEST(Rulers, YCopiesALinkToWhatIsSeen) {
    CanvasOnScreen t(smallShown());
    t.canvas.select(0);
    t.canvas.measure(Interval{1'000'000, 1'200'007});
    QTest::keyClick(&t.canvas, Qt::Key_Y);
    const QString link = QGuiApplication::clipboard()->text();
    const Ns zero = t.canvas.shown()->zero();
    const auto ms = [&](Ns t) {
        return QString::number(static_cast<double>(t - zero) / 1e6, 'g', 12) + "ms";
    };
    const Interval seen = t.canvas.viewport().visible();
    EXPECT_EQ(link, "#t=" + ms(seen.begin) + ".." + ms(seen.end) +
                        "&op=" + numberText(t.canvas.shown()->trace(), 0) +
                        (isDeviceClass(t.canvas.shown()->trace().cls(0)) ? "" : "h") +
                        "&range=" + ms(1'000'000) + ".." + ms(1'200'007));
}
