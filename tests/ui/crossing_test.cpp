// What crosses within a lane is drawn and found: kernels launched programmatically before their predecessor
// ends, activities of no length, nested ones, and very many at once.
#include "canvas_fixture.h"

#include <timeline/rows/timeline_rows.h>

#include <gtest/gtest.h>

#include <algorithm>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

using enum ActivityClass;

ActivityRecord hostWork(ActivityClass cls, const char* name, Ns begin, Ns end, std::uint32_t thread) {
    ActivityRecord r;
    r.cls = cls;
    r.thread = thread;
    r.name = textId(name);
    r.begin = begin;
    r.end = end;
    return r;
}

/// Each kernel of stream 13 begins before the one before it ends; stream 14 works on the same engine.
std::vector<ActivityRecord> crossingRecords() {
    std::vector<ActivityRecord> records;
    for (Ns k = 0; k < 40; ++k) // programmatic dependent launches
        records.push_back(deviceWork(Kernel, 100'000 + k * 10'000, 112'000 + k * 10'000, 13));
    records.push_back(deviceWork(Kernel, 150'000, 400'000, 14)); // these cross it, and lie in it
    for (Ns k = 0; k < 10; ++k)
        records.push_back(deviceWork(Memset, 155'000 + k * 20'000, 156'000 + k * 20'000, 14));
    records.push_back(deviceWork(Memset, 200'000, 200'000, 14)); // of no length: inside another
    records.push_back(deviceWork(Memset, 400'000, 400'000, 14)); // where one ends
    records.push_back(deviceWork(Memset, 450'000, 450'000, 14)); // two at one time
    records.push_back(deviceWork(Memset, 450'000, 450'000, 14));
    records.push_back(deviceWork(Kernel, 450'000, 460'000, 14)); // and one that begins there
    records.push_back(deviceWork(MemcpyH2D, 90'000, 90'000, 15));
    records.push_back(hostWork(Api, "cudaDeviceSynchronize", 300'000, 520'000, 4711));
    records.push_back(hostWork(Sync, "context synchronize", 300'500, 519'000, 4711));
    records.push_back(hostWork(Api, "cuCtxSynchronize", 300'400, 519'500, 4711));
    records.push_back(hostWork(Overhead, "CUPTI buffer flush", 310'000, 530'000, 4711)); // crosses the call
    records.push_back(hostWork(Overhead, "CUPTI resource", 320'000, 320'000, 4711));
    for (Ns k = 0; k < 20; ++k)
        records.push_back(hostWork(Api, "cudaLaunchKernel", 90'000 + k * 2'000, 91'500 + k * 2'000, 4711));
    return records;
}

bool isDrawnAt(const TimelineCanvas& canvas, ActivityIndex activity, QPoint point, int reach) {
    return std::ranges::any_of(canvas.map().rectsOf(activity), [&](const QRect& rect) {
        return rect.adjusted(-reach, -reach, reach, reach).contains(point);
    });
}

/// In the whole run something that is drawn there is found; near enough, each one itself.
void expectEachIsFound(TimelineCanvas& canvas, std::size_t lanes) {
    const auto size = static_cast<ActivityIndex>(canvas.shown()->trace().size());
    for (ActivityIndex a = 0; a < size; ++a) {
        canvas.fit();
        for (const QRect& rect : canvas.map().rectsOf(a)) {
            const auto found = canvas.map().activityAt(rect.center());
            ASSERT_TRUE(found) << a;
            ASSERT_TRUE(isDrawnAt(canvas, *found, rect.center(), 0)) << a << " hides " << *found;
        }
        canvas.zoomTo(a);
        const auto rects = canvas.map().rectsOf(a);
        ASSERT_EQ(rects.size(), isDeviceClass(canvas.shown()->trace().cls(a)) ? lanes : 1u) << a;
        for (const QRect& rect : rects) {
            const auto found = canvas.map().activityAt(rect.center());
            // On a fine screen one pixel of the pointer may hold two columns: one of the two is found.
            const bool alone = rect.width() > 1 || canvas.devicePixelRatioF() <= 1;
            ASSERT_TRUE(found);
            ASSERT_TRUE(alone ? *found == a : isDrawnAt(canvas, *found, rect.center(), 0))
                << *found << " where " << a << " is drawn";
        }
    }
}

