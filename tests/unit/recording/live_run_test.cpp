// An experiment that runs over and over while its options change.
#include "fakes.h"

#include <olab/recording/live_run.h>

#include <gtest/gtest.h>

namespace olab::recording {
namespace {

using test::FakeBackend;

class LiveRunTest : public testing::Test {
protected:
    LiveRunTest() {
        m_hooks.least = std::chrono::milliseconds(0);
        m_hooks.passed = [this](LivePass pass) {
            m_passes.push_back(std::move(pass));
            if (m_afterPass)
                m_afterPass();
            if (m_passes.size() == 4)
                m_stop.request_stop();
        };
        m_hooks.refused = [this](const experiment::HeldExperiment&, const std::string& why) {
            m_refusals.push_back(why);
        };
    }
    /// Four passes.
    void run() {
        RunControl control;
        control.stop = m_stop.get_token();
        try {
            runLive(m_wish, m_backend, control, m_hooks);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Cancelled) << error.what();
        }
    }
    void wishAfterFirst(std::initializer_list<std::string_view> options) {
        m_afterPass = [this, wish = experiment::HeldExperiment(options)] {
            if (m_passes.size() == 1)
                m_wish.set(wish);
        };
    }
    std::vector<std::string> m_log;
    FakeBackend m_backend{true, m_log, {1000}};
    LiveWish m_wish{experiment::HeldExperiment()};
    LiveHooks m_hooks;
    std::stop_source m_stop;
    std::function<void()> m_afterPass;
    std::vector<LivePass> m_passes;
    std::vector<std::string> m_refusals;
};

TEST_F(LiveRunTest, PassesFollowEachOtherUntilTheyAreStopped) {
    run();
    ASSERT_EQ(m_passes.size(), 4u);
    EXPECT_EQ(m_passes.back().number, 4);
    EXPECT_TRUE(m_passes.back().recording->live);
}

TEST_F(LiveRunTest, KernelsAreCalibratedOnceAndNoPassMeasuresItsOpsAlone) {
    run();
    EXPECT_EQ(m_log, (std::vector<std::string>{"T:0", "T:777", "T:777", "T:777"}));
}

TEST_F(LiveRunTest, AChangedOptionIsInTheNextPassAndTold) {
    wishAfterFirst({"h2d.memory=pageable"});
    run();
    EXPECT_TRUE(m_passes[0].changed.empty());
    ASSERT_EQ(m_passes[1].changed.size(), 1u);
    EXPECT_EQ(m_passes[1].changed[0].key, "h2d.memory");
    EXPECT_EQ(m_passes[1].changed[0].after, "pageable");
    EXPECT_FALSE(m_passes[1].freshProcess);
    EXPECT_EQ(experiment::optionText(*m_passes[1].recording->experiment, "h2d.memory"), "pageable");
    EXPECT_TRUE(m_passes[2].changed.empty());
}

TEST_F(LiveRunTest, OtherKernelsAreCalibratedAgain) {
    wishAfterFirst({"kernel.us=50"});
    run();
    EXPECT_EQ(m_log, (std::vector<std::string>{"T:0", "T:0", "T:777", "T:777"}));
}

TEST_F(LiveRunTest, AnOptionOfTheEnvironmentTakesAProcessOfItsOwn) {
    wishAfterFirst({"env.max_connections=1"});
    run();
    EXPECT_TRUE(m_passes[1].freshProcess);
    EXPECT_FALSE(m_passes[2].freshProcess);
}

TEST_F(LiveRunTest, OptionsThatCannotRunAreRefusedOnceAndTheFormerRunOn) {
    experiment::HeldExperiment impossible{"h2d=off", "kernel=off", "memset=off", "d2h=off", "callback=off"};
    m_afterPass = [&] { m_wish.set(impossible); };
    if (experiment::conflicts(impossible).empty())
        GTEST_SKIP() << "it can be run";
    run();
    EXPECT_EQ(m_refusals.size(), 1u);
    EXPECT_EQ(m_passes.size(), 4u);
    EXPECT_EQ(experiment::optionText(*m_passes.back().recording->experiment, "kernel"), "on");
}

TEST_F(LiveRunTest, WhatOnlyASimulatorCanBeIsRefusedOnADevice) {
    m_hooks.onDevice = true;
    wishAfterFirst({"sim.submission=wddm"});
    run();
    ASSERT_EQ(m_refusals.size(), 1u);
    EXPECT_NE(m_refusals[0].find("sim.submission"), std::string::npos) << m_refusals[0];
    EXPECT_EQ(m_passes.size(), 4u);
}

TEST_F(LiveRunTest, TheFirstOptionsMustBePossible) {
    m_hooks.onDevice = true;
    m_wish.set(experiment::HeldExperiment{"sim.submission=wddm"});
    EXPECT_THROW(runLive(m_wish, m_backend, {}, m_hooks), Error);
}

} // namespace
} // namespace olab::recording
