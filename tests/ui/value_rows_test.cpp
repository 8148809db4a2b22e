// Rows that show a value over time: GB/s of copies. Folded until somebody opens them, drawn as high as the
// value, never taken for activities.
#include "canvas_fixture.h"
#include "patience.h"
#include "test_places.h"

#include <olab/sim/sim_backend.h>
#include <olab/ui/main_window.h>
#include <olab/ui/picture.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_view.h>

#include <timeline/rows/row_layout.h>
#include <timeline/rows/row_names.h>
#include <timeline/rows/timeline_rows.h>

#include <QAccessible>
#include <QSignalSpy>

#include <gtest/gtest.h>

#include <algorithm>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

ActivityRecord copyOf(ActivityClass cls, Ns begin, Ns end, std::int64_t bytes) {
    ActivityRecord r = deviceWork(cls, begin, end, 13);
    r.bytes = bytes;
    return r;
}

/// H2D at 10 GB/s, idle, at 5 GB/s; a kernel over all of it; a copy back whose size nobody knows.
view::ViewDataPtr ratesShown() {
    return test::shownOf({copyOf(ActivityClass::MemcpyH2D, 0, 100'000, 1'000'000),
                          copyOf(ActivityClass::MemcpyH2D, 200'000, 300'000, 500'000),
                          copyOf(ActivityClass::MemcpyD2H, 310'000, 320'000, 0),
                          deviceWork(ActivityClass::Kernel, 0, 400'000, 14)});
}

const Row* valueRow(const TimelineCanvas& canvas, const char* label) {
    for (const Row& row : canvas.rows().layout().rows)
        if (row.lane && row.label.startsWith(QLatin1String(label))) // "..." while it is found out
            return &row;
    return nullptr;
}

const Row* heading(const TimelineCanvas& canvas, const char* label) {
    for (const Row& row : canvas.rows().layout().rows)
        if (row.kind == Row::Kind::Group && row.label == QLatin1String(label))
            return &row;
    return nullptr;
}

struct Opened : CanvasOnScreen {
    explicit Opened(view::ViewDataPtr shown)
        : CanvasOnScreen(std::move(shown)) {
        const Row* group = heading(canvas, "Copy throughput");
        if (group)
            QTest::mouseClick(&canvas, Qt::LeftButton, {}, canvas.map().rectOf(*group).center());
        isThere = QTest::qWaitFor([&] { return all() > 0 && made() == all(); }, kPatience);
    }
    std::ptrdiff_t all() { // "... throughput ..." while it is found out
        return std::ranges::count_if(canvas.rows().layout().rows, [](const Row& row) {
            return row.lane && row.label.contains(QStringLiteral("throughput"));
        });
    }
    std::ptrdiff_t made() {
        return std::ranges::count_if(canvas.rows().layout().rows,
                                     [](const Row& row) { return bool(row.values); });
    }
    QPoint at(const Row& row, Ns time, double height) { // of the scale: 0 is the foot
        const QRect place = canvas.map().rectOf(row);
        const int foot = place.top() + Row::kInset + row.stripHeight - 1;
        return {canvas.map().rectOf(Interval{time, time + 1}).left(),
                foot - static_cast<int>(height * (row.stripHeight - 1))};
    }
    bool isThere = false;
};

QByteArray pictureOf(const char* ending, const TimelineCanvas& canvas) {
    PictureRequest request;
    request.rows = canvas.rows().choices();
    request.opened = canvas.rows().drawn().opened();
    return pictureFormatOf(QStringLiteral("x.") + QLatin1String(ending)).make(*canvas.shown(), request);
}

} // namespace

TEST(ValueRows, AreFoldedAndNothingIsMadeUntilSomebodyOpensThem) {
    CanvasOnScreen t(ratesShown());
    const Row* group = heading(t.canvas, "Copy throughput");
    ASSERT_NE(group, nullptr);
    EXPECT_TRUE(group->folded);
    EXPECT_EQ(valueRow(t.canvas, "H2D throughput"), nullptr);
    EXPECT_TRUE(t.canvas.rows().drawn().opened().empty());
    EXPECT_FALSE(pictureOf("svg", t.canvas).contains("throughput")) << "no heading of what nobody opened";
    t.canvas.setShown(shownOf({deviceWork(ActivityClass::Kernel, 0, 100, 13)}));
    EXPECT_EQ(heading(t.canvas, "Copy throughput"), nullptr) << "nothing was copied";
}

TEST(ValueRows, AreAsHighAsTheValueInTheColourOfTheirClass) {
    Opened t(ratesShown());
    ASSERT_TRUE(t.isThere);
    const Row* row = valueRow(t.canvas, "H2D throughput");
    ASSERT_NE(row, nullptr);
    EXPECT_EQ(scaleText(*row), QStringLiteral("0 to 10.0 GB/s"));
    const Theme& theme = Theme::of(t.canvas.palette());
    const QImage image = t.canvas.grab().toImage();
    const auto colour = [&](Ns time, double height) { return colourAt(image, t.at(*row, time, height)); };
    EXPECT_EQ(colour(50'000, 0.9), theme.colour(ActivityClass::MemcpyH2D));
    EXPECT_EQ(colour(250'000, 0.4), theme.colour(ActivityClass::MemcpyH2D)) << "half of the scale";
    EXPECT_NE(colour(250'000, 0.6), theme.colour(ActivityClass::MemcpyH2D));
    EXPECT_EQ(colour(150'000, 0.1), theme.base) << "nothing was copied";
    EXPECT_EQ(scaleText(*valueRow(t.canvas, "D2H throughput")), QStringLiteral("no sizes known"));
    EXPECT_EQ(leftOutText(*valueRow(t.canvas, "D2H throughput")),
              QStringLiteral("1 copy is not in it: its size or time was not recorded."));
}

TEST(ValueRows, SayTheValueUnderThePointerAndSelectNoActivity) {
    Opened t(ratesShown());
    ASSERT_TRUE(t.isThere);
    const Row* row = valueRow(t.canvas, "H2D throughput");
    EXPECT_TRUE(valueText(*row, {50'000, 50'100})
                    .startsWith(QStringLiteral("H2D throughput: 10.0 GB/s here (1000 B in 100 ns)")))
        << valueText(*row, {50'000, 50'100}).toStdString();
    EXPECT_EQ(averageText(*row, {0, 200'000}), QStringLiteral("5.00 GB/s"));
    EXPECT_EQ(averageText(*row, {120'000, 180'000}), QStringLiteral("0 GB/s"));
    const QPoint point = t.at(*row, 50'000, 0.5);
    EXPECT_EQ(t.canvas.map().activityAt(point), std::nullopt);
    t.canvas.select(ActivityIndex{0});
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {}, point);
    EXPECT_EQ(t.canvas.selection().activity(), std::nullopt);
    EXPECT_EQ(t.canvas.rows().layout().of(t.canvas.rows().inUse()), row) << "its keys work on it";
    for (const int key : {Qt::Key_Period, Qt::Key_Comma, Qt::Key_BracketRight, Qt::Key_O, Qt::Key_M})
        QTest::keyClick(&t.canvas, static_cast<Qt::Key>(key));
    QTest::keyClick(&t.canvas, Qt::Key_Right, Qt::ShiftModifier);
    QTest::mouseDClick(&t.canvas, Qt::LeftButton, {}, point);
    (void)t.canvas.grab(); // with the tags of the range
    const Row* again = valueRow(t.canvas, "H2D throughput");
    ASSERT_NE(again, nullptr);
    QTest::keyClick(&t.canvas, Qt::Key_P);
    ASSERT_TRUE(valueRow(t.canvas, "H2D throughput")->pinned);
    EXPECT_NE(valueRow(t.canvas, "H2D throughput")->values, nullptr);
    QTest::keyClick(&t.canvas, Qt::Key_H);
    EXPECT_EQ(valueRow(t.canvas, "H2D throughput"), nullptr);
}

TEST(ValueRows, AreHeardAsWhatTheyShow) {
    Opened t(ratesShown());
    ASSERT_TRUE(t.isThere);
    QAccessibleInterface& reader = *QAccessible::queryAccessibleInterface(&t.canvas);
    QString name, value;
    for (int i = 0; i < reader.childCount(); ++i)
        if (const QString text = reader.child(i)->text(QAccessible::Name);
            text.startsWith(QStringLiteral("H2D throughput"))) {
            name = text;
            value = reader.child(i)->text(QAccessible::Value);
        }
    EXPECT_EQ(name, QStringLiteral("H2D throughput, GPU 0, at most 10.0 GB/s, 3.75 GB/s on average"));
    EXPECT_TRUE(value.startsWith(QStringLiteral("in view 3."))) << value.toStdString();
}

TEST(ValueRows, StayOpenInTheNextRecordingAndGoWithPictures) {
    Opened t(ratesShown());
    ASSERT_TRUE(t.isThere);
    EXPECT_EQ(RowChoices::fromJson(t.canvas.rows().choices().toJson()), t.canvas.rows().choices());
    for (const char* ending : {"svg", "html"})
        EXPECT_TRUE(pictureOf(ending, t.canvas).contains("0 to 10.0 GB/s")) << ending;
    const auto opened = t.canvas.rows().drawn().opened();
    t.canvas.setShown(ratesShown());
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            const Row* row = valueRow(t.canvas, "H2D throughput");
            return row && row->values;
        },
        kPatience));
    const Row* group = heading(t.canvas, "Copy throughput");
    QTest::mouseClick(&t.canvas, Qt::LeftButton, {}, t.canvas.map().rectOf(*group).center());
    EXPECT_EQ(valueRow(t.canvas, "H2D throughput"), nullptr);
    EXPECT_TRUE(t.canvas.rows().drawn().opened().empty()) << "what nobody looks at takes no memory";
    t.canvas.rows().showAll();
    EXPECT_NE(valueRow(t.canvas, "H2D throughput"), nullptr);
    t.canvas.rows().reset();
    EXPECT_EQ(valueRow(t.canvas, "H2D throughput"), nullptr);
}

TEST(ValueRows, SayWhatIsNotInThem) {
    Opened t(shownOf({copyOf(ActivityClass::MemcpyH2D, 0, 100'000, 1'000'000),
                      copyOf(ActivityClass::MemcpyH2D, 200'000, 300'000, 0),
                      copyOf(ActivityClass::MemcpyH2D, 400'000, 500'000, 0)}));
    ASSERT_TRUE(t.isThere);
    const Row* row = valueRow(t.canvas, "H2D throughput");
    EXPECT_EQ(scaleText(*row), QStringLiteral("0 to 10.0 GB/s *"));
    const QString left = QStringLiteral("2 copies are not in it: their size or time was not recorded.");
    EXPECT_TRUE(row->help().endsWith(left)) << row->help().toStdString();
    EXPECT_TRUE(valueText(*row, {250'000, 250'100}).endsWith(left)) << "where there is one of them, too";
    EXPECT_TRUE(QString::fromUtf8(pictureOf("html", t.canvas))
                    .contains(QStringLiteral("* H2D throughput: 2 copies are not in it")));
}

TEST(ValueRows, OfAMeasuredRunAreTheRatesOfItsCopiesInTheWindowAndItsPictures) {
    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window{session, {.remember = false, .askBeforeClose = false}};
    window.resize(1280, 720);
    window.show();
    const QSignalSpy spy(&window, &MainWindow::recordingShown);
    window.open(QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings/default-h200.olab"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return spy.count() > 0; }, kPatience));
    TimelineCanvas& canvas = window.timeline().canvas();
    const Trace& trace = canvas.shown()->trace();
    std::int64_t total = 0;
    double fastest = 0; // none crosses another
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        if (trace.cls(i) == ActivityClass::MemcpyH2D) {
            total += trace.bytes(i);
            fastest = std::max(fastest,
                               static_cast<double>(trace.bytes(i)) / static_cast<double>(trace.duration(i)));
        }
    ASSERT_GT(total, 0);
    canvas.rows().toggleGroup(QStringLiteral("gpu0/copy throughput"));
    const auto values = [&] {
        const Row* row = valueRow(canvas, "H2D throughput");
        return row ? row->values : nullptr;
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return values() != nullptr; }, kPatience));
    EXPECT_EQ(values()->total(), total);
    EXPECT_EQ(values()->in(trace.span()), total);
    EXPECT_NEAR(values()->peak(), fastest, 1e-9);
    EXPECT_EQ(values()->leftOut(), 0u);
    (void)window.grab();
    const QString svg = QString::fromUtf8(pictureOf("svg", canvas));
    EXPECT_TRUE(svg.contains(QStringLiteral("H2D throughput")));
    EXPECT_TRUE(svg.contains(QStringLiteral("0 to 52.3 GB/s"))) << "16 MiB in 321 us";
}
