// The command line as a script sees it: exit codes, what goes to stdout and what to stderr.
#include "cli_fixture.h"
#include "test_places.h"

#include <set>

namespace olab::test {
namespace {

TEST_F(Cli, HelpOfEveryCommandIsOnStdout) {
    const Result all = olab("--help");
    EXPECT_EQ(all.code, 0);
    for (const char* command : {"run", "analyze", "convert", "options", "presets", "devices", "calibrate"}) {
        EXPECT_THAT(all.out, HasSubstr(command));
        const Result r = olab(std::string(command) + " --help");
        EXPECT_EQ(r.code, 0);
        EXPECT_THAT(r.out, HasSubstr(std::string("usage: olab ") + command));
        EXPECT_EQ(r.err, "");
        EXPECT_EQ(olab(std::string("help ") + command).out, r.out);
    }
    EXPECT_EQ(olab("--version").code, 0);
}

TEST_F(Cli, WrongUsageIsExitCode2) {
    EXPECT_EQ(olab("").code, 2);
    expectUsageError("dance", "no command 'dance'");
    expectUsageError("run --dance", "--dance");
    expectUsageError("run --set", "needs a value");
    expectUsageError("run --json=yes", "takes no value");
    expectUsageError("run a b", "'b'");
    expectUsageError("run nothing-like-that", "neither a preset nor a file");
    expectUsageError("run --backend abacus", "abacus");
    expectUsageError("run --backend sim --set streems=3", "streams");
    expectUsageError("run --backend sim --set streams=0", "streams");
    expectUsageError("run --backend sim --keep-raw raw", "simulator");
    expectUsageError("run --backend sim --assert 'overlap(h2d)>1'", "assertion");
    expectUsageError("analyze", "missing");
    expectUsageError("analyze missing.olab", "missing.olab");
    expectUsageError("convert a b", "format");
    expectUsageError("engine --kind plain 3>&-", "olab run");
    expectUsageError("engine --kind plain 3>/dev/null", "olab run");
}

TEST_F(Cli, TheValueOfAnOptionIsNoWishForHelp) {
    ASSERT_EQ(olab("run --backend sim --set iterations=1 -o run.olab").code, 0);
    for (const std::string word : {"-h", "--help"}) {
        expectUsageError("analyze run.olab --assert " + word, "'" + word + "'");
        expectUsageError("analyze run.olab --assert=" + word, "'" + word + "'");
        expectUsageError("compare run.olab run.olab --assert " + word, "'" + word + "'");
        expectUsageError("run --backend sim --set " + word, word);
        EXPECT_THAT(olab("analyze --assert 'raced()==0' --nonsense " + word).out, HasSubstr("usage: olab"));
    }
}

TEST_F(Cli, ARecordingThatALessonMissesIsNoStatement) {
    fs::create_directory(m_folder / "empty");
    const Result r = olab("lesson memset-is-a-kernel --check --recordings empty");
    EXPECT_EQ(r.code, 1);
    EXPECT_THAT(r.out, testing::ContainsRegex("\n[0-9]+ statements hold, 0 do not\\. Recordings that are "
                                              "missing or of other settings: [0-9]+\\.\n"));
}

TEST_F(Cli, TablesAreJson) {
    const json options = json::parse(olab("options --json").out);
    ASSERT_TRUE(options.is_array());
    for (const json& row : options)
        for (const char* key : {"key", "type", "default", "help"})
            EXPECT_TRUE(row.contains(key)) << row.dump();
    const json presets = json::parse(olab("presets --json").out);
    ASSERT_FALSE(presets.empty());
    for (const json& row : presets)
        for (const char* key : {"id", "title", "source", "text", "experiment"})
            EXPECT_TRUE(row.contains(key)) << row.dump();
    for (const char* command : {"options", "presets"})
        EXPECT_GT(olab(command).out.size(), 200u);
}

TEST_F(Cli, DevicesNeverFails) {
    const Result r = olab("devices --json");
    EXPECT_EQ(r.code, 0);
    const json j = json::parse(r.out);
    EXPECT_EQ(j["usable"].get<bool>(), j["missing"].get<std::string>().empty() && !j["devices"].empty());
    EXPECT_EQ(olab("devices").code, 0);
}

TEST_F(Cli, ARunOnTheSimulatorGivesAReport) {
    const Result r = olab("run --backend sim --json --set iterations=4 -o run.olab");
    ASSERT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.err, "");
    const json j = json::parse(r.out);
    EXPECT_EQ(j["format"], "olab-report");
    EXPECT_EQ(j["source"]["kind"], "simulated");
    EXPECT_EQ(j["source"]["file"], "run.olab");
    EXPECT_EQ(j["experiment"]["iterations"], 4);
    EXPECT_GT(j["devices"]["0"]["classes"]["kernel"]["count"], 0);
    const Result text = olab("run --backend sim --set iterations=4");
    EXPECT_THAT(text.out, HasSubstr("SIMULATED"));
}

TEST_F(Cli, TheVerdictComesBeforeTheToolEffect) {
    const Result r = olab("run --backend sim-engine --set iterations=2");
    ASSERT_EQ(r.code, 0) << r.err;
    const auto verdicts = r.out.find("\nverdicts\n"), waiting = r.out.find("tool effect: being measured"),
               effect = r.out.find("tool effect 1.");
    ASSERT_NE(verdicts, r.out.npos);
    ASSERT_NE(waiting, r.out.npos);
    ASSERT_NE(effect, r.out.npos) << r.out;
    EXPECT_LT(verdicts, waiting);
    EXPECT_LT(waiting, effect);
    EXPECT_EQ(r.out.find("\nverdicts\n", verdicts + 1), r.out.npos) << "said once";
    EXPECT_EQ(r.out.find("tool effect 1."), r.out.rfind("tool effect 1."));
    EXPECT_EQ(r.err, "");
}

TEST_F(Cli, WhoAsksForOneValueGetsItWhenAllIsKnown) {
    const json j = json::parse(olab("run --backend sim-engine --set iterations=2 --json").out);
    EXPECT_EQ(j["tool_effect"]["runs"], 5);
    EXPECT_FALSE(j["tool_effect"].contains("measured_with"));
    const Result file = olab("run --backend sim-engine --set iterations=2 -o run.olab");
    EXPECT_EQ(file.out.find("being measured"), file.out.npos);
    EXPECT_THAT(file.out, HasSubstr("tool effect 1."));
    EXPECT_EQ(json::parse(olab("analyze --json run.olab").out)["tool_effect"]["runs"], 5);
    const Result judged = olab("run --backend sim-engine --set iterations=2 --assert '/tool_effect/runs==5'");
    EXPECT_EQ(judged.code, 0) << judged.err;
    EXPECT_EQ(judged.out.find("being measured"), judged.out.npos);
}

TEST_F(Cli, ACancelBehindTheVerdictKeepsWhatWasSaid) {
    const Result r =
        shell(std::string("'") + OLAB_PROGRAM +
              "' run --backend sim-engine --set streams=16 --set iterations=400 > said & p=$!; "
              "until grep -q 'being measured' said; do sleep 0.02; done; kill -TERM $p; wait $p");
    EXPECT_EQ(r.code, 5) << r.err;
    std::ifstream said(m_folder / "said");
    const std::string text{std::istreambuf_iterator<char>(said), {}};
    EXPECT_THAT(text, HasSubstr("\nverdicts\n"));
    EXPECT_EQ(text.find("tool effect 1."), text.npos);
}

TEST_F(Cli, ARunGivesTheSameReportAgainFromItsFile) {
    json live = json::parse(olab("run --backend sim --json --set iterations=4 -o run.olab").out);
    json read = json::parse(olab("analyze --json run.olab").out);
    EXPECT_EQ(read["source"]["live"], false);
    live.erase("source");
    read.erase("source");
    EXPECT_EQ(live, read);
}

/// Wrong data is their point.
const std::set<std::string> kRacing{"race-other-stream", "kernel-in-null-stream-race", "shared-buffer",
                                    "shared-buffer-pinned", "loader-race"};

TEST_F(Cli, PresetsAndFilesAreStartingPoints) {
    for (const json& preset : json::parse(olab("presets --json").out)) {
        const Result r =
            olab("run " + preset["id"].get<std::string>() + " --backend sim --json --set iterations=2");
        const bool races = kRacing.contains(preset["id"].get<std::string>());
        ASSERT_EQ(r.code, races ? 4 : 0) << preset["id"] << ": " << r.err;
        if (races) {
            EXPECT_THAT(r.err, HasSubstr("raced")) << preset["id"];
        }
    }
    std::ofstream(m_folder / "mine.json") << R"({"streams": 5, "iterations": 2})";
    EXPECT_EQ(json::parse(olab("run mine.json --backend sim --json").out)["experiment"]["streams"], 5);
    std::ofstream(m_folder / "bad.json") << R"({"streems": 5})";
    expectUsageError("run bad.json --backend sim", "streems");
}

TEST_F(Cli, AssertionsDecideTheExitCode) {
    const Result good =
        olab("run --backend sim --assert 'overlap(h2d,kernel)>=0.01' --assert '/counts/refused==0'");
    EXPECT_EQ(good.code, 0) << good.err;
    const Result bad =
        olab("run --backend sim --assert 'overlap(h2d,kernel)>=0.01' --assert '/counts/read<1'");
    EXPECT_EQ(bad.code, 1);
    EXPECT_THAT(bad.err, HasSubstr("does not hold"));
    const Result absent = olab("run --backend sim --set h2d=off --assert 'overlap(h2d,kernel)<=1'");
    EXPECT_EQ(absent.code, 1);
    EXPECT_THAT(absent.err, HasSubstr("cannot be judged"));
}

TEST_F(Cli, WhatOnlyTheSimulatorCanPlayIsNeverMeasured) {
    const Result refused = olab("run blog-c1060-v1 --backend cuda");
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.err, HasSubstr("sim.device=c1060 exists only in the simulator"));
    const Result simulated = olab("run ping-pong-wddm --json --set iterations=2");
    EXPECT_EQ(simulated.code, 0) << simulated.err;
    EXPECT_THAT(simulated.err, HasSubstr("SIMULATED: sim.submission=wddm"));
    EXPECT_EQ(json::parse(simulated.out)["source"]["kind"], "simulated");
    EXPECT_EQ(olab("run ping-pong-wddm --set iterations=2 --assert '/bounds/efficiency>=-9'").code, 2)
        << "an assertion about a simulated run must be asked for";
}

