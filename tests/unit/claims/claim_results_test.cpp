// Results as JSON, there and back, and the table of calls that is read off them.
#include <olab/claims/claim_results.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace olab::claims {
namespace {

using testing::HasSubstr;

ClaimsResults sample() {
    ClaimsResults results;
    results.source = ClaimsSource::Measured;
    results.recordedAt = "2026-11-22T08:00:00Z";
    results.environment = {{"device", "NVIDIA H200"}, {"driver", "580.1"}};
    results.seconds = 12.5;
    results.claims = {{"001-9", ClaimOutcome::Refuted, "", {{"it waits", CaseSide::Contrary, "0.2 us"}}},
                      {"000-1",
                       ClaimOutcome::Partly,
                       "Refuted: pageable",
                       {{"a", CaseSide::Holds, "x"}, {"b", CaseSide::Open, "y"}}}};
    LabResult calls{"E09", "calls", 3.5};
    calls.numbers = {{"kernel", 3e6},
                     {"call.none.host", 100},
                     {"call.none.host.max", 200},
                     {"call.none.overlap", 0.99},
                     {"call.none.blocking.overlap", 0.98},
                     {"call.cudaFree.host", 2.9e6},
                     {"call.cudaFree.overlap", 0},
                     {"call.cudaFree.blocking.overlap", 0},
                     {"call.cudaFree.blocking.host", 2.9e6},
                     {"call.null_kernel.host", 4000},
                     {"call.null_kernel.overlap", 0.97},
                     {"call.null_kernel.blocking.overlap", 0},
                     {"call.strange.host", 4000},
                     {"call.strange.overlap", 0.01}};
    calls.files = {"E09.olab"};
    results.experiments = {calls, {"E11", "race", 0.1, "It failed.", true, "", {}, {}}};
    return results;
}

TEST(ClaimsResults, ComeBackAsTheyWere) {
    const ClaimsResults before = sample();
    const ClaimsResults after = claimsFromJson(claimsToJson(before));
    EXPECT_EQ(claimsToJson(after), claimsToJson(before));
    EXPECT_EQ(after.claims[1].cases[1].side, CaseSide::Open);
    EXPECT_EQ(findLabResult(after, "E11")->missing, "It failed.");
    EXPECT_EQ(findLabResult(after, "E09")->numbers, before.experiments[0].numbers);
    EXPECT_EQ(findResult(after, "009-1"), nullptr);
}

TEST(ClaimsResults, SayWhatWasClaimedAndDocumented) {
    const std::string json = claimsToJson(sample());
    EXPECT_THAT(json, HasSubstr("cudaGetLastError() after a launch waits for the kernel."));
    EXPECT_THAT(json, HasSubstr("\"documented\": \"FALSE\""));
    EXPECT_THAT(json, HasSubstr("\"agrees\": true"));
}

TEST(ClaimsResults, RefuseWhatIsNone) {
    for (const char* text : {"", "[]", "{}", "{\"format\":\"olab-report\",\"version\":1}",
                             "{\"format\":\"olab-claims\",\"version\":2}",
                             "{\"format\":\"olab-claims\",\"version\":1,\"source\":\"guessed\"}",
                             "{\"format\":\"olab-claims\",\"version\":1,\"source\":\"measured\"}"})
        EXPECT_THROW(claimsFromJson(text), Error) << text;
}

TEST(ClaimsResults, ThoseThatAreShippedAreMarkedAsRecorded) {
    if (!recordedClaims())
        GTEST_SKIP() << "none are shipped yet";
    EXPECT_EQ(recordedClaims()->source, ClaimsSource::Recorded);
    EXPECT_EQ(recordedClaims()->claims.size(), claimTable().size());
    EXPECT_THAT(recordedClaims()->environment.at("device"), HasSubstr("H200"));
    EXPECT_FALSE(callTable(*recordedClaims()).empty());
}

/// Measured on an H200: that machine does not map memory as write-combined. Where the documentation promises
/// neither, or only what cannot be tested here, no outcome could have disagreed.
TEST(ClaimsResults, ThoseThatAreShippedDifferFromWhatIsDocumentedInOneClaim) {
    if (!recordedClaims())
        GTEST_SKIP() << "none are shipped yet";
    std::map<Agreement, std::vector<std::string>> by;
    for (const ClaimResult& result : recordedClaims()->claims)
        by[agreement(*findClaim(result.id), result)].push_back(result.id);
    EXPECT_THAT(by[Agreement::Differs], testing::ElementsAre("000-6"));
    EXPECT_THAT(by[Agreement::Undocumented],
                testing::ElementsAre("000-2", "000-4", "000-7", "000-12", "000-20", "004-15"));
    EXPECT_THAT(by[Agreement::Undecided],
                testing::ElementsAre("000-13", "000-14", "000-15", "000-16", "003-1", "003-12"))
        << "Windows; a wait of the host that lay between the limits";
}

TEST(CallTable, SaysWhatEachCallBlocks) {
    const auto rows = callTable(sample());
    ASSERT_EQ(rows.size(), 4u);
    const auto blocksOf = [&](std::string_view name) {
        return callBlocksText(std::ranges::find(rows, name, &CallRow::name)->blocks);
    };
    EXPECT_EQ(blocksOf("none"), "nothing");
    EXPECT_EQ(blocksOf("cudaFree"), "the host");
    EXPECT_EQ(blocksOf("null_kernel"), "blocking streams");
    EXPECT_EQ(blocksOf("strange"), "other streams");
    EXPECT_EQ(rows.front().name, "cudaFree") << "in the order of their names";
}

/// The kernel is as long as four calls, or 3 ms; a copy of 16 MiB takes 1.6 ms alone.
LabResult copies() {
    LabResult calls{"E09", "calls", 3.5};
    calls.numbers = {{"kernel", 3e6},
                     {"call.back.kernel", 6.4e6},
                     {"call.back.alone.host", 1.6e6},
                     {"call.back.host", 1.7e6},
                     {"call.back.overlap", 0.7},
                     {"call.back.blocking.host", 1.7e6},
                     {"call.back.blocking.overlap", 0.7},
                     {"call.back.behind.host", 7.9e6},
                     {"call.back.behind.overlap", 0},
                     {"call.long.kernel", 3e6},
                     {"call.long.alone.host", 2.0e6},
                     {"call.long.host", 2.1e6},
                     {"call.long.overlap", 0.3},
                     {"call.sync.alone.host", 2e4},
                     {"call.sync.host", 2.8e4},
                     {"call.sync.overlap", 0.99},
                     {"call.sync.blocking.host", 3.0e6},
                     {"call.sync.blocking.overlap", 0},
                     {"call.cudaEventSynchronize.host", 3.0e6},
                     {"call.cudaEventSynchronize.overlap", 0}};
    return calls;
}

TEST(CallTable, SaysWhatTheHostWaitsFor) {
    ClaimsResults results;
    results.experiments = {copies()};
    const auto rows = callTable(results);
    ASSERT_EQ(rows.size(), 4u) << "places of a call are no calls";
    const auto row = [&](std::string_view name) { return *std::ranges::find(rows, name, &CallRow::name); };
    EXPECT_EQ(hostWaitsText(row("back").waits), "its stream");
    EXPECT_EQ(callBlocksText(row("back").blocks), "the host") << "not nothing, as other streams alone tell";
    EXPECT_EQ(row("back").kernel, 6.4e6);
    EXPECT_EQ(hostWaitsText(row("long").waits), "nothing") << "it takes as long alone";
    EXPECT_EQ(callBlocksText(row("long").blocks), "nothing") << "in blocking streams it was not measured";
    EXPECT_EQ(hostWaitsText(row("sync").waits), "blocking streams");
    EXPECT_EQ(callBlocksText(row("sync").blocks), "blocking streams");
    EXPECT_EQ(hostWaitsText(row("cudaEventSynchronize").waits), "its stream");
}

TEST(CallTable, SaysWhatWasNotMeasured) {
    ClaimsResults results;
    results.experiments = {copies()};
    EXPECT_THAT(callTableMarkdown(results),
                HasSubstr("| long | nothing | nothing | 2100.0 us | 0.0 us | - | 30 % | - |"));
    EXPECT_THAT(callTableJson(results), HasSubstr("\"host_behind_ns\": null"));
    EXPECT_THAT(callTableJson(results), HasSubstr("\"host_waits_for\": \"its stream\""));
    EXPECT_THAT(callTableCsv(results), HasSubstr(",nothing,2000000,,,3000000\n"));
}

TEST(CallTable, OfTheShippedResultsSaysThatSynchronousCopiesKeepTheHost) {
    if (!recordedClaims())
        GTEST_SKIP() << "none are shipped yet";
    const auto rows = callTable(*recordedClaims());
    for (const char* name : {"cudaMemcpy.pinned.h2d.1MiB", "cudaMemcpy.pageable.h2d.1MiB"}) {
        const auto row = std::ranges::find(rows, name, &CallRow::name);
        ASSERT_NE(row, rows.end()) << name;
        EXPECT_EQ(row->waits, HostWaits::BlockingStreams) << name;
    }
}

/// What is advised about calls that empty the device rests on these numbers.
TEST(CallTable, OfTheShippedResultsSaysThatFreeingWaitsAndAllocatingDoesNot) {
    if (!recordedClaims())
        GTEST_SKIP() << "none are shipped yet";
    const auto rows = callTable(*recordedClaims());
    const auto waits = [&](std::string_view name) {
        return std::ranges::find(rows, name, &CallRow::name)->waits;
    };
    for (const char* name : {"cudaFree", "cudaFreeHost", "cudaHostUnregister"})
        EXPECT_EQ(waits(name), HostWaits::OtherStreams) << name;
    for (const char* name : {"cudaMalloc", "cudaMallocHost", "cudaHostRegister"})
        EXPECT_EQ(waits(name), HostWaits::Nothing) << name;
}

TEST(CallTable, IsEmptyWhereItsControlsFailed) {
    ClaimsResults results = sample();
    results.experiments[0].control = "the control failed";
    EXPECT_TRUE(callTable(results).empty());
    EXPECT_TRUE(callTable(ClaimsResults{}).empty());
}

TEST(CallTable, IsWrittenAsMarkdownAndJson) {
    const std::string markdown = callTableMarkdown(sample());
    EXPECT_THAT(markdown,
                HasSubstr("| cudaFree | the host | other streams | 2900.0 us | 0.0 us | - | 0 % | 0 % |"));
    EXPECT_THAT(markdown, HasSubstr("NVIDIA H200, driver 580.1 (measured, 2026-11-22T08:00:00Z)"));
    EXPECT_THAT(callTableJson(sample()), HasSubstr("\"blocks\": \"blocking streams\""));
}

TEST(CallTable, ItsCsvHoldsNoFormulas) {
    ClaimsResults results = sample();
    results.experiments.front().numbers["call.=1+1.host"] = 7;
    results.environment["device"] = "\xe2\x80\xae=2";
    const std::string csv = callTableCsv(results);
    EXPECT_THAT(csv, HasSubstr("\n'=1+1,"));
    EXPECT_THAT(csv, HasSubstr("\"measured on <U+202E>=2, driver 580.1, "));
}

} // namespace
} // namespace olab::claims
