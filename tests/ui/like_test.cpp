// A recording made an experiment in the window.
#include "patience.h"
#include "test_places.h"

#include <olab/experiment/recorded_work.h>
#include <olab/sim/sim_backend.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>

#include <window/messages/message_bars.h>
#include <window/rooms/like_room.h>

#include <QSignalSpy>
#include <QTest>
#include <QWidget>

#include <gtest/gtest.h>

#include <memory>

using namespace olab;
using namespace olab::ui;

namespace {

struct LikeWindow {
    LikeWindow() {
        window.resize(1280, 720);
        window.show();
    }
    bool waitUntilIdle() {
        return QTest::qWaitFor([&] { return !session.busy(); }, test::kPatience);
    }
    bool show(const char* recording) {
        window.open(
            QStringLiteral(OLAB_SOURCE_DIR "/resources/recordings/%1.olab").arg(QLatin1String(recording)));
        return waitUntilIdle();
    }
    LikeRoom& room() { return *window.findChild<LikeRoom*>(); }
    QString notice() { return window.findChild<NoticeBar*>()->text(); }

    Session session{{[] { return std::make_unique<sim::SimBackend>(); }, {}}};
    MainWindow window{session};
};

TEST(LikeRoom, RunsWhatIsShownAgainAndSaysHowWell) {
    LikeWindow w;
    ASSERT_TRUE(w.show("pageable-h200"));
    QSignalSpy judged(&w.room(), &LikeRoom::judged);
    w.room().make();
    ASSERT_TRUE(w.waitUntilIdle());
    ASSERT_EQ(judged.count(), 1);
    EXPECT_TRUE(w.notice().startsWith(QStringLiteral("Run again as it was recorded")))
        << w.notice().toStdString();
    ASSERT_TRUE(experiment::recordedWorkOf(w.window.form().experiment()));
    EXPECT_FALSE(w.window.form().editor("h2d.bytes")->isEnabled());
    EXPECT_TRUE(w.window.form().editor("h2d.memory")->isEnabled());

    experiment::HeldExperiment changed = w.window.form().experiment();
    experiment::setOption(changed, "h2d.memory", "pinned");
    experiment::setOption(changed, "d2h.memory", "pinned");
    w.window.form().setExperiment(changed);
    w.window.run();
    ASSERT_TRUE(w.waitUntilIdle());
    EXPECT_TRUE(w.notice().startsWith(QStringLiteral("Your pipeline with h2d.memory=pinned")))
        << w.notice().toStdString();
}

TEST(LikeRoom, TakesWhatIsBetweenTheRulers) {
    LikeWindow w;
    ASSERT_TRUE(w.show("default-h200"));
    const Interval all = w.window.shown()->trace().deviceSpan();
    w.window.timeline().canvas().measure(Interval{all.begin, all.begin + all.length() / 4});
    w.room().make();
    ASSERT_TRUE(w.waitUntilIdle());
    ASSERT_TRUE(experiment::recordedWorkOf(w.window.form().experiment()));
    EXPECT_LT(experiment::recordedWorkOf(w.window.form().experiment())->makespan, all.length() / 2);
}

TEST(LikeRoom, AWindowWithoutWorkIsSaid) {
    LikeWindow w;
    ASSERT_TRUE(w.show("default-h200"));
    const Interval all = w.window.shown()->trace().span();
    w.window.timeline().canvas().measure(Interval{all.end + 10, all.end + 20});
    w.room().make();
    EXPECT_FALSE(w.session.busy());
    EXPECT_FALSE(experiment::recordedWorkOf(w.window.form().experiment()));
}

} // namespace