void expectFoundOnlyWhereDrawn(const TimelineCanvas& canvas, std::uint32_t seed) {
    std::mt19937 random(seed);
    for (int i = 0; i < 2000; ++i) {
        const QPoint point(static_cast<int>(random() % 1000), static_cast<int>(random() % 520));
        if (const auto found = canvas.map().activityAt(point)) {
            ASSERT_TRUE(isDrawnAt(canvas, *found, point, 4)) << point.x() << ", " << point.y();
        }
    }
}

} // namespace

TEST(Crossing, EveryActivityIsFoundWhereItIsDrawnAndNowhereElse) {
    CanvasOnScreen t(shownOf(crossingRecords()));
    t.canvas.resize(1000, 900);
    expectEachIsFound(t.canvas, 2);
    for (int zoom = 0; zoom < 12; ++zoom) {
        expectFoundOnlyWhereDrawn(t.canvas, 7);
        t.canvas.zoomAt(560, 0.6);
    }
}

TEST(Crossing, AllButTheUnseenTouchTheirOwnPixels) {
    CanvasOnScreen t(shownOf(crossingRecords()));
    t.canvas.resize(1000, 900);
    const Trace& trace = t.canvas.shown()->trace();
    for (ActivityIndex a = 0; a < trace.size(); ++a)
        for (ActivityIndex b = a + 1; b < trace.size(); ++b) {
            if (trace.time(a).end <= trace.time(b).begin && trace.time(a) != trace.time(b))
                continue;
            t.canvas.zoomTo(b);
            for (const QRect& mine : t.canvas.map().rectsOf(a))
                for (const QRect& other : t.canvas.map().rectsOf(b))
                    ASSERT_FALSE(mine.intersects(other)) << a << " lies on " << b;
        }
}

TEST(Crossing, MoreThanABytesWorthIsFoundToo) {
    std::vector<ActivityRecord> records;
    for (Ns k = 0; k < 300; ++k) // each lies in the one before it: a stack
        records.push_back(deviceWork(Kernel, 1'000 * k, 2'000'000 - 1'000 * k, 13));
    for (Ns k = 0; k < 40; ++k) // and each of these crosses the next
        records.push_back(deviceWork(Kernel, 900'000 + 500 * k, 2'100'000 + 500 * k, 14));
    CanvasOnScreen t(shownOf(records));
    t.canvas.resize(1000, t.canvas.rows().layout().height);
    expectEachIsFound(t.canvas, 2);
}

TEST(Crossing, APixelOverThousandsFindsOneOfThemAndTheBarBehindThem) {
    std::vector<ActivityRecord> records;
    for (Ns k = 0; k < 5'000; ++k) // all in one pixel of a run of ten seconds
        records.push_back(deviceWork(Memset, 5'000'000'000 + 10 * k, 5'000'000'005 + 10 * k, 13));
    records.push_back(deviceWork(Kernel, 5'000'050'000, 9'000'000'000, 13));
    records.push_back(deviceWork(MemcpyH2D, 0, 10'000'000'000, 15));
    CanvasOnScreen t(shownOf(records));
    const ActivityIndex kernel = 5'001;
    for (const QRect& rect : t.canvas.map().rectsOf(kernel)) {
        EXPECT_EQ(t.canvas.map().activityAt(rect.center()), kernel);
        for (int x = rect.left() - 12; x < rect.left() + 12; ++x)
            if (const auto found = t.canvas.map().activityAt({x, rect.center().y()})) {
                EXPECT_TRUE(isDrawnAt(t.canvas, *found, {x, rect.center().y()}, 4)) << x << " " << *found;
            }
    }
    for (const ActivityIndex a : {1u, 2'500u, 4'999u})
        for (const QRect& rect : t.canvas.map().rectsOf(a))
            EXPECT_NE(t.canvas.map().activityAt(rect.center()), std::nullopt);
}
