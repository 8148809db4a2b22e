// Small questions of a recording: parts of its report, cut arrays, waits, assertions of a file.
#include "cli_fixture.h"

namespace olab::test {
namespace {

class PagedCli : public Cli {
protected:
    PagedCli() { EXPECT_EQ(olab("run --backend sim --set streams=3 -o run.olab").code, 0); }
    json analyzed(const std::string& arguments, const std::string& file = "run.olab") const {
        const Result r = olab("analyze " + file + " " + arguments);
        EXPECT_EQ(r.code, 0) << r.err;
        return json::parse(r.out);
    }
    /// The file without its end: something was lost.
    void writeCut() const {
        fs::copy(m_folder / "run.olab", m_folder / "cut.olab");
        fs::resize_file(m_folder / "cut.olab", fs::file_size(m_folder / "cut.olab") - 400);
    }
};

TEST_F(PagedCli, APartIsThatOfTheReport) {
    const json report = analyzed("--json"), page = analyzed("--json --select /bounds");
    EXPECT_EQ(page["format"], "olab-page");
    EXPECT_EQ(page["of"], "olab-report");
    EXPECT_EQ(page["value"], report["bounds"]);
    EXPECT_EQ(page["source"], report["source"]);
    EXPECT_EQ(page["left_out"], json::object());
    EXPECT_FALSE(page.contains("total"));
    EXPECT_EQ(analyzed("--json --select ''")["value"], report);
    EXPECT_EQ(analyzed("--numbers --select /devices/0/classes")["value"], report["devices"]["0"]["classes"]);
}

TEST_F(PagedCli, ArraysAreCutAndWhatIsLeftOutIsCounted) {
    const json verdicts = analyzed("--json")["verdicts"];
    ASSERT_GT(verdicts.size(), 2u);
    const json first = analyzed("--json --select /verdicts --top 1");
    EXPECT_EQ(first["value"], json::array({verdicts[0]}));
    EXPECT_EQ(first["total"], verdicts.size());
    EXPECT_EQ(first["left_out"], json({{"/verdicts", verdicts.size() - 1}}));
    const json next = analyzed("--json --select /verdicts --skip 1 --top 1");
    EXPECT_EQ(next["value"], json::array({verdicts[1]}));
    EXPECT_EQ(next["left_out"], json({{"/verdicts", verdicts.size() - 2}}));
    EXPECT_EQ(analyzed("--json --select /verdicts --skip 1000")["value"], json::array());
    const json all = analyzed("--json --top 1");
    EXPECT_EQ(all["value"]["verdicts"], first["value"]);
    EXPECT_EQ(all["left_out"]["/verdicts"], verdicts.size() - 1);
}

TEST_F(PagedCli, EveryPageSaysWhatWasLostAndWhatIsInconclusive) {
    writeCut();
    const json report = analyzed("--json", "cut.olab"),
               page = analyzed("--json --select /bounds/measured_ns", "cut.olab");
    EXPECT_GT(report["defects"].size(), 0u);
    EXPECT_EQ(page["defects"], report["defects"]);
    EXPECT_EQ(page["abstained"], report["abstained"]);
    std::size_t open = 0;
    for (const json& verdict : report["verdicts"])
        open += verdict["verdict"] == "inconclusive";
    EXPECT_GT(open, 0u);
    EXPECT_GE(page["inconclusive"].size(), open);
    EXPECT_EQ(analyzed("--waits", "cut.olab")["defects"], report["defects"]);
}

TEST_F(PagedCli, WaitsOfTheWholeRunAddUpByCause) {
    const json found = analyzed("--waits");
    std::int64_t sum = 0, byCause = 0;
    for (const json& wait : found["waits"]) {
        EXPECT_EQ(wait["begin_ns"].get<std::int64_t>() - wait["ready_ns"].get<std::int64_t>(),
                  wait["wait_ns"]);
        sum += wait["wait_ns"].get<std::int64_t>();
    }
    for (const json& cause : found["causes"])
        byCause += cause["wait_ns"].get<std::int64_t>();
    EXPECT_EQ(sum, byCause);
    EXPECT_EQ(found["total"], found["waits"].size());
    const json longest = analyzed("--waits --top 2");
    EXPECT_EQ(longest["left_out"], found["waits"].size() - 2);
    EXPECT_EQ(longest["causes"], found["causes"]);
    EXPECT_EQ(longest["waits"][0]["activity"], found["waits"][0]["activity"]);
    EXPECT_GE(longest["waits"][0]["wait_ns"], longest["waits"][1]["wait_ns"]);
    EXPECT_THAT(longest["waits"][0]["text"].get<std::string>(), HasSubstr("Waited "));
}

TEST_F(PagedCli, AnAssertionOfAFileDecidesTheExitCode) {
    EXPECT_EQ(olab("analyze run.olab --assert /experiment/streams==3").code, 0);
    const Result r = olab("analyze run.olab --json --assert 'count(kernel)>=1' --assert 'count(kernel)<1'");
    EXPECT_EQ(r.code, 1);
    EXPECT_EQ(json::parse(r.out)["experiment"]["streams"], 3);
    EXPECT_THAT(r.err, HasSubstr("count(kernel)<1: does not hold"));
    writeCut();
    const Result lost = olab("analyze cut.olab --assert 'count(kernel)>=1'");
    EXPECT_EQ(lost.code, 1);
    EXPECT_THAT(lost.err, HasSubstr("cannot be judged"));
    const Result both = olab("analyze run.olab cut.olab --json --assert 'count(kernel)>=1'");
    EXPECT_EQ(both.code, 1);
    EXPECT_THAT(both.err, HasSubstr("run.olab: count(kernel)"));
    EXPECT_THAT(both.err, HasSubstr("cut.olab: count(kernel)"));
    EXPECT_EQ(json::parse(both.out).size(), 2u);
}

TEST_F(PagedCli, WhatCannotBeIsRefused) {
    expectUsageError("analyze run.olab --json --select /bounds/speed", "/bounds has serial_ns");
    expectUsageError("analyze run.olab --json --select /verdicts/100000", "elements, from 0");
    expectUsageError("analyze run.olab --json --select bounds", "JSON pointer");
    expectUsageError("analyze run.olab --json --top 0", "--top");
    expectUsageError("analyze run.olab --json --select /verdicts --skip few", "--skip");
    expectUsageError("analyze run.olab --select /bounds", "--json");
    expectUsageError("analyze run.olab --waits --numbers", "--waits");
    expectUsageError("analyze run.olab --waits --from 2ms --to 1ms", "--from");
    expectUsageError("analyze run.olab --assert 'overlaps(h2d)'", "overlaps");
    expectUsageError("analyze run.olab --numbers --assert 'count(kernel)>=1'", "--assert");
    expectUsageError("analyze . --json --select /rows", "--select");
    expectUsageError("serve", "--mcp");
}

/// A memset of the NULL stream holds all others up.
TEST_F(PagedCli, WhyShowsWhatTheFirstCauseTakesOutAndWhatElseKeptTheSameWork) {
    ASSERT_EQ(
        olab("run --backend sim --set streams=3 --set stream.kind=blocking --set null_op=memset -o held.olab")
            .code,
        0);
    const Result r = olab("analyze held.olab --why");
    const std::string first = analyzed("--json", "held.olab")["ledger"]["causes"][0]["id"];
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr(" constraints held something up that are gone without " + first));
    EXPECT_THAT(r.out, testing::ContainsRegex("\n  > not before [0-9.]+ us: .*gone without " + first));
    EXPECT_THAT(r.out, HasSubstr("\n    not before ")) << "the others into the same step";
    EXPECT_THAT(r.out, testing::ContainsRegex("\n  order of its stream, kernel: [0-9]+ ns, [0-9]+ times\n"));
    EXPECT_EQ(olab("analyze held.olab --why --json").code, 2);
}

} // namespace
} // namespace olab::test