TEST_F(Cli, ARaceIsAnErrorOfTheRunAndKeepsItsRecording) {
    const Result r = olab("run race-other-stream --backend sim -o raced.olab");
    EXPECT_EQ(r.code, 4);
    EXPECT_THAT(r.err, HasSubstr("The pipeline raced"));
    const json report = json::parse(olab("analyze --json raced.olab").out);
    EXPECT_EQ(report["defects"][0]["code"], "data-mismatch");
    for (const json& verdict : report["verdicts"])
        EXPECT_THAT(verdict["verdict"], testing::AnyOf("inconclusive", "not_applicable"));
    EXPECT_TRUE(report["bounds"]["efficiency"].is_null());
    EXPECT_THAT(report["race"].get<std::string>(), HasSubstr("The pipeline raced"));
    const Result again = olab("analyze raced.olab");
    EXPECT_THAT(again.out, HasSubstr("RACED. The pipeline raced"));
    for (const std::string& text : {r.out, again.out})
        for (const char* word : {"efficiency", "(proved", "(confirmed"})
            EXPECT_THAT(text, testing::Not(HasSubstr(word)));
    EXPECT_LT(again.out.find("RACED. "), again.out.find("verdicts")) << "before any number";
    EXPECT_NE(olab("run race-other-stream --backend sim --assert '/bounds/efficiency>=-9'").code, 0);
}

