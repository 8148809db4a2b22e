// What a program that is being recorded did in the last seconds: the file grows under the eyes of the window,
// written by the test, while a stand-in for the command line runs.
#include "patience.h"
#include "usual_look.h"

#include <olab/sim/sim_backend.h>
#include <olab/trace/container.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>
#include <olab/ui/timeline_canvas.h>
#include <olab/ui/timeline_view.h>
#include <olab/ui/window_options.h>

#include <results/headline_line.h>
#include <results/ledger_row.h>
#include <tracing/recorded_strip.h>
#include <tracing/trace_dialog.h>
#include <tracing/watch_page.h>
#include <window/files.h>
#include <window/messages/message_bars.h>
#include <window/messages/messages.h>
#include <window/rooms/trace_room.h>
#include <window/window_parts.h>

#include <QComboBox>
#include <QFile>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <gtest/gtest.h>

#include <ctime>
#include <optional>

using namespace olab;
using namespace olab::ui;
using namespace olab::test;

namespace {

constexpr Ns kMs = 1'000'000, kSecond = 1'000 * kMs;

/// A recording that grows.
class Growing {
public:
    explicit Growing(const QString& path)
        : m_file(path.toStdString())
        , m_records(m_file)
        , m_now(static_cast<Ns>(std::time(nullptr)) * kSecond) {
        m_records.add(ProvenanceRecord{SourceKind::Traced, "Overlap Lab", "1", ""});
        m_records.add(DeviceRecord{.device = 0, .name = "GPU of a test"});
        m_records.add(ContextRecord{1, 0, 7, 0});
        for (const std::uint32_t stream : {13u, 14u})
            m_records.add(StreamRecord{1, stream, StreamKind::NonBlocking, 0, 0});
        m_records.flush();
    }
    Ns now() const { return m_now; }
    /// A second of copies, each followed by a kernel that waited for it.
    void work() {
        for (int i = 0; i < 100; ++i, m_now += 10 * kMs) {
            add(ActivityClass::MemcpyH2D, 1, 4, 13, "cudaMemcpyAsync", {});
            add(ActivityClass::Kernel, 4, 9, 14, "cudaLaunchKernel", "work");
        }
        m_records.flush();
    }
    void pass(Ns time) { m_now += time; }
    void tellSpans(const std::string& spans) {
        m_records.add(EnvironmentRecord{"recorded.spans", spans});
        m_records.flush();
    }
    void finish() { m_file.finish(); }

private:
    void add(ActivityClass cls, int from, int until, std::uint32_t stream, const char* call,
             const char* name) {
        ActivityRecord api;
        api.cls = ActivityClass::Api, api.begin = m_now + (from - 1) * kMs, api.end = api.begin + kMs / 2;
        api.thread = 4711, api.correlation = ++m_correlation, api.name = m_records.intern(call);
        m_records.add(api);
        ActivityRecord r;
        r.cls = cls, r.begin = m_now + from * kMs, r.end = m_now + until * kMs + m_own;
        r.device = 0, r.context = 1, r.stream = stream, r.correlation = m_correlation;
        r.bytes = cls == ActivityClass::Kernel ? 0 : 1 << 20;
        r.name = name ? m_records.intern(name) : TextId{};
        m_records.add(r);
    }
    ContainerWriter m_file;
    RecordWriter m_records;
    Ns m_now;
    std::uint32_t m_correlation = 0;
    static inline Ns s_made = 0;
    const Ns m_own = ++s_made; ///< no two of them are the same
};

class Watch : public testing::Test {
protected:
    Watch()
        : Watch(QString()) {}
    /// `olab`: empty for the stand-in.
    explicit Watch(const QString& olab)
        : m_olab(olab.isEmpty() ? standIn() : olab)
        , m_session({[] { return std::make_unique<sim::SimBackend>(); }, m_olab.toStdString()})
        , m_window(m_session, {.remember = false, .askBeforeClose = false}) {
        m_window.resize(1280, 720);
        m_window.show();
        m_window.activateWindow();
        (void)QTest::qWaitForWindowActive(&m_window, kPatience);
    }
    ~Watch() override { end(); }
    /// Runs until there is a file "end" beside it; answers orders with success.
    QString standIn() {
        const QString path = m_folder.filePath(QStringLiteral("olab"));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\ncase $1 in devices) exit 3;; esac\ncase $2 in --on|--off) exit 0;; esac\n"
                   "echo \"it runs\"\nwhile [ ! -e \"${0%/*}/end\" ]; do sleep 0.02; done\n");
        file.close();
        EXPECT_TRUE(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        return path;
    }
    void end() { QFile(m_folder.filePath(QStringLiteral("end"))).open(QIODevice::WriteOnly); }
    TraceRoom& room() { return *m_window.parts().tracing; }
    WatchPage& page() { return room().page(); }
    TimelineCanvas& canvas() { return page().timeline().canvas(); }
    void start(bool whenTold = false) {
        TraceWish wish;
        wish.program = QStringLiteral("./app");
        wish.folder = m_folder.path();
        wish.whenTold = whenTold;
        room().dialog().setWish(wish);
        room().dialog().start();
        ASSERT_TRUE(room().dialog().isRunning());
    }
    QString path(const char* name = "app.olab") const { return m_folder.filePath(QLatin1String(name)); }
    bool isIn(Room place) { return m_window.parts().centre.isIn(place); }
    template <typename Is>
    static bool waitFor(Is is) {
        return QTest::qWaitFor(is, kPatience);
    }
    bool waitForNews(view::ViewDataPtr before) { // its own: what is shown changes
        return waitFor([&] { return page().shown() && page().shown() != before; });
    }
    QTemporaryDir m_folder;
    QString m_olab;
    UsualLook m_look;
    Session m_session;
    MainWindow m_window;
};

