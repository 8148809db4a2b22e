// Findings of the shipped recordings follow their account of lost time, and offer nothing that races.
#include "recordings.h"
#include "rules/remedies.h"

#include <olab/analysis/cause_findings.h>
#include <olab/analysis/cause_table.h>
#include <olab/experiment/data_flow.h>
#include <olab/experiment/option_table.h>
#include <olab/experiment/plan.h>
#include <olab/recording/recording.h>

#include <gmock/gmock.h>

namespace olab {
namespace {

using testing::HasSubstr;

const analysis::Finding* findingAbout(const analysis::Report& report, std::string_view id) {
    const auto at = std::ranges::find(report.findings, id, &analysis::Finding::id);
    return at == report.findings.end() ? nullptr : &*at;
}

TEST(ShippedCauses, EachThatCostsEnoughHasAFindingWithItsCost) {
    std::size_t accounts = 0;
    for (const std::string& name : test::recordingNames()) {
        const recording::RecordingPtr recording = recording::openRecording(test::recordingFile(name));
        const analysis::Ledger& ledger = *recording->report.ledger;
        accounts += ledger.missing.empty();
        for (const analysis::LedgerEntry& entry : ledger.entries) {
            const analysis::Finding* finding =
                findingAbout(recording->report, analysis::lossCauseId(entry.cause));
            const bool isMuch = static_cast<double>(entry.cost) >=
                                analysis::kWorthAFinding * static_cast<double>(ledger.measured);
            EXPECT_TRUE(finding || !isMuch || !analysis::causeRowOf(entry.cause))
                << name << ": " << entry.text;
            if (finding && entry.cause != analysis::LossCause::EngineBound) {
                EXPECT_EQ(finding->lost, std::max<Ns>(0, entry.cost)) << name << ": " << finding->text;
            }
        }
    }
    EXPECT_GT(accounts, 40u);
}

TEST(ShippedCauses, NoFindingCostsMoreThanTheRunLost) {
    for (const std::string& name : test::recordingNames()) {
        const recording::RecordingPtr recording = recording::openRecording(test::recordingFile(name));
        const analysis::Ledger& ledger = *recording->report.ledger;
        for (const analysis::Finding& finding : recording->report.findings)
            if (ledger.missing.empty() && finding.id != "same-stream") { // which no account knows
                EXPECT_LE(finding.lost, ledger.measured - ledger.ideal - std::min<Ns>(0, ledger.unexplained))
                    << name << ": " << finding.text;
            }
    }
}

TEST(ShippedCauses, WhatIsOfferedChangesSomethingAndCannotRace) {
    std::size_t offers = 0;
    for (const std::string& name : test::recordingNames()) {
        const recording::RecordingPtr recording = recording::openRecording(test::recordingFile(name));
        for (const analysis::CauseRow& row : analysis::causeTable()) {
            const analysis::Offer offer =
                analysis::offerOf(row.advice, row.remedies, kAllClasses, recording->facts->plan());
            EXPECT_FALSE(offer.remedy.empty()) << analysis::lossCauseId(row.cause);
            if (offer.changes.empty())
                continue;
            ++offers;
            experiment::HeldExperiment changed = *recording->experiment;
            for (const auto& [key, value] : offer.changes)
                experiment::setOption(changed, key, value);
            EXPECT_NE(changed, *recording->experiment) << name << ' ' << analysis::lossCauseId(row.cause);
            EXPECT_THAT(experiment::conflicts(changed), testing::IsEmpty())
                << name << ' ' << analysis::lossCauseId(row.cause);
            experiment::setNumber(changed, "iterations",
                                  std::min<std::int64_t>(experiment::optionNumber(changed, "iterations"), 3));
            EXPECT_FALSE(experiment::mayRace(
                experiment::plan(changed, static_cast<int>(recording->trace.devices().size()))))
                << name << ' ' << analysis::lossCauseId(row.cause);
        }
    }
    EXPECT_GT(offers, 100u);
}

TEST(ShippedCauses, TheRunThatShowsOneNamesItFirst) {
    const std::vector<std::array<std::string, 3>> expected = {
        {"wait-each-iteration-h200", "host-sync", "sync.every=end"},
        {"free-in-the-loop-h200", "device-barrier", "interfere=none"},
        {"launch-blocking-h200", "launch-blocking", "env.launch_blocking=off"},
        {"lazy-first-launch-h200", "first-launch", "env.module_loading=eager"},
        {"one-connection-h200", "connections", "env.max_connections=32"},
        {"nine-streams-h200", "connections", "env.max_connections=32"},
        {"slow-callbacks-h200", "callback", "callback.method=poll"},
        {"zero-copy-h200", "stretched", ""},
        {"pageable-h200", "pageable", "h2d.memory=pinned"},
        {"null-stream-h200", "null-stream", "stream.kind=nonblocking"}};
    for (const auto& [name, id, change] : expected) {
        const recording::RecordingPtr recording = recording::openRecording(test::recordingFile(name));
        ASSERT_FALSE(recording->report.findings.empty()) << name;
        const analysis::Finding& first = recording->report.findings.front();
        EXPECT_EQ(first.id, id) << name;
        const auto& changes = first.tryChanges;
        EXPECT_EQ(changes.empty() ? "" : changes[0].first + "=" + changes[0].second, change) << name;
        EXPECT_FALSE(first.why.empty()) << name;
    }
}

TEST(ShippedCauses, TheCallIsNamed) {
    const auto textOf = [](const std::string& name, std::string_view id) {
        const recording::RecordingPtr recording = recording::openRecording(test::recordingFile(name));
        const analysis::Finding* finding = findingAbout(recording->report, id);
        return finding ? finding->text : std::string();
    };
    EXPECT_THAT(textOf("free-in-the-loop-h200", "device-barrier"),
                HasSubstr("its thread was longest in cudaFree"));
    EXPECT_THAT(textOf("wait-each-iteration-h200", "host-sync"), HasSubstr("Synchronize"));
}

TEST(ShippedCauses, WaitingThatIsHiddenCostsNothing) {
    const recording::RecordingPtr recording =
        recording::openRecording(test::recordingFile("priorities-h200"));
    const analysis::Finding* finding = findingAbout(recording->report, "memset-full-grid");
    ASSERT_NE(finding, nullptr);
    EXPECT_LT(finding->lost * 20, finding->waited)
        << "18.7 ms of waiting, of which the run feels nearly none";
}

TEST(ShippedCauses, GetLastErrorIsBlamedForNothing) {
    const recording::RecordingPtr recording =
        recording::openRecording(test::recordingFile("get-last-error-h200"));
    const auto& blamed = recording->report.notCauses;
    ASSERT_EQ(blamed.size(), 1u);
    EXPECT_EQ(blamed[0].id, "get-last-error");
    EXPECT_EQ(blamed[0].count, 95u);
    EXPECT_GT(blamed[0].time, 0);
}

} // namespace
} // namespace olab
