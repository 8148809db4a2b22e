// What a person at a terminal reads while the tool effect is still measured, and what takes it back.
#include "planted_backend.h"

#include <olab/experiment/held_experiment.h>

#include <early_report.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace olab::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class EarlyReportTest : public testing::Test {
protected:
    EarlyReportTest() {
        experiment::setOption(m_experiment, "streams=3");
        experiment::setOption(m_experiment, "iterations=4");
    }
    /// The text that comes last.
    std::string run(bool wanted = true) {
        m_shown.clear();
        m_early.emplace(wanted, [this](const Printed& text) { m_shown.push_back(text.text()); });
        m_traced.runs = m_plain.runs = 0;
        m_all =
            recording::runExperiment(m_experiment, {&m_traced, &m_plain}, "defaults", {}, m_early->hooks());
        return m_early->shown() ? m_early->lateText(m_all->report).text() : "";
    }
    test::PlantedBackend m_traced, m_plain;
    experiment::HeldExperiment m_experiment;
    std::optional<EarlyReport> m_early;
    std::vector<std::string> m_shown;
    recording::RecordingPtr m_all;
};

TEST_F(EarlyReportTest, WithoutTroubleOnlyTheToolEffectComesLate) {
    const std::string late = run();
    ASSERT_EQ(m_shown.size(), 1u);
    EXPECT_THAT(m_shown[0], HasSubstr("\nverdicts\n"));
    EXPECT_THAT(m_shown[0], HasSubstr("tool effect: being measured"));
    EXPECT_THAT(late, testing::StartsWith("traced "));
    EXPECT_EQ(std::count(late.begin(), late.end(), '\n'), 1) << late;
}

TEST_F(EarlyReportTest, ARaceBehindItIsSaidAtOnceAndCountedAtTheEnd) {
    m_plain.racing = {2, 5};
    const std::string late = run();
    ASSERT_EQ(m_shown.size(), 2u);
    EXPECT_THAT(m_shown[0], Not(HasSubstr("RACED")));
    EXPECT_THAT(m_shown[0], HasSubstr("efficiency"));
    EXPECT_THAT(m_shown[1], HasSubstr("RACED. The pipeline raced in 1 of 4 runs (0 of 2 traced, 1 of 2 "
                                      "untraced): "));
    EXPECT_THAT(m_shown[1], HasSubstr("The verdicts above do not stand"));
    EXPECT_THAT(late,
                HasSubstr("RACED. The pipeline raced in 2 of 10 runs (0 of 5 traced, 2 of 5 untraced)"));
    EXPECT_THAT(late, Not(HasSubstr("do not stand"))) << "said before";
}

TEST_F(EarlyReportTest, ARaceInTheLastRunTakesTheVerdictsBackToo) {
    m_plain.racing = {5};
    const std::string late = run();
    EXPECT_EQ(m_shown.size(), 1u);
    EXPECT_THAT(late, HasSubstr("RACED. The pipeline raced in 1 of 10 runs"));
    EXPECT_THAT(late, HasSubstr("The verdicts above do not stand"));
}

TEST_F(EarlyReportTest, WhatAnotherRunLostIsSaid) {
    m_traced.losing = {2};
    const std::string late = run();
    ASSERT_EQ(m_shown.size(), 2u);
    EXPECT_THAT(m_shown[1], HasSubstr("defects of other runs\n  data_loss, 7 x CUPTI dropped records"));
    EXPECT_THAT(m_shown[1], HasSubstr("(run 3 of 3, traced)"));
    EXPECT_THAT(late, Not(HasSubstr("do not stand")));
}

TEST_F(EarlyReportTest, WhoWaitsForAllIsShownNothingEarlyAndKnowsTheRace) {
    m_plain.racing = {2};
    EXPECT_EQ(run(false), "");
    EXPECT_TRUE(m_shown.empty());
    ASSERT_TRUE(m_early->known());
    EXPECT_THAT(m_early->known()->raceText(), HasSubstr("raced in 1 of 4 runs"))
        << "what is left when the rest fails";
}

} // namespace
} // namespace olab::cli
