// A window that nobody touches does nothing: no layout, no paint, no time of a processor.
#include "window_states.h"

#include <results/verdict_strip.h>

#include <QApplication>
#include <QEvent>
#include <QEventLoop>
#include <QTimer>

#include <gtest/gtest.h>

#include <ctime>
#include <map>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

constexpr int kListenMs = 700, kTurns = 40;
constexpr double kShare = 0.01; // of a core

/// Hears what the widgets of the program are asked to do.
class Ear final : public QObject {
public:
    Ear() { qApp->installEventFilter(this); }
    bool eventFilter(QObject* watched, QEvent* event) override {
        const auto type = event->type();
        if (type == QEvent::Paint || type == QEvent::LayoutRequest || type == QEvent::UpdateRequest)
            ++heard[std::string(watched->metaObject()->className()) + (type == QEvent::Paint ? " paints"
                                                                       : type == QEvent::LayoutRequest
                                                                           ? " lays out"
                                                                           : " is updated")];
        return false;
    }
    std::map<std::string, int> heard;
};

double processorSeconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

/// What it did while nobody touched it, in words; empty when that was nothing.
std::string whatItDid() {
    const Ear ear;
    const double before = processorSeconds();
    QEventLoop loop; // as the program does: asleep until something comes
    QTimer::singleShot(kListenMs, &loop, &QEventLoop::quit);
    loop.exec();
    const double used = (processorSeconds() - before) * 1000 / kListenMs;
    std::string did = used < kShare ? "" : "used " + std::to_string(100 * used) + " % of a core\n";
    for (const auto& [what, count] : ear.heard)
        did += what + ' ' + std::to_string(count) + " times in " + std::to_string(kListenMs) + " ms\n";
    return did;
}

/// It may take a while to come to rest, on a busy machine most of all, but come to rest it must.
void expectIdle(const std::string& state) {
    std::string did = whatItDid();
    for (int turn = 1; turn < kTurns && !did.empty(); ++turn)
        did = whatItDid();
    EXPECT_EQ(did, "") << state;
}

} // namespace

TEST(Idle, TheEmptyWindow) {
    const StatefulWindow t;
    expectIdle("empty");
}

TEST(Idle, ARecordingWithEveryPage) {
    StatefulWindow t;
    ASSERT_TRUE(t.open("default-h200"));
    expectIdle("recording");
    for (const char* page : kPages) {
        ASSERT_TRUE(t.window.showPage(QLatin1String(page)));
        expectIdle(page);
    }
}

TEST(Idle, AfterARunOnTheSimulator) {
    StatefulWindow t;
    ASSERT_TRUE(t.run());
    expectIdle("after a run");
}

TEST(Idle, TwoRunsCompared) {
    StatefulWindow t;
    ASSERT_TRUE(t.compareTwo());
    expectIdle("compared");
}

TEST(Idle, AnErrorIsShown) {
    StatefulWindow t;
    t.window.showError({ErrorKind::Usage, "test", "Something went wrong.", "Do it again."});
    expectIdle("error");
}

TEST(Idle, DarkAndOnAProjector) {
    StatefulWindow t;
    ASSERT_TRUE(t.compareTwo());
    t.window.setTheme(ThemeChoice::Dark);
    expectIdle("dark");
    t.window.setProjector(true);
    expectIdle("projector, dark");
    ASSERT_TRUE(t.window.showPage(QStringLiteral("compare")));
    expectIdle("projector, compared");
    t.window.setTheme(ThemeChoice::Light);
    expectIdle("projector, light");
}

TEST(Idle, ANarrowWindowWhereTheVerdictsWrap) {
    StatefulWindow t({820, 720});
    ASSERT_TRUE(t.open("two-gpus-p2p-h200"));
    expectIdle("narrow");
    const auto& strip = *t.window.findChild<VerdictStrip*>();
    EXPECT_GT(strip.height(), strip.sizeHint().height()) << "several rows";
    EXPECT_EQ(strip.height(), strip.heightForWidth(strip.width()));
}
