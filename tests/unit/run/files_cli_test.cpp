// Files as a user of Unix gives them to the command line, and what becomes of them.
#include "cli_fixture.h"

#include <set>
#include <sys/stat.h>

using namespace olab::test;
using testing::Not;

namespace {

constexpr const char* kRun = "run --backend sim --set iterations=2 ";

class CliFiles : public Cli {
protected:
    std::string path(const std::string& name) const { return (m_folder / name).string(); }
    std::string content(const std::string& name) const {
        std::ifstream in(m_folder / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void put(const std::string& name, const std::string& text) const {
        std::ofstream(m_folder / name) << text;
    }
    /// A recording of two iterations.
    void record(const std::string& name) const {
        const Result r = olab(kRun + ("-o '" + name + "'"));
        ASSERT_EQ(r.code, 0) << r.err;
    }
    json reportOf(const std::string& name) const {
        const Result r = olab("analyze --json '" + name + "'");
        EXPECT_EQ(r.code, 0) << r.err;
        return r.code == 0 ? json::parse(r.out) : json();
    }
};

std::string program() {
    return std::string("'") + OLAB_PROGRAM + "' ";
}

TEST_F(CliFiles, AReadOnlyFileIsSaidBeforeAnythingRuns) {
    put("kept.olab", "precious");
    fs::permissions(m_folder / "kept.olab", fs::perms::owner_read);
    expectUsageError(std::string(kRun) + "-o kept.olab", "kept.olab: it is read-only");
    expectUsageError(std::string(kRun) + "-o none/kept.olab", "its folder does not exist");
    expectUsageError("convert missing.olab none/kept.olab", "its folder does not exist");
    EXPECT_EQ(content("kept.olab"), "precious");
}

TEST_F(CliFiles, WhenASaveFailsTheRunIsStillToldAndJudged) {
    const std::string limited = "ulimit -f 1; " + program() + kRun;
    const Result told = shell(limited + "-o a.olab");
    EXPECT_EQ(told.code, 2);
    EXPECT_THAT(told.out, HasSubstr("H2D")) << "the report";
    EXPECT_THAT(told.err, HasSubstr("Cannot write a.olab"));
    EXPECT_THAT(told.err, Not(HasSubstr(".part")));
    const Result judged = shell(limited + "-o a.olab --assert 'overlap(h2d,kernel)>1'");
    EXPECT_EQ(judged.code, 1) << "the assertion failed, which is worse";
    EXPECT_THAT(judged.err, HasSubstr("Cannot write a.olab"));
    const Result held = shell(limited + "-o a.olab --assert 'overlap(h2d,kernel)>=0'");
    EXPECT_EQ(held.code, 2) << "it held, but what was asked for is not there";
    EXPECT_FALSE(fs::exists(m_folder / "a.olab"));
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), {}), 1) << "what was said";
}

TEST_F(CliFiles, ARecordingGoesToStandardOutputAndTheReportDoesNot) {
    const Result r = shell(program() + kRun + "-o /dev/stdout > a.olab");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.err, HasSubstr("H2D")) << "the report";
    EXPECT_TRUE(reportOf("a.olab")["defects"].empty()) << "nothing behind the recording";
    EXPECT_EQ(shell(program() + kRun + "-o /dev/stdout | cat > b.olab").code, 0);
    EXPECT_TRUE(reportOf("b.olab")["defects"].empty());
    EXPECT_EQ(shell(program() + "convert b.olab /dev/stdout --to olab > c.olab").code, 0);
    EXPECT_EQ(content("c.olab").substr(1, 4), "OLAB");
    expectUsageError(std::string(kRun) + "-o /dev/stdout --json", "cannot both");
    EXPECT_EQ(shell(program() + kRun + "-o /dev/null").code, 0);
}

TEST_F(CliFiles, PipesAreReadAndDevicesRefused) {
    record("a.olab");
    json piped = json::parse(shell("cat a.olab | " + program() + "analyze --json /dev/stdin").out);
    json plain = reportOf("a.olab");
    piped.erase("source");
    plain.erase("source");
    EXPECT_EQ(piped, plain);
    const Result bad = shell("head -c 300 /dev/urandom | " + program() + "analyze /dev/stdin");
    EXPECT_EQ(bad.code, 2);
    EXPECT_THAT(bad.err, HasSubstr("/dev/stdin"));
    EXPECT_THAT(bad.err, Not(HasSubstr("/proc/")));
    const Result cut = shell("head -c 12 a.olab | " + program() + "analyze /dev/stdin");
    EXPECT_THAT(cut.err + cut.out, Not(HasSubstr("/proc/self")));
    const Result endless = shell("timeout 300 " + program() + "analyze /dev/zero");
    EXPECT_EQ(endless.code, 2);
    EXPECT_THAT(endless.err, HasSubstr("device"));
    const Result json = shell("echo '{\"streams\": 2}' | " + program() + kRun + "--json /dev/stdin");
    EXPECT_EQ(json.code, 0) << json.err;
    EXPECT_EQ(nlohmann::json::parse(json.out)["experiment"]["streams"], 2);
}

