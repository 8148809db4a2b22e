// No row echoes what is documented: each is shown records that speak for the claim, and records that speak
// against it, case by case, and the verdict follows the records.
#include "planted.h"

#include <gtest/gtest.h>

namespace olab::claims {
namespace {

class ClaimFlip : public testing::TestWithParam<std::string> {
protected:
    const ClaimRow& claim() const { return *findClaim(GetParam()); }
    /// Records against the cases whose bit is set, and for all others.
    ClaimResult judgedWith(std::size_t against) const {
        test::Planted planted;
        planted.want(test::controlRules(experimentsOf(claim())));
        for (std::size_t i = 0; i < claim().cases.size(); ++i) {
            planted.name(claim().cases[i].holds);
            planted.want((against >> i & 1) != 0 ? claim().cases[i].contrary : claim().cases[i].holds);
        }
        const Evidence evidence = planted.evidence();
        return ClaimJudge(evidence).judge(claim());
    }
    static std::string shown(const ClaimResult& result) {
        std::string text = result.reason;
        for (const CaseResult& tested : result.cases)
            text += "\n  " + std::string(caseSideName(tested.side)) + ": " + tested.text;
        return text;
    }
};

TEST_P(ClaimFlip, RecordsForItConfirmIt) {
    const ClaimResult result = judgedWith(0);
    EXPECT_EQ(outcomeName(result.outcome), "confirmed") << shown(result);
}

TEST_P(ClaimFlip, RecordsAgainstItRefuteIt) {
    const ClaimResult result = judgedWith((std::size_t{1} << claim().cases.size()) - 1);
    EXPECT_EQ(outcomeName(result.outcome), "refuted") << shown(result);
}

TEST_P(ClaimFlip, EachCaseAloneMakesItPartly) {
    for (std::size_t i = 0; claim().cases.size() > 1 && i < claim().cases.size(); ++i) {
        const ClaimResult result = judgedWith(std::size_t{1} << i);
        EXPECT_EQ(outcomeName(result.outcome), "partly") << claim().cases[i].says << shown(result);
        EXPECT_EQ(result.reason, "Refuted: " + claim().cases[i].says);
    }
}

std::vector<std::string> testable() {
    std::vector<std::string> ids;
    for (const ClaimRow& claim : claimTable())
        if (claim.needs.empty())
            ids.push_back(claim.id);
    return ids;
}

std::string nameOf(const testing::TestParamInfo<std::string>& info) {
    std::string name = "claim_" + info.param;
    std::ranges::replace(name, '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Claims, ClaimFlip, testing::ValuesIn(testable()), nameOf);

} // namespace
} // namespace olab::claims
