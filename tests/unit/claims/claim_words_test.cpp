// Rules in words, the numbers that decided a claim one by one, and the code that the source texts print.
#include <olab/claims/claim_results.h>
#include <olab/claims/claim_words.h>

#include <gtest/gtest.h>

#include <algorithm>

using namespace olab;

TEST(ClaimWords, SayWhatARuleAsks) {
    EXPECT_EQ(claims::ruleWords("E03: number(memset.behind)<=100us"),
              "the probe's number memset.behind is at most 100 us");
    EXPECT_EQ(claims::ruleWords("E01.h2d: overlap(h2d,kernel)>=0.8"),
              "the overlap of H2D copies and kernels is at least 80 %");
    EXPECT_EQ(claims::ruleWords("E23.small_mapped: /bounds/measured_ns<=1.1*@E23.small_copy"),
              "the time of the whole run is at most 1.1 times that of E23.small_copy");
    EXPECT_EQ(claims::ruleWords("E41.two: raced()==0"), "the data comes out right");
    EXPECT_EQ(claims::ruleWords("E41.two: raced()>=1"), "the data comes out wrong");
    EXPECT_TRUE(claims::ruleWords("E05.waves: finding(memset-full-grid)==0")
                    .starts_with("the program does not find \""));
    EXPECT_TRUE(
        claims::ruleWords("E05.waves: finding(memset-full-grid)>=1").starts_with("the program finds \""));
}

TEST(ClaimWords, ThereAreSomeForEveryRuleOfTheTable) {
    for (const claims::ClaimRow& claim : claims::claimTable())
        for (const claims::ClaimCase& tested : claim.cases)
            for (const auto* rules : {&tested.holds, &tested.contrary})
                for (const std::string& rule : *rules) {
                    const std::string words = claims::ruleWords(rule);
                    EXPECT_EQ(words.find("=="), words.npos) << rule << ": " << words;
                    EXPECT_EQ(words.find('@'), words.npos) << rule << ": " << words;
                    EXPECT_GT(words.size(), 15u) << rule << ": " << words;
                }
}

TEST(ClaimWords, TheNumbersThatDecidedAreTakenApart) {
    const claims::ClaimCase tested{
        "it is so", {"E03: number(a)<=100us", "E01.h2d: overlap(h2d,kernel)>=0.8"}, {}};
    const std::vector<claims::RuleValue> values = claims::ruleValues(
        tested, {"it is so", claims::CaseSide::Open,
                 "too much spread: it held in 1; E03: number(a)<=100us: does not hold, 4.2822e+06; "
                 "E01.h2d: overlap(h2d,kernel)>=0.8: holds, 0.9584 on device 0, overlapped"});
    ASSERT_EQ(values.size(), 2u);
    EXPECT_EQ(values[0].run, "E03");
    EXPECT_FALSE(values[0].holds);
    EXPECT_TRUE(values[0].judged);
    EXPECT_EQ(values[0].found, "4.28 ms");
    EXPECT_TRUE(values[1].holds);
    EXPECT_EQ(values[1].found, "96 % on device 0, overlapped");
    EXPECT_EQ(values[1].expression, "overlap(h2d,kernel)>=0.8");
}

TEST(ClaimWords, TwoRunsAreBothShownAsTimes) {
    const claims::ClaimCase tested{"x", {"E41.a: /bounds/measured_ns>=1.25*@E41.b"}, {}};
    const auto values = claims::ruleValues(
        tested, {"x", claims::CaseSide::Holds,
                 "E41.a: /bounds/measured_ns>=1.25*@E41.b: holds, 1971637 and in E41.b 1327512"});
    ASSERT_EQ(values.size(), 1u);
    EXPECT_EQ(values[0].found, "1.97 ms and in E41.b 1.33 ms");
}