TEST_F(Watch, TheLastSecondsAreSeenWhileTheProgramRuns) {
    start();
    EXPECT_TRUE(isIn(Room::Watch));
    EXPECT_FALSE(room().dialog().isVisible()) << "the timeline has the room";
    ASSERT_TRUE(waitFor([&] { return page().said().contains(QStringLiteral("Nothing is recorded yet")); }))
        << page().said().toStdString();
    Growing file(path());
    file.work();
    ASSERT_TRUE(waitForNews(nullptr));
    const view::ViewDataPtr first = page().shown();
    EXPECT_EQ(first->trace().devices()[0].name, "GPU of a test");
    EXPECT_EQ(first->recording->badge(), "TRACED");
    EXPECT_FALSE(first->recording->report.verdicts.empty()) << "they are judged";
    EXPECT_TRUE(first->account()) << "and accounted for";
    for (int i = 0; i < 7; ++i)
        file.work();
    ASSERT_TRUE(waitForNews(first));
    const Interval seen = canvas().viewport().visible();
    EXPECT_NEAR(static_cast<double>(seen.length()), 5e9, 1e8);
    EXPECT_NEAR(static_cast<double>(seen.end), static_cast<double>(file.now()), 1e8);
    EXPECT_TRUE(page().follows());
}

TEST_F(Watch, LookingCloserHoldsItAndSpaceFollowsAgain) {
    start();
    Growing file(path());
    file.work();
    ASSERT_TRUE(waitForNews(nullptr));
    canvas().zoomAt(600, 0.5);
    EXPECT_FALSE(page().follows());
    const view::ViewDataPtr held = page().shown();
    const Interval seen = canvas().viewport().visible();
    file.work();
    QTest::qWait(2500);
    EXPECT_EQ(page().shown(), held) << "two looks later";
    EXPECT_EQ(canvas().viewport().visible(), seen);
    EXPECT_TRUE(page().said().contains(QStringLiteral("Held"))) << page().said().toStdString();
    canvas().setFocus();
    QTest::keyClick(&canvas(), Qt::Key_Space);
    EXPECT_TRUE(page().follows());
    EXPECT_NE(page().shown(), held) << "what has come meanwhile, at once";
    file.work();
    ASSERT_TRUE(waitForNews(page().shown()));
    EXPECT_TRUE(page().follows());
}