TEST_F(Cli, ACombinationThatCannotBeIsRefusedWithItsSentence) {
    const Result r = olab("run --backend sim --set submit=graph --set null_op=memset");
    EXPECT_EQ(r.code, 2);
    EXPECT_THAT(r.err, HasSubstr("submit=graph and null_op=memset exclude each other"));
}

TEST_F(Cli, WithoutAGpuAutoSaysThatItSimulates) {
    if (json::parse(olab("devices --json").out)["usable"].get<bool>())
        GTEST_SKIP() << "this machine has a GPU";
    const Result r = olab("run --set iterations=2 --json");
    EXPECT_EQ(r.code, 0);
    EXPECT_THAT(r.err, HasSubstr("SIMULATED"));
    EXPECT_EQ(json::parse(r.out)["source"]["kind"], "simulated");
    EXPECT_EQ(olab("run --backend cuda").code, 3);
    expectUsageError("run --assert '/counts/refused==0'", "--backend sim");
}

TEST_F(Cli, AnalyzeTakesSeveralFilesAndASlice) {
    ASSERT_EQ(olab("run --backend sim --set iterations=8 -o a.olab").code, 0);
    const json both = json::parse(olab("analyze --json a.olab a.olab").out);
    ASSERT_EQ(both.size(), 2u);
    EXPECT_EQ(both[0], both[1]);
    const json whole = both[0];
    const json slice = json::parse(olab("analyze --json a.olab --from 1ms --to 2ms").out);
    const auto kernels = [](const json& j) {
        return j["devices"]["0"]["classes"]["kernel"]["count"].get<int>();
    };
    EXPECT_LT(kernels(slice), kernels(whole));
    EXPECT_GT(kernels(slice), 0);
    EXPECT_EQ(slice["experiment"], whole["experiment"]);
    for (const json& defect : slice["defects"])
        EXPECT_NE(defect["code"], "missing-ops") << "what lies outside a slice is not missing";
    const json outside = json::parse(olab("analyze --json a.olab --from 3600s").out);
    EXPECT_TRUE(outside["devices"].empty());
    expectUsageError("analyze a.olab --from 2ms --to 1ms", "--from");
    expectUsageError("analyze a.olab --from soon", "soon");
}

