// What the probe says of frames, by events handed to it.
#include <olab/ui/frame_probe.h>

#include <QEvent>
#include <QSignalSpy>
#include <QTest>
#include <QWidget>

#include <gtest/gtest.h>

using namespace olab;
using namespace olab::ui;

namespace {

struct Probed {
    FrameProbe probe;
    QWidget widget;
    QStringList lines;
    void turn(QEvent::Type outer, int ms, bool paints) {
        const QEvent event(outer), paint(QEvent::Paint);
        probe.begin(&widget, &event);
        if (paints) {
            probe.begin(&widget, &paint);
            QTest::qSleep(ms);
            probe.end();
        } else
            QTest::qSleep(ms);
        probe.end();
    }
    void log() {
        probe.setLog([this](const QString& line) { lines << line; });
    }
};

} // namespace

TEST(FrameProbe, NamesWhatTookLongestAndWhatWasDoneBefore) {
    Probed t;
    t.log();
    EXPECT_TRUE(t.probe.isOn());
    t.turn(QEvent::Wheel, 0, false);
    EXPECT_TRUE(t.lines.isEmpty()) << "short, and nothing painted";
    t.turn(QEvent::UpdateRequest, 2, true);
    ASSERT_EQ(t.lines.size(), 1);
    EXPECT_TRUE(t.lines[0].startsWith(QLatin1String("frame "))) << t.lines[0].toStdString();
    EXPECT_TRUE(t.lines[0].contains(QLatin1String("QWidget "))) << t.lines[0].toStdString();
    EXPECT_TRUE(t.lines[0].endsWith(QLatin1String(" after Wheel"))) << t.lines[0].toStdString();
    t.turn(QEvent::MetaCall, 20, false);
    ASSERT_EQ(t.lines.size(), 2) << "slow, without a frame";
    EXPECT_TRUE(t.lines[1].contains(QLatin1String("MetaCall to QWidget"))) << t.lines[1].toStdString();
}

TEST(FrameProbe, ShowsNewsWithTheNextInputOnly) {
    Probed t;
    EXPECT_FALSE(t.probe.isOn());
    t.probe.setShown(true);
    QSignalSpy news(&t.probe, &FrameProbe::news);
    for (int i = 0; i < 600; ++i)
        t.turn(QEvent::UpdateRequest, i == 7 ? 5 : 0, true);
    EXPECT_EQ(news.count(), 0) << "a frame must not cause the next one";
    t.turn(QEvent::KeyPress, 0, false);
    EXPECT_EQ(news.count(), 1);
    const FrameTimes times = t.probe.times();
    EXPECT_EQ(times.frames, 600u);
    EXPECT_GE(times.longest, 5);
    EXPECT_LE(times.median, times.percentile99);
    EXPECT_LE(times.percentile99, times.longest);
    t.probe.setShown(true);
    EXPECT_EQ(t.probe.times().frames, 0u) << "begins anew";
}

TEST(FrameProbe, AnEndWithoutABeginIsNothing) {
    FrameProbe probe;
    probe.end();
    EXPECT_EQ(probe.times().frames, 0u);
}