TEST_F(Watch, SelectingHoldsItToo) {
    start();
    Growing file(path());
    file.work();
    ASSERT_TRUE(waitForNews(nullptr));
    canvas().select(ActivityIndex{1});
    EXPECT_FALSE(page().follows());
    page().setFollows(true);
    EXPECT_TRUE(page().follows());
    EXPECT_FALSE(canvas().selection().activity()) << "it would be another one by then";
}

TEST_F(Watch, MarksShowWhereRecordingWasSwitched) {
    start();
    Growing file(path());
    file.work();
    ASSERT_TRUE(waitForNews(nullptr));
    EXPECT_FALSE(page().recorded().isVisible()) << "all the time";
    const Ns off = file.now();
    file.pass(kSecond);
    const Ns on = file.now();
    file.work();
    file.tellSpans(std::to_string(off - 2 * kSecond) + "-" + std::to_string(off) + " " + std::to_string(on) +
                   "-");
    ASSERT_TRUE(waitFor([&] { return page().recorded().marks().size() == 2; }));
    EXPECT_EQ(page().recorded().marks(), (QStringList{QStringLiteral("off"), QStringLiteral("on")}));
    EXPECT_TRUE(page().recorded().isVisible());
}

TEST_F(Watch, AQuietProgramIsSaidToBeQuietAndNothingIsMadeAnew) {
    start();
    Growing file(path());
    file.work();
    ASSERT_TRUE(waitForNews(nullptr));
    const view::ViewDataPtr shown = page().shown();
    const QSignalSpy spy(&page(), &WatchPage::added);
    ASSERT_TRUE(waitFor([&] { return page().said().contains(QStringLiteral("Nothing new for")); }))
        << page().said().toStdString();
    EXPECT_EQ(page().shown(), shown);
    EXPECT_LE(spy.count(), 6) << "once a second";
}

TEST_F(Watch, HowMuchIsLookedAtCanBeChosen) {
    start();
    Growing file(path());
    page().setLength(std::chrono::seconds(1));
    auto* const box = page().findChild<QComboBox*>(QStringLiteral("watchLength"));
    ASSERT_TRUE(box);
    emit box->activated(box->currentIndex());
    for (int i = 0; i < 4; ++i)
        file.work();
    ASSERT_TRUE(waitForNews(nullptr));
    EXPECT_NEAR(static_cast<double>(canvas().viewport().visible().length()), 1e9, 1e8);
}

TEST_F(Watch, LeavingStopsLookingAndTheProgramGoesOn) {
    start();
    Growing file(path());
    file.work();
    ASSERT_TRUE(waitForNews(nullptr));
    ASSERT_TRUE(room().isLooking());
    page().findChild<QPushButton*>(QStringLiteral("watchBack"))->click();
    EXPECT_FALSE(isIn(Room::Watch));
    ASSERT_TRUE(waitFor([&] { return !m_session.busy(); })) << "others may use the engine";
    EXPECT_FALSE(room().isLooking());
    EXPECT_TRUE(room().dialog().isRunning());
    const view::ViewDataPtr before = page().shown();
    file.work();
    room().open(); // Ctrl+T
    EXPECT_TRUE(isIn(Room::Watch));
    ASSERT_TRUE(waitForNews(before));
}

TEST_F(Watch, TheHeadlineLeadsToItsAccountAsARunOfTheList) {
    start();
    Growing file(path());
    file.work();
    ASSERT_TRUE(waitForNews(nullptr));
    const view::ViewDataPtr seen = page().shown();
    auto* const headline = page().findChild<HeadlineLine*>();
    ASSERT_TRUE(headline->isVisible());
    headline->click();
    ASSERT_TRUE(waitFor([&] { return m_window.shown() && !m_session.busy(); }));
    EXPECT_EQ(m_window.shown(), seen);
    EXPECT_TRUE(isIn(Room::Work));
    EXPECT_TRUE(m_window.windowTitle().startsWith(QStringLiteral("Last seconds of app.olab")))
        << m_window.windowTitle().toStdString();
    EXPECT_TRUE(room().dialog().isRunning()) << "the program goes on";
}