TEST_F(CliFiles, AFifoThatNobodyWritesCanBeInterrupted) {
    ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
    const Result r =
        shell(program() + "analyze pipe & p=$!; " + kUntilItHears + "kill -INT $p; kill -TERM $p; wait $p");
    EXPECT_EQ(r.code, 5) << r.err;
    EXPECT_EQ(shell("timeout 300 " + program() + "run --backend sim --set sim.device=file:pipe").code, 2)
        << "where nobody could end the wait it is refused";
}

TEST_F(CliFiles, NamesOf255BytesAndOfAnyBytes) {
    for (const std::string& name :
         {std::string(250, 'n') + ".olab", std::string("caf\xe9 \xff.olab"), std::string("-dash.olab")}) {
        record("./" + name);
        EXPECT_TRUE(fs::exists(m_folder / name));
        EXPECT_FALSE(reportOf("./" + name)["devices"].empty());
    }
}

#ifdef OLAB_HAVE_UI
TEST_F(CliFiles, PicturesFollowTheSameRules) {
    const std::string name = "caf\xe9.olab", picture = "caf\xe9.svg";
    record(name);
    Result r = olab("render '" + name + "' '" + picture + "'");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(content(picture), HasSubstr("<svg"));
    put("kept.svg", "precious");
    fs::permissions(m_folder / "kept.svg", fs::perms::owner_read);
    r = olab("render '" + name + "' kept.svg");
    EXPECT_EQ(r.code, 2);
    EXPECT_THAT(r.err, HasSubstr("kept.svg: it is read-only"));
    EXPECT_EQ(content("kept.svg"), "precious");
    const std::string longest = std::string(251, 'p') + ".svg";
    EXPECT_EQ(olab("render '" + name + "' " + longest).code, 0);
}
#endif

TEST_F(CliFiles, WhatWasLostIsLostInEveryFormat) {
    record("whole.olab");
    put("cut.olab", content("whole.olab").substr(0, content("whole.olab").size() * 3 / 4));
    for (const std::string copy : {"copy.olab", "copy.json"}) {
        EXPECT_EQ(olab("convert cut.olab " + copy).code, 0);
        EXPECT_EQ(olab("analyze " + copy + " --assert 'count(kernel)>=1'").code, 1) << copy;
    }
    ASSERT_EQ(olab("convert cut.olab copy.report.json").code, 0);
    EXPECT_THAT(content("copy.report.json"), HasSubstr("truncated-file"));
    const Result r = olab("convert cut.olab copy.csv");
    EXPECT_EQ(r.code, 0);
    EXPECT_THAT(r.err, HasSubstr("copy.csv has no place for the defects of this recording:\n  data_loss, 1 x "
                                 "The file ends too early"));
    EXPECT_EQ(olab("convert whole.olab whole.csv").err, "");
}

TEST_F(CliFiles, WhatOnlyThePlanMissesIsMissedWithoutIt) {
    const std::string recorded = std::string(OLAB_SOURCE_DIR) + "/resources/recordings/default-h200.olab";
    ASSERT_EQ(olab("convert '" + recorded + "' part.olab --from 2ms --until 3ms").code, 0);
    ASSERT_EQ(olab("convert part.olab part.json").code, 0);
    ASSERT_EQ(olab("convert part.olab bare.olab --records-only").code, 0);
    const auto lossesOf = [this](const std::string& file) {
        const json report = json::parse(olab("analyze --json " + file).out);
        std::set<json> losses;
        for (const json& defect : report["defects"])
            if (defect["severity"] != "notice")
                losses.insert(defect);
        return losses;
    };
    ASSERT_EQ(lossesOf("part.olab").size(), 5u) << "of five classes";
    EXPECT_EQ(lossesOf("part.json"), lossesOf("part.olab"));
    EXPECT_EQ(lossesOf("bare.olab"), lossesOf("part.olab"));
}

TEST_F(CliFiles, NoGreenLightFromABrokenFile) {
    record("whole.olab");
    ASSERT_EQ(olab("convert whole.olab whole.json").code, 0);
    put("empty.json", R"({"traceEvents":[]})");
    const auto verdictOn = [this](const std::string& a, const std::string& b, const std::string& expression) {
        return olab("compare " + a + " " + b + " --assert '" + expression + "'");
    };
    for (const char* ending : {".olab", ".json"}) {
        const std::string whole = std::string("whole") + ending, cut = std::string("cut") + ending;
        EXPECT_EQ(verdictOn(whole, whole, "count(kernel)==@A").code, 0);
        const std::string bytes = content(whole);
        for (const std::size_t size : {bytes.size() / 2, bytes.size() * 3 / 4, bytes.size() - 40}) {
            put(cut, bytes.substr(0, size));
            for (const char* expression : {"slower<=5%", "overlap(h2d,kernel)>=0", "/version>=1"})
                for (const auto& [a, b] : {std::pair{whole, cut}, {cut, whole}, {cut, cut}}) {
                    const Result r = verdictOn(a, b, expression);
                    EXPECT_EQ(r.code, 1)
                        << expression << ", " << size << " bytes of " << whole << ": " << r.err;
                    EXPECT_THAT(r.err, HasSubstr("cannot be judged, cut")) << "it says why";
                }
        }
    }
    const Result nothing = verdictOn("empty.json", "empty.json", "/version>=1");
    EXPECT_EQ(nothing.code, 1);
    EXPECT_THAT(nothing.err, HasSubstr("has no device work"));
    const Result like = olab("run --like cut.olab --backend sim --assert 'count(kernel)>=1'");
    EXPECT_EQ(like.code, like.err.find("no work of a device") == std::string::npos ? 1 : 2) << like.err;
    EXPECT_EQ(olab("run --like whole.olab --backend sim --assert 'count(kernel)>=1'").code, 0);
    const Result raced = olab("run --like whole.olab --backend sim --assert 'raced()==0'");
    EXPECT_EQ(raced.code, 1);
    EXPECT_THAT(raced.err, HasSubstr("the data of this program was not checked"));
}

