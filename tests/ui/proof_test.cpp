// "Try it" goes on alternately behind its first answer and ends with a proof on the compare page; the window
// stays usable and can stop it. And the search for the fix.
#include "patience.h"

#include <olab/experiment/plan.h>
#include <olab/experiment/presets.h>
#include <olab/sim/sim_backend.h>
#include <olab/ui/experiment_form.h>
#include <olab/ui/main_window.h>
#include <olab/ui/session.h>

#include <results/compare_page.h>
#include <results/compare_strips.h>
#include <results/findings_page.h>
#include <results/fix_page.h>

#include <QAction>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace olab;
using namespace olab::ui;

namespace {

/// The simulator; runs above `free` wait until they are stopped.
class SlowBackend final : public experiment::Backend {
public:
    struct Orders {
        std::atomic<int> runs{0}, free{1'000'000};
    };
    explicit SlowBackend(Orders& orders)
        : m_orders(orders) {}
    void run(const experiment::Plan& planned, const experiment::RunOptions& options, RecordSink& out,
             const RunControl& control) override {
        const int number = ++m_orders.runs;
        while (number > m_orders.free) {
            control.throwIfCancelled();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        sim::SimBackend().run(planned, options, out, control);
    }

private:
    Orders& m_orders;
};

struct ProofWindow {
    ProofWindow() {
        window.resize(1280, 800);
        window.show();
    }
    bool waitUntilIdle() {
        return QTest::qWaitFor([&] { return !session.busy(); }, test::kPatience);
    }
    void firstRun() {
        experiment::HeldExperiment experiment = experiment::findPreset("pageable")->experiment;
        experiment::setOption(experiment, "iterations=4");
        window.form().setExperiment(experiment);
        window.run();
        ASSERT_TRUE(waitUntilIdle());
        ASSERT_TRUE(window.shown());
        before = window.shown();
        ASSERT_FALSE(before->recording->report.findings.empty());
    }
    void tryIt() {
        emit window.findChild<FindingsPage*>()->tryRequested(
            before->recording->report.findings.front().tryChanges);
    }
    QString panelText() const {
        QString text;
        for (const QLabel* label : panel()->findChildren<QLabel*>())
            text += label->text() + QLatin1Char('\n');
        return text;
    }
    ProofPanel* panel() const { return window.comparison().findChild<ProofPanel*>(); }
    bool waitForPanel(const char* words) {
        return QTest::qWaitFor([&] { return panel() && panelText().contains(QLatin1String(words)); },
                               test::kPatience);
    }

    SlowBackend::Orders orders;
    Session session{{[this] { return std::make_unique<SlowBackend>(orders); }, {}}};
    MainWindow window{session, {.remember = false, .askBeforeClose = false}};
    view::ViewDataPtr before;
};

} // namespace

TEST(ProofInWindow, EndsWithIntervalAndStatusAndTheFindingSaysSo) {
    ProofWindow t;
    t.firstRun();
    t.tryIt();
    ASSERT_TRUE(t.waitForPanel("Predicted by the simulator: pageable")) << t.panelText().toStdString();
    const QString text = t.panelText();
    EXPECT_FALSE(text.contains(QStringLiteral("onfirmed"))) << "the simulator confirms nothing";
    EXPECT_TRUE(text.contains(QStringLiteral("6 of 6 interleaved pairs of runs"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("(95 %:"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("nothing about hardware"))) << text.toStdString();
    EXPECT_TRUE(t.panel()->isVisible());
    EXPECT_TRUE(t.panel()->findChild<QPushButton*>()->isHidden()) << "there is nothing left to stop";
    EXPECT_EQ(t.window.comparison().before()->recording->report.findings.front().status,
              analysis::FindingStatus::Confirmed);
}

TEST(ProofInWindow, GoesOnBehindTheFirstAnswerAndCanBeStopped) {
    ProofWindow t;
    t.firstRun();
    t.orders.free = t.orders.runs + 1 + 2 + 4; // the run, the prediction, two pairs
    t.tryIt();
    ASSERT_TRUE(t.waitForPanel("Proving pageable: 2 of 6")) << t.panelText().toStdString();
    EXPECT_FALSE(t.session.busy()) << "nobody waits for it";
    EXPECT_TRUE(t.session.proving());
    EXPECT_EQ(t.window.comparison().before()->run, t.before->run);
    QTest::mouseClick(t.panel()->findChild<QPushButton*>(), Qt::LeftButton);
    ASSERT_TRUE(t.waitForPanel("Not proved: it was stopped (2 of 6"));
    EXPECT_FALSE(t.session.proving());
    EXPECT_EQ(t.window.comparison().before()->recording->report.findings.front().status,
              t.before->recording->report.findings.front().status);
}

TEST(ProofInWindow, TheNextRunTakesItsPlace) {
    ProofWindow t;
    t.firstRun();
    t.orders.free = t.orders.runs + 1 + 2 + 4;
    t.tryIt();
    ASSERT_TRUE(t.waitForPanel("2 of 6"));
    QSignalSpy ready(&t.session, &Session::ready);
    t.orders.free = 1'000'000;
    t.window.run();
    ASSERT_TRUE(t.waitUntilIdle());
    EXPECT_TRUE(QTest::qWaitFor([&] { return !ready.empty(); }, test::kPatience));
}

TEST(FixInWindow, IsFoundRankedAndTakenOver) {
    ProofWindow t;
    t.firstRun();
    QAction* find = nullptr;
    for (QAction* action : t.window.findChildren<QAction*>())
        if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::Key_Return))
            find = action;
    ASSERT_NE(find, nullptr);
    find->trigger();
    const auto* page = t.window.findChild<FixPage*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page->empty(); }, test::kPatience));
    EXPECT_TRUE(page->isVisible());
    QTest::mouseClick(page->findChild<QPushButton*>(QStringLiteral("useFix")), Qt::LeftButton);
    EXPECT_EQ(experiment::optionText(t.window.form().experiment(), "h2d.memory"), "pinned");
    EXPECT_EQ(experiment::optionText(t.window.form().experiment(), "d2h.memory"), "pinned");
}