TEST_F(Watch, ItsRecordingOpensWhenItHasEnded) {
    start();
    {
        Growing file(path());
        file.work();
        ASSERT_TRUE(waitForNews(nullptr));
        file.finish();
    }
    end();
    ASSERT_TRUE(waitFor([&] { return m_window.shown() && !m_session.busy(); }));
    EXPECT_TRUE(isIn(Room::Work));
    EXPECT_EQ(m_window.shown()->trace().size(), 400u);
    m_window.showPage(QStringLiteral("ledger"));
    const auto waits = m_window.findChildren<LedgerRow*>(QStringLiteral("costlyWait"));
    ASSERT_EQ(waits.size(), 10) << "the ten longest";
    EXPECT_TRUE(waits[0]->accessibleDescription().contains(QStringLiteral("issued by cuda")))
        << waits[0]->accessibleDescription().toStdString();
    waits[0]->click();
    const auto picked = m_window.timeline().canvas().selection().activity();
    ASSERT_TRUE(picked) << "a click goes there";
    EXPECT_TRUE(isDeviceClass(m_window.shown()->trace().cls(*picked)));
    EXPECT_FALSE(room().isLooking());
}

TEST_F(Watch, RecordingsOfSeveralProcessesOpenAsOne) {
    start();
    {
        Growing one(path("app.1234.olab"));
        one.work();
        ASSERT_TRUE(waitForNews(nullptr))
            << "the program itself does not use CUDA: the first that does is seen";
        Growing other(path("app.1235.olab"));
        other.work();
        one.finish();
        other.finish();
    }
    end();
    ASSERT_TRUE(waitFor([&] { return m_window.shown() && !m_session.busy(); }));
    EXPECT_TRUE(isIn(Room::Work));
    EXPECT_EQ(m_window.shown()->trace().size(), 800u);
    EXPECT_EQ(m_window.shown()->trace().ranks().size(), 2u);
}

TEST_F(Watch, WithoutARecordingTheDialogSaysWhy) {
    start();
    end();
    ASSERT_TRUE(waitFor([&] { return room().dialog().isVisible(); }));
    EXPECT_FALSE(isIn(Room::Watch));
    EXPECT_TRUE(room().dialog().said().contains(QStringLiteral("no recording")));
}

TEST_F(Watch, OneThatWaitsIsSwitchedFromThePage) {
    start(true);
    auto* const button = page().findChild<QPushButton*>(QStringLiteral("watchRecord"));
    ASSERT_TRUE(button && button->isVisible());
    EXPECT_EQ(button->text(), QStringLiteral("Record"));
    ASSERT_TRUE(waitFor([&] { return page().said().contains(QStringLiteral("Recording is off")); }));
    button->click();
    EXPECT_TRUE(waitFor([&] { return button->text() == QStringLiteral("Stop recording"); }));
    button->click();
    EXPECT_TRUE(waitFor([&] { return button->text() == QStringLiteral("Record"); }));
}

#ifdef STREAM_CUPTI
/// The real command line and library, and a program whose CUDA is made up.
class WatchTraced : public Watch {
protected:
    WatchTraced()
        : Watch(QStringLiteral(OLAB_PROGRAM)) {
        qputenv("OLAB_CUPTI", STREAM_CUPTI);
        qputenv("XDG_RUNTIME_DIR", m_folder.path().toUtf8());
    }
    ~WatchTraced() override {
        qunsetenv("OLAB_CUPTI");
        qunsetenv("XDG_RUNTIME_DIR");
    }
    void trace(const QString& words, bool whenTold, const QString& options = {}) {
        TraceWish wish;
        wish.program = QStringLiteral(CUDA_PROGRAM);
        wish.arguments = words;
        wish.folder = m_folder.path();
        wish.whenTold = whenTold;
        wish.options = options;
        room().dialog().setWish(wish);
        room().dialog().start();
        ASSERT_TRUE(room().dialog().isRunning());
    }
    bool opens() {
        return waitFor([&] { return m_window.shown() && !m_session.busy(); });
    }
};