TEST(ClaimWords, WhatWasNotMeasuredHasNoNumbers) {
    const claims::ClaimCase tested{"x", {"E03: number(a)<=100us"}, {}};
    EXPECT_TRUE(claims::ruleValues(tested, {"x", claims::CaseSide::Open, "This needs a GPU."}).empty());
    const auto open =
        claims::ruleValues(tested, {"x", claims::CaseSide::Open,
                                    "E03: number(a)<=100us: cannot be judged, there is no such number"});
    ASSERT_EQ(open.size(), 1u);
    EXPECT_FALSE(open[0].judged);
    EXPECT_EQ(open[0].found, "there is no such number");
}

TEST(ClaimWords, EveryRecordedCaseThatWasDecidedHasItsNumbers) {
    ASSERT_TRUE(claims::recordedClaims());
    for (const claims::ClaimResult& result : claims::recordedClaims()->claims) {
        const claims::ClaimRow* const claim = claims::findClaim(result.id);
        ASSERT_NE(claim, nullptr);
        for (std::size_t i = 0; i < result.cases.size(); ++i)
            if (result.cases[i].side != claims::CaseSide::Open) {
                const auto values = claims::ruleValues(claim->cases[i], result.cases[i]);
                EXPECT_EQ(values.size(), claim->cases[i].holds.size()) << result.id;
                const bool all = std::ranges::all_of(values, &claims::RuleValue::holds);
                EXPECT_EQ(all, result.cases[i].side == claims::CaseSide::Holds) << result.id << ' ' << i;
            }
    }
}

TEST(ClaimWords, AFindingKnowsTheClaimsItDecides) {
    const auto about = claims::claimsAbout("memset-full-grid");
    EXPECT_NE(std::ranges::find(about, "000-2"), about.end());
    EXPECT_TRUE(claims::claimsAbout("there-is-none").empty());
}

TEST(ClaimCode, MarksLinesThatAreThereForClaimsThatAre) {
    int marked = 0;
    for (const claims::ClaimRow& claim : claims::claimTable()) {
        const claims::ClaimCode& code = claims::claimCode(claim.id);
        if (!code.listing)
            continue;
        ++marked;
        EXPECT_EQ(code.listing->source, claim.source) << claim.id;
        EXPECT_EQ(code.listing->numbers.size(), code.listing->lines.size());
        EXPECT_TRUE(std::ranges::is_sorted(code.listing->numbers));
        EXPECT_FALSE(code.marked.empty()) << claim.id;
        for (const int line : code.marked)
            EXPECT_NE(std::ranges::find(code.listing->numbers, line), code.listing->numbers.end())
                << claim.id << " marks line " << line;
    }
    EXPECT_GT(marked, 50);
    EXPECT_EQ(claims::claimCode("001-1").listing, nullptr) << "that text says it in words only";
}

TEST(ClaimCode, IsTheLineThatTheClaimQuotes) {
    for (const char* id : {"001-21", "003-14", "004-12"}) { // their places are lines of code
        const claims::ClaimRow& claim = *claims::findClaim(id);
        const claims::ClaimCode& code = claims::claimCode(id);
        ASSERT_NE(code.listing, nullptr);
        const auto at = std::ranges::find(code.listing->numbers, code.marked.front());
        const std::string& line =
            code.listing->lines[static_cast<std::size_t>(at - code.listing->numbers.begin())];
        const std::string quote = claim.place.substr(claim.place.find('"') + 1);
        EXPECT_NE(line.find(quote.substr(0, 20)), line.npos) << id << ": " << line;
    }
}

TEST(CallTable, IsWrittenAsCsv) {
    ASSERT_TRUE(claims::recordedClaims());
    const std::string csv = claims::callTableCsv(*claims::recordedClaims());
    EXPECT_TRUE(csv.starts_with("call,blocks,host_ns,host_max_ns,overlap_nonblocking,overlap_blocking,source,"
                                "host_waits_for,host_alone_ns,host_blocking_ns,host_behind_ns,kernel_ns\n"));
    EXPECT_EQ(std::ranges::count(csv, '\n'),
              static_cast<std::ptrdiff_t>(claims::callTable(*claims::recordedClaims()).size()) + 1);
    EXPECT_NE(csv.find("\"recorded on NVIDIA H200"), csv.npos);
}
