// What the engine makes of rows: who abstains, what a finding holds. With rules made up for it.
#include "made_trace.h"
#include "rules/rule_engine.h"

#include <olab/analysis/explained_wait.h>
#include <olab/experiment/planned_change.h>
#include <olab/trace/lanes_of.h>

#include <set>

namespace olab::test {
namespace {

using testing::ElementsAre;

template <typename T>
concept KnowsThePlan = requires(const T& facts) {
    facts.schedule();
}
|| requires(const T& facts) {
    facts.opOf(0);
}
|| requires(const T& facts) {
    facts.ofOp(OpId{0});
}
|| requires(const T& facts) {
    facts.needs();
};
static_assert(KnowsThePlan<analysis::Facts> && !KnowsThePlan<analysis::TraceFacts>,
              "judges get what the records say alone");
static_assert(!std::is_convertible_v<const analysis::TraceFacts&, const analysis::Facts&>);
static_assert(std::is_same_v<decltype(analysis::RuleRow::judge),
                             std::optional<analysis::RuleResult> (*)(const analysis::TraceFacts&)>);

/// Rules what it was told to, by all device work.
template <int kNumber>
struct Scripted {
    static std::optional<analysis::RuleResult> judge(const analysis::TraceFacts& facts) {
        if (!fires)
            return {};
        analysis::RuleResult result{analysis::FindingStatus::Proved, lost, {}, "It was so."};
        for (std::size_t n = 0; n < facts.deviceWork().size(); ++n) {
            const ActivityIndex row = facts.deviceWork().row(n);
            result.evidence.add(Ns{row}, row, facts.trace().cls(row));
        }
        return result;
    }
    static analysis::RuleRow row(std::string_view id) {
        return {.id = id, .title = id, .advice = "Mend it.", .judge = judge};
    }