TEST_F(WatchTraced, ItIsSeenSwitchedAndOpened) {
    trace(QStringLiteral("cuda wall busy:1 await:end idle"), true);
    auto* const record = page().findChild<QPushButton*>(QStringLiteral("watchRecord"));
    ASSERT_TRUE(waitFor([&] { return page().said().contains(QStringLiteral("Recording is off")); }));
    QTest::qWait(300); // it listens once it uses CUDA
    record->click();
    ASSERT_TRUE(waitForNews(nullptr)) << page().said().toStdString();
    EXPECT_EQ(page().shown()->recording->badge(), "TRACED");
    record->click();
    ASSERT_TRUE(waitFor([&] {
        return page().said().contains(QStringLiteral("Recording is off: nothing new"));
    })) << page().said().toStdString();
    const view::ViewDataPtr before = page().shown();
    record->click();
    ASSERT_TRUE(waitForNews(before));
    ASSERT_TRUE(waitFor([&] { return page().recorded().marks().contains(QStringLiteral("off")); }));
    EXPECT_TRUE(page().recorded().marks().contains(QStringLiteral("on")));
    end();
    ASSERT_TRUE(opens());
    EXPECT_TRUE(isIn(Room::Work));
    EXPECT_TRUE(m_window.shown()->trace().defects().empty());
    const auto spans = recording::spansIn(m_window.shown()->trace().environment().at("recorded.spans"));
    EXPECT_EQ(spans.size(), 2u);
}

TEST_F(WatchTraced, ProcessesThatItStartsOpenWithItOnOneClock) {
    trace(QStringLiteral("cuda wall calls:100 forkexec:cuda,wall,calls:70,await:end await:end"), false,
          QStringLiteral("--children"));
    auto* const process = page().findChild<QComboBox*>(QStringLiteral("watchProcess"));
    ASSERT_TRUE(waitFor([&] { return process->count() == 2; })) << "each can be looked at";
    ASSERT_TRUE(waitForNews(nullptr));
    end();
    ASSERT_TRUE(opens());
    const Trace& merged = m_window.shown()->trace();
    ASSERT_EQ(merged.ranks().size(), 2u);
    for (const RankRecord& rank : merged.ranks()) {
        EXPECT_NE(rank.alignment, RankAlignment::Unaligned);
        EXPECT_EQ(rank.shift, 0) << "one clock";
    }
    EXPECT_EQ(merged.size(), 2u * 170u);
}

/// Recorded from outside, from one instant; opened together they are offered as one.
TEST_F(WatchTraced, ProcessesSwitchedOnTogetherAreOfferedAsOne) {
    QProcess shell;
    shell.setWorkingDirectory(m_folder.path());
    shell.start(QStringLiteral("sh"),
                {QStringLiteral("-c"),
                 QStringLiteral("for n in server client; do " OLAB_PROGRAM
                                " trace --attach-ready --no-analysis -o $n.olab -- " CUDA_PROGRAM
                                " cuda wall busy:1 await:end idle & done; until [ $(" OLAB_PROGRAM
                                " trace --list | wc -l) = 2 ]; do sleep 0.05; done; " OLAB_PROGRAM
                                " trace --on all --for 300ms; touch end; wait")});
    ASSERT_TRUE(waitFor([&] { return shell.state() == QProcess::NotRunning; }));
    m_window.parts().files.openAll({path("server.olab"), path("client.olab")});
    ASSERT_TRUE(waitFor([&] { return !m_session.busy() && m_window.parts().messages.offers().isVisible(); }));
    auto* const merge = m_window.parts().messages.offers().findChild<QAbstractButton*>();
    ASSERT_TRUE(merge);
    merge->click();
    ASSERT_TRUE(waitFor([&] { return m_window.shown() && m_window.shown()->trace().ranks().size() == 2; }));
    for (const RankRecord& rank : m_window.shown()->trace().ranks())
        EXPECT_EQ(rank.shift, 0);
}
#endif

} // namespace
