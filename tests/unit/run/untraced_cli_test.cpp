// What the command line says of a recording in which nothing was traced.
#include "cli_fixture.h"

#include <olab/analysis/rules.h>
#include <olab/recording/recording.h>
#include <olab/trace/trace_builder.h>

namespace olab::test {
namespace {

class UntracedCli : public Cli {
protected:
    UntracedCli() {
        TraceBuilder builder;
        builder.add(DeviceRecord{.device = 0, .name = "Test GPU", .uuid = {}, .smCount = 1});
        builder.add(WindowRecord{1'000'000, 33'400'000, false});
        io::writeRecording(m_folder / "off.olab", builder.finish(), nullptr, std::nullopt);
    }
};

TEST_F(UntracedCli, EveryRuleAbstainsAndNoBoundIsZero) {
    const Result r = olab("analyze --json off.olab");
    ASSERT_EQ(r.code, 0) << r.err;
    const json j = json::parse(r.out);
    ASSERT_EQ(j["abstained"].size(), analysis::ruleTable().size());
    for (std::size_t i = 0; i < analysis::ruleTable().size(); ++i)
        EXPECT_EQ(j["abstained"][i]["rule"], analysis::ruleTable()[i].id);
    for (const auto& [key, value] : j["bounds"].items())
        EXPECT_NE(value, json(0)) << key;
    EXPECT_EQ(j["bounds"]["measured_ns"], 32'400'000);
    EXPECT_TRUE(j["bounds"]["serial_ns"].is_null());
    EXPECT_TRUE(j["host"].is_null());
    for (const json& verdict : j["verdicts"])
        for (const char* number : {"overlap_ns", "of_attainable", "of_a", "of_b", "blocked_ns"})
            EXPECT_TRUE(verdict[number].is_null()) << verdict.dump();
}

TEST_F(UntracedCli, TheTextSaysWhatEachRuleLacked) {
    const Result r = olab("analyze off.olab");
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("measured 32.4 ms\n"));
    EXPECT_THAT(r.out, testing::Not(HasSubstr("0 ns")));
    EXPECT_THAT(r.out, HasSubstr("rules that could not judge"));
    for (const analysis::RuleRow& rule : analysis::ruleTable())
        EXPECT_THAT(r.out, HasSubstr("  " + std::string(rule.id) + " lacks records of device work"));
}

TEST_F(UntracedCli, AnAssertionAboutAnUnknownRuleIsRefusedBeforeTheRun) {
    expectUsageError("run --backend sim --assert 'finding(pagable)==0'", "the nearest is 'pageable'");
}

} // namespace
} // namespace olab::test