TEST_F(CliFiles, AProgramWithoutOurOptionsIsTriedOnItsOperations) {
    const std::string pageable = std::string(OLAB_SOURCE_DIR) + "/resources/recordings/pageable-h200.olab";
    ASSERT_EQ(olab("convert '" + pageable + "' foreign.olab --records-only").code, 0);
    const std::string ours = olab("analyze '" + pageable + "'").out,
                      foreign = olab("analyze foreign.olab").out;
    EXPECT_THAT(ours, testing::HasSubstr("try: --set h2d.memory=pinned"));
    EXPECT_THAT(foreign, testing::HasSubstr("olab run --like 'foreign.olab' --set h2d.memory=pinned"));
    EXPECT_THAT(foreign, Not(testing::HasSubstr("try: --set")));
    fs::rename(m_folder / "foreign.olab", m_folder / "it's.olab");
    EXPECT_THAT(olab("analyze \"it's.olab\"").out, testing::HasSubstr("--like TRACE --set"))
        << "fit for a shell";
}

TEST_F(CliFiles, OtherWorkIsNoFasterProgram) {
    record("all.olab");
    ASSERT_EQ(olab("run --backend sim --set iterations=1 -o half.olab").code, 0);
    const Result r = olab("compare all.olab half.olab --assert 'slower<=5%'");
    EXPECT_EQ(r.code, 1);
    EXPECT_THAT(r.err, HasSubstr("cannot be judged, Nothing shows that both did the same work: "
                                 "all.olab has 8 kernels, half.olab 4."));
    EXPECT_THAT(r.out, HasSubstr("INCONCLUSIVE. Nothing shows that both did the same work"));
    EXPECT_THAT(json::parse(olab("compare all.olab half.olab --json").out)["unjudged"],
                HasSubstr("8 kernels"));
    expectUsageError("compare all.olab all.olab --assert 'slower<=5'", "write 5% or 0.05");
    expectUsageError("run --backend sim --assert 'overlap(h2d,kernel)<=80'", "write 80% or 0.8");
}

TEST_F(CliFiles, AFileNoneOfWhoseRecordsCanBeUsedIsNoTrace) {
    put("na.csv",
        "==1== Profiling result:\n"
        "\"Start\",\"Duration\",\"Grid "
        "X\",\"Size\",\"Throughput\",\"Device\",\"Context\",\"Stream\",\"Name\"\n"
        "ms,ms,,KB,GB/s,,,,\nN/A,N/A,,,,\"GPU (0)\",1,7,\"spin\"\nN/A,N/A,,,,\"GPU (0)\",1,7,\"spin\"\n");
    put("bad.json", R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1e400,)"
                    R"("dur":1,"args":{"device":0,"stream":7,"correlation":1}}]})");
    for (const char* name : {"na.csv", "bad.json"}) {
        for (const char* json : {"", "--json ", "--numbers "})
            expectUsageError(std::string("analyze ") + json + name, "none of its ");
        expectUsageError(std::string("convert ") + name + " out.olab", "can be used");
        EXPECT_THAT(olab(std::string("analyze ") + name).err, HasSubstr("again")) << "what to do";
    }
    put("empty.json", R"({"traceEvents":[]})");
    EXPECT_EQ(olab("analyze empty.json").code, 0) << "nothing in it was refused";
}

TEST_F(CliFiles, AFileWithoutWorkOfAGpuSaysHowToRecordIt) {
    put("cpu.json",
        R"({"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,)"
        R"("tid":1,"ts":5,"dur":1}]})");
    const Result r = olab("analyze cpu.json");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("No work of a GPU is in this file: record again with CUDA activity on"));
    put("cut.json",
        R"({"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,)"
        R"("tid":1,"ts":5,"dur":1},{"ph":"X","cat":"ker)");
    const Result cut = olab("analyze cut.json");
    EXPECT_THAT(cut.out, HasSubstr("No work of a GPU is in what could be read of this file."));
    EXPECT_THAT(cut.out, HasSubstr("Copy it again")) << "what is lost may have been it";
}

} // namespace
