// The table of claims as data: complete, and every rule in it can be read and run.
#include <olab/claims/claim_judge.h>
#include <olab/experiment/plan.h>
#include <olab/trace/input_file.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

namespace olab::claims {
namespace {

using testing::HasSubstr;

std::vector<std::string> rulesOf(const ClaimRow& claim) {
    std::vector<std::string> rules;
    for (const ClaimCase& tested : claim.cases)
        for (const auto* some : {&tested.holds, &tested.contrary})
            rules.insert(rules.end(), some->begin(), some->end());
    return rules;
}

std::vector<std::string> allRules() {
    std::vector<std::string> rules;
    for (const ClaimRow& claim : claimTable())
        for (const std::string& rule : rulesOf(claim))
            rules.push_back(rule);
    for (const LabExperiment& experiment : labExperiments())
        for (const LabControl& control : experiment.controls)
            rules.insert(rules.end(), control.holds.begin(), control.holds.end());
    return rules;
}

TEST(ClaimTable, HasAllClaimsOfTheFiveTexts) {
    const std::map<std::string, int> wanted{{"000", 20}, {"001", 22}, {"002", 15}, {"003", 19}, {"004", 20}};
    std::map<std::string, int> counts;
    std::map<Documented, int> answers;
    std::set<std::string> ids;
    for (const ClaimRow& claim : claimTable()) {
        EXPECT_EQ(claim.id, claim.source + "-" + std::to_string(++counts[claim.source]));
        EXPECT_TRUE(ids.insert(claim.id).second) << claim.id;
        ++answers[claim.documented];
    }
    EXPECT_EQ(counts, wanted);
    EXPECT_EQ(answers, (std::map<Documented, int>{
                           {Documented::True, 27}, {Documented::Partly, 33}, {Documented::False, 36}}));
    EXPECT_EQ(claimSources().size(), wanted.size());
}

TEST(ClaimTable, EachRowSaysAllThatIsToBeKnown) {
    for (const ClaimRow& claim : claimTable()) {
        EXPECT_TRUE(claim.claim.ends_with('.')) << claim.id;
        EXPECT_THAT(claim.place, HasSubstr("line ")) << claim.id;
        EXPECT_FALSE(claim.reference.empty()) << claim.id;
        EXPECT_NE(claim.cases.empty(), claim.needs.empty()) << claim.id << " is decided, or says why not";
        for (const ClaimCase& tested : claim.cases) {
            EXPECT_FALSE(tested.says.empty() || tested.holds.empty()) << claim.id;
            EXPECT_FALSE(tested.contrary.empty()) << claim.id << " says what would speak against it";
            EXPECT_TRUE(claim.documented == Documented::Partly ||
                        tested.documented == (claim.documented == Documented::True))
                << claim.id;
        }
    }
}

TEST(ClaimTable, EachRuleNamesRunsThereAreAndCanBeRead) {
    const analysis::Report report;
    for (const std::string& rule : allRules()) {
        for (const std::string& run : runsOf(rule)) {
            const LabExperiment* experiment = findLabExperiment(experimentOfRun(run));
            ASSERT_TRUE(experiment) << rule;
            const auto named = [&](const LabRun& r) { return experiment->id + "." + r.name == run; };
            EXPECT_TRUE(experiment->isProbe() ? run == experiment->id
                                              : std::ranges::any_of(experiment->runs, named))
                << rule;
        }
        EXPECT_NO_THROW(assertion::checkAssertion({report, io::ReportDocument{}}, claimRule(rule).expression))
            << rule;
    }
}

TEST(ClaimTable, ARuleWithoutARunIsRefused) {
    EXPECT_THROW(claimRule("overlap(h2d,kernel)>=0.8"), Error);
    EXPECT_EQ(runsOf("E41.two: /bounds/measured_ns<=0.8*@E41.one"),
              (std::vector<std::string>{"E41.two", "E41.one"}));
}

TEST(LabExperiments, EachRunIsOneThatCanBe) {
    for (const LabExperiment& experiment : labExperiments()) {
        EXPECT_NE(experiment.isProbe(), !experiment.runs.empty()) << experiment.id;
        EXPECT_GE(experiment.repeat, 1) << experiment.id;
        for (const LabRun& run : experiment.runs) {
            EXPECT_NO_THROW(experiment::plan(run.experiment, 1)) << experiment.id << "." << run.name;
            EXPECT_TRUE(experiment::simulatorOnly(run.experiment).empty())
                << experiment.id << "." << run.name;
        }
    }
}

TEST(LabExperiments, EachProbeIsInItsTable) {
    const std::string table = readTextFile(std::string(OLAB_SOURCES) + "/engine/cuda/probes/probes.cpp");
    for (const LabExperiment& experiment : labExperiments())
        if (experiment.isProbe()) {
            EXPECT_THAT(table, HasSubstr("{\"" + experiment.probe + "\", ")) << experiment.id;
        }
}

/// A number that no probe leaves could never be judged.
TEST(LabExperiments, EachNumberOfARuleIsOneThatItsProbeLeaves) {
    std::string sources;
    const auto folder = std::filesystem::path(OLAB_SOURCES) / "engine/cuda/probes";
    for (const auto& file : std::filesystem::directory_iterator(folder))
        if (file.path().extension() == ".cpp")
            sources += readTextFile(file.path().string());
    for (const std::string& rule : allRules()) {
        const std::string text(claimRule(rule).expression);
        if (!text.starts_with("number("))
            continue;
        const std::string name = text.substr(7, text.find(')') - 7);
        // Names are put together from parts between dots.
        for (std::size_t at = 0; at < name.size();) {
            const auto dot = std::min(name.find('.', at), name.size());
            EXPECT_THAT(sources, HasSubstr(name.substr(at, dot - at))) << rule;
            at = dot + 1;
        }
    }
}

TEST(LabExperiments, EachHasAControlOfItsOwnOrThoseOfAll) {
    EXPECT_EQ(findLabExperiment(kControlsOfAll)->controls.size(), 4u);
    for (const LabExperiment& experiment : labExperiments())
        if (experiment.isProbe() && experiment.id != "E22" && experiment.id != "E45") // these ask what is so
        {
            EXPECT_FALSE(experiment.controls.empty()) << experiment.id;
        }
}

} // namespace
} // namespace olab::claims