TEST_F(Cli, ConvertWritesTheSameRecording) {
    ASSERT_EQ(olab("run --backend sim --set iterations=2 -o a.olab").code, 0);
    ASSERT_EQ(olab("convert a.olab b.olab").code, 0);
    ASSERT_EQ(olab("convert a.olab c.xyz --to olab").code, 0);
    const auto reportOf = [this](const char* file) {
        json j = json::parse(olab(std::string("analyze --json ") + file).out);
        j.erase("source");
        return j;
    };
    EXPECT_EQ(reportOf("a.olab"), reportOf("b.olab"));
    EXPECT_EQ(reportOf("a.olab"), reportOf("c.xyz"));
    EXPECT_THAT(olab("convert a.olab c.olab").err, testing::IsEmpty());
    EXPECT_THAT(olab("convert a.olab c.json").err,
                HasSubstr("c.json has no place for the plan, which streams are blocking"));
    expectUsageError("convert a.olab d.xyz", "d.xyz");
    expectUsageError("convert a.olab d.olab --to tiff", "tiff");
}

TEST_F(Cli, ConvertWritesAPartWithTheCallsThatIssuedIt) {
    ASSERT_EQ(olab("run --backend sim --set iterations=8 -o a.olab").code, 0);
    ASSERT_EQ(olab("convert a.olab part.olab --from 2ms --until 3ms").code, 0);
    const auto reportOf = [this](const std::string& what) {
        return json::parse(olab("analyze --json " + what).out);
    };
    const json slice = reportOf("a.olab --from 2ms --to 3ms"), part = reportOf("part.olab");
    EXPECT_EQ(part["devices"]["0"]["classes"], slice["devices"]["0"]["classes"]);
    EXPECT_LT(slice["host"]["api"].size(), part["host"]["api"].size()) << "they were issued well ahead";
    expectUsageError("convert a.olab b.olab --from 3ms --until 2ms", "--until");
}

TEST_F(Cli, InterruptCancels) {
    const Result r = shell(std::string("'") + OLAB_PROGRAM +
                           "' run --backend sim --set streams=128 --set iterations=3000 & p=$!; " +
                           kUntilItHears + "kill -TERM $p; wait $p");
    EXPECT_EQ(r.code, 5);
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr("Cancelled"));
}

TEST_F(Cli, PairsThatTakeLittleOfTheRunComeLastInALineEach) {
    const std::string file = std::string(OLAB_SOURCE_DIR) + "/resources/recordings/copy-bound-h200.olab";
    const std::string text = olab("analyze '" + file + "'").out;
    const auto minor =
        text.find("  minor: memset | kernel apart, 0.0 % of attainable, and 0.36 % of the run\n");
    ASSERT_NE(minor, std::string::npos) << text;
    EXPECT_LT(text.find("  H2D | D2H"), minor);
    EXPECT_EQ(text.substr(0, text.find("steady state")).find("serialized"), std::string::npos) << text;
    const json report = json::parse(olab("analyze --json '" + file + "'").out);
    for (const json& verdict : report["verdicts"])
        if (verdict["a"] == "memset" && verdict["b"] == "kernel") {
            EXPECT_EQ(verdict["verdict"], "apart");
            EXPECT_EQ(verdict["minor"], true);
        }
}

TEST_F(Cli, AFullDiskKeepsTheOldRecording) {
    const std::string run = "run --backend sim --set iterations=4 -o kept.olab";
    ASSERT_EQ(olab(run).code, 0);
    const auto size = fs::file_size(m_folder / "kept.olab");
    const Result r = shell(std::string("ulimit -f 1; '") + OLAB_PROGRAM + "' " + run + " --set streams=7");
    EXPECT_EQ(r.code, 2) << r.err;
    EXPECT_THAT(r.err, HasSubstr("kept.olab"));
    EXPECT_THAT(r.err, HasSubstr("Free some space"));
    EXPECT_EQ(fs::file_size(m_folder / "kept.olab"), size);
    EXPECT_EQ(json::parse(olab("analyze --json kept.olab").out)["experiment"]["streams"], 4);
    EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()), 2)
        << "the recording and what was said, no half-written file";
}

TEST_F(Cli, AFolderThatCannotBeWrittenIsSaid) {
    expectUsageError("run --backend sim --set iterations=2 -o /proc/run.olab", "/proc/run.olab");
    expectUsageError("run --backend sim --set iterations=2 -o /no/such/folder/run.olab", "folder");
}

TEST_F(Cli, AFullDiskIsNoSuccess) {
    if (!fs::exists("/dev/full"))
        GTEST_SKIP() << "no /dev/full here";
    EXPECT_EQ(shell(std::string("'") + OLAB_PROGRAM + "' options > /dev/full").code, 2);
}

} // namespace
} // namespace olab::test