    static inline bool fires = true;
    static inline Ns lost = 0;
};
using First = Scripted<1>;
using Second = Scripted<2>;

/// 0: call, 1: copy, 2: copy that waits for its engine, 3: kernel behind it in its stream.
void addWork(Made& m) {
    m.gate(us(9));
    m.work(MemcpyH2D, us(10), us(110), 13);
    m.issued(us(1), us(6));
    m.work(MemcpyH2D, us(111), us(211), 14);
    m.work(Kernel, us(213), us(300), 14);
}

class RuleEngine : public testing::Test {
protected:
    RuleEngine() {
        First::fires = Second::fires = true;
        First::lost = Second::lost = 0;
        addWork(m);
    }
    analysis::RuleResults apply(const std::vector<analysis::RuleRow>& rules) {
        return analysis::applyRules(rules, m.facts(), nullptr, {});
    }
    Made m;
};

TEST_F(RuleEngine, ARuleWithoutAJudgeFindsTheWaitsWithItsCause) {
    const auto findings =
        apply({{.id = "event-order"}, {.id = "engine-bound", .advice = "Do less."}}).findings;
    ASSERT_EQ(findings.size(), 1u) << "nothing waited for an event";
    EXPECT_THAT(findings[0].activities, ElementsAre(2));
    EXPECT_EQ(findings[0].lost, us(100)) << "the engine had work so long";
    EXPECT_THAT(findings[0].text, testing::StartsWith("1 operation waited, 100 us in all. H2D #2 (stream 14) "
                                                      "waited 102 us for H2D #1 (stream 13)"));
}

std::string nothing(const analysis::TraceFacts&) {
    return {};
}
std::string theMoon(const analysis::TraceFacts&) {
    return "records of the moon";
}

TEST_F(RuleEngine, OnlyWhoFindsNothingAbstainsAndOnlyForWhatItNeeds) {
    static constexpr analysis::Need kNeeds[] = {nothing, theMoon}, kMet[] = {nothing};
    for (const bool fires : {false, true})
        for (const bool lacks : {false, true}) {
            First::fires = fires;
            analysis::RuleRow row = First::row("first");
            row.needs =
                lacks ? std::span<const analysis::Need>(kNeeds) : std::span<const analysis::Need>(kMet);
            const analysis::RuleResults results = apply({row});
            EXPECT_EQ(results.findings.size(), fires ? 1u : 0u);
            ASSERT_EQ(results.abstained.size(), !fires && lacks ? 1u : 0u);
            if (!fires && lacks) {
                EXPECT_EQ(results.abstained[0].rule, "first");
                EXPECT_EQ(results.abstained[0].lacks, "records of the moon");
            }
        }
}

TEST_F(RuleEngine, WithoutDeviceWorkAllAbstain) {
    const Trace trace;
    const auto lanes = lanesOf(trace);
    const analysis::FactsPtr facts = analysis::gatherFacts({trace, *lanes});
    const analysis::RuleResults results =
        analysis::applyRules(std::vector{First::row("first"), Second::row("second")}, *facts, nullptr, {});
    ASSERT_EQ(results.abstained.size(), 2u);
    EXPECT_EQ(results.abstained[1].rule, "second");
    EXPECT_EQ(results.abstained[1].lacks, "records of device work");
}

TEST_F(RuleEngine, TheFindingIsTheRowsAndTheRulings) {
    First::lost = us(7);
    const analysis::Finding f = apply({First::row("first")}).findings.at(0);
    EXPECT_EQ(f.id, "first");
    EXPECT_EQ(f.status, analysis::FindingStatus::Proved);
    EXPECT_EQ(f.lost, us(7));
    EXPECT_EQ(f.text, "It was so.");
    EXPECT_EQ(f.remedy, "Mend it.");
    EXPECT_THAT(f.activities, ElementsAre(3, 2, 1)) << "the costliest first";
}

TEST_F(RuleEngine, TheLargestLossComesFirstAndABoundLosesNothing) {
    First::lost = us(1), Second::lost = us(2);
    analysis::RuleRow bound = Second::row("bound");
    bound.severity = analysis::RuleSeverity::Bound;
    const auto findings = apply({bound, First::row("first"), Second::row("second")}).findings;
    ASSERT_EQ(findings.size(), 3u);
    EXPECT_EQ(findings[0].id, "second");
    EXPECT_EQ(findings[1].id, "first");
    EXPECT_EQ(findings[2].id, "bound");
    EXPECT_EQ(findings[2].lost, 0);
}

TEST_F(RuleEngine, AChangeForOpsThatAreNoEvidenceIsNotOffered) {
    static constexpr analysis::OptionChange kChanges[] = {{"h2d.memory", "pinned", maskOf(MemcpyH2D)},
                                                          {"d2h.memory", "pinned", maskOf(MemcpyD2H)},
                                                          {"streams", "3"}};
    static constexpr analysis::Remedy kRemedies[] = {{kChanges, "Pin it."}};
    analysis::RuleRow row = First::row("first");
    row.remedies = kRemedies;
    const analysis::Finding f = apply({row}).findings.at(0);
    EXPECT_EQ(f.tryChanges, (experiment::OptionChanges{{"h2d.memory", "pinned"}, {"streams", "3"}}));
    EXPECT_EQ(f.remedy, "Pin it.");
}

TEST(Waits, EachCauseHasItsSentenceWithOrWithoutABlocker) {
    Made m;
    addWork(m);
    const analysis::Facts& facts = m.facts();
    for (std::size_t c = 0; c < analysis::kLossCauses; ++c)
        for (const ActivityIndex blocker : {ActivityIndex{1}, kNoActivity}) {
            const auto cause = static_cast<analysis::LossCause>(c);
            const analysis::ExplainedWait wait{2, cause, blocker, {us(0), us(412)}, us(100)};
            EXPECT_GE(analysis::usualLatency(cause), 0);
            EXPECT_THAT(analysis::waitSentence(facts, wait), testing::HasSubstr("412 us"))
                << analysis::waitCauseId(cause);
        }
}

} // namespace
} // namespace olab::test
