// The account of programs that nobody wrote for the lab, held against what mending them brought on a GPU
// (tests/data/programs).
#include "test_places.h"

#include <olab/recording/recording.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace olab::test {
namespace {

using Json = nlohmann::json;

std::filesystem::path folder() {
    return std::filesystem::path(OLAB_SOURCE_DIR) / "tests/data/programs";
}

Json expectations() {
    std::ifstream in(folder() / "expected.json");
    return Json::parse(in);
}

bool isAnyOf(const Json& ids, analysis::LossCause cause) {
    return std::ranges::any_of(
        ids, [&](const Json& id) { return id.get<std::string>() == analysis::lossCauseId(cause); });
}

double partOf(const analysis::Ledger& ledger, Ns time) {
    return static_cast<double>(time) / static_cast<double>(ledger.measured);
}

struct RealProgram {
    std::string name;
    Json expected;
    recording::RecordingPtr recording;
    const analysis::Ledger& ledger() const { return *recording->report.ledger; }
};

const std::vector<RealProgram>& programs() {
    static const std::vector<RealProgram> kAll = [] {
        std::vector<RealProgram> all;
        const Json expectedOfAll = expectations();
        for (const auto& [name, expected] : expectedOfAll.items())
            all.push_back({name, expected, recording::openRecording(folder() / name)});
        return all;
    }();
    return kAll;
}

TEST(RealPrograms, EachHasAnAccountThatExplainsIt) {
    ASSERT_GE(programs().size(), 15u);
    std::size_t ofIterations = 0;
    std::vector<double> unexplained;
    for (const RealProgram& p : programs()) {
        ASSERT_EQ(p.ledger().missing, "") << p.name;
        ofIterations += p.ledger().part ? 1 : 0;
        unexplained.push_back(std::abs(partOf(p.ledger(), p.ledger().unexplained)));
        EXPECT_LE(unexplained.back(), 0.10) << p.name;
    }
    std::ranges::sort(unexplained);
    EXPECT_LE(unexplained[unexplained.size() / 2], 0.01);
    EXPECT_GE(ofIterations, programs().size() - 2) << "all repeat themselves";
}

TEST(RealPrograms, TheFirstLineNamesTheMistake) {
    for (const RealProgram& p : programs())
        if (p.expected.contains("measured_gain")) {
            ASSERT_FALSE(p.ledger().entries.empty()) << p.name;
            const analysis::LossCause first = p.ledger().entries.front().cause;
            EXPECT_TRUE(isAnyOf(p.expected["expected"], first) ||
                        isAnyOf(p.expected.value("other", nlohmann::json::array()), first))
                << p.name << ": " << p.ledger().headline;
        }
}

TEST(RealPrograms, AHealthyOneIsBlamedForNothing) {
    for (const RealProgram& p : programs())
        if (!p.expected.contains("measured_gain"))
            for (const analysis::LedgerEntry& entry : p.ledger().entries)
                if (!isAnyOf(p.expected.value("allowed", Json::array()), entry.cause) &&
                    entry.cause != analysis::LossCause::Tool) {
                    EXPECT_LE(partOf(p.ledger(), entry.cost), 0.03)
                        << p.name << ' ' << analysis::lossCauseId(entry.cause);
                }
}

/// On a host of which each launch takes long, too.
TEST(RealPrograms, WithoutWhatRecordingTookAnIterationTakesAsLongAsUntraced) {
    int known = 0;
    for (const RealProgram& p : programs()) {
        if (!p.expected.contains("untraced_ns"))
            continue;
        ++known;
        const analysis::Ledger& ledger = p.ledger();
        ASSERT_TRUE(ledger.part) << p.name;
        Ns program = ledger.measured;
        for (const analysis::LedgerEntry& entry : ledger.entries)
            program -= entry.cause == analysis::LossCause::Tool ? entry.cost : 0;
        const double untraced = p.expected["untraced_ns"].get<double>();
        EXPECT_NEAR(static_cast<double>(program) / static_cast<double>(ledger.part->iterations), untraced,
                    0.1 * untraced)
            << p.name;
    }
    EXPECT_GE(known, 1);
}

TEST(RealPrograms, WhatTheProfilerOfPyTorchDoesNotSayOfEventsIsInferredAndSaidToBe) {
    const auto p = std::ranges::find(programs(), "torch10_more_sensors_wait_for_each_other-bad.json.gz",
                                     &RealProgram::name);
    ASSERT_NE(p, programs().end());
    const analysis::LedgerEntry& first = p->ledger().entries.front();
    EXPECT_EQ(first.cause, analysis::LossCause::EventOrder);
    EXPECT_TRUE(first.isInferred);
    EXPECT_NE(first.text.find("An estimate"), std::string::npos) << first.text;
    EXPECT_EQ(p->ledger().part->iterations, 3u) << "steps as the thread named them";
    for (const analysis::LedgerEntry& entry : p->ledger().entries)
        EXPECT_TRUE(entry.cause == analysis::LossCause::EventOrder || !entry.isInferred);
}

/// The author put small independent kernels into one stream; in six streams the loop took so much less.
TEST(RealPrograms, WhatOnlyTheAuthorCanKnowIsToldAsACondition) {
    int known = 0;
    for (const RealProgram& p : programs()) {
        const analysis::IfIndependent& told = p.ledger().ifIndependent;
        if (!p.expected.contains("if_independent"))
            continue;
        ++known;
        EXPECT_NEAR(partOf(p.ledger(), told.gain), p.expected["if_independent"].get<double>(), 0.05)
            << p.name;
        EXPECT_NE(p.ledger().headline.find("If kernels in a row do not need each other's results: up to"),
                  std::string::npos)
            << p.ledger().headline;
    }
    EXPECT_GE(known, 1);
}

TEST(RealPrograms, NoOtherIsToldSo) {
    for (const RealProgram& p : programs())
        if (!p.expected.contains("if_independent")) {
            EXPECT_EQ(p.ledger().ifIndependent.gain, 0) << p.name << p.ledger().ifIndependent.text;
        }
}

TEST(RealPrograms, AGraphThatIsMadeAgainIsFoundByTheCallThatTakesLongest) {
    const auto p =
        std::ranges::find(programs(), "cuda_tenth_reach_in_nodes_of_graph-bad.olab", &RealProgram::name);
    ASSERT_NE(p, programs().end());
    const auto& findings = p->recording->report.findings;
    const auto late = std::ranges::find(findings, "graph-rebuilt", &analysis::Finding::id);
    ASSERT_NE(late, findings.end());
    EXPECT_NE(late->text.find("longest in cudaGraphInstantiate"), std::string::npos) << late->text;
}

/// The median, and the worst: a mend may do more than the one cause says.
TEST(RealPrograms, ThePredictedGainIsThatOfTheMend) {
    std::vector<double> errors;
    for (const RealProgram& p : programs()) {
        if (!p.expected.contains("measured_gain"))
            continue;
        double predicted = 0;
        for (const analysis::LedgerEntry& entry : p.ledger().entries)
            if (isAnyOf(p.expected["remedy"], entry.cause))
                predicted = std::max(predicted, partOf(p.ledger(), entry.gain));
        errors.push_back(std::abs(predicted - p.expected["measured_gain"].get<double>()));
        EXPECT_LE(errors.back(), 0.20) << p.name << " predicted " << predicted;
    }
    std::ranges::sort(errors);
    EXPECT_LE(errors[errors.size() / 2], 0.06);
}

} // namespace
} // namespace olab::test
