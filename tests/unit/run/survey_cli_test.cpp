// olab analyze of folders and of many files, by the real program.
#include "cli_fixture.h"

namespace olab::test {
namespace {

class SurveyCli : public Cli {
protected:
    void SetUp() override {
        fs::create_directory(m_folder / "runs");
        for (int seed = 1; seed <= 3; ++seed)
            ASSERT_EQ(olab("run --backend sim --set iterations=4 --set seed=" + std::to_string(seed) +
                           " -o runs/fast" + std::to_string(seed) + ".olab")
                          .code,
                      0);
        ASSERT_EQ(olab("run pageable --backend sim --set iterations=4 -o runs/slow.olab").code, 0);
        std::ofstream(m_folder / "runs/bad.olab") << "no recording";
    }
};

TEST_F(SurveyCli, AFolderIsATable) {
    const Result r = olab("analyze runs --sort efficiency --ascending");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_THAT(r.out, testing::StartsWith("4 recordings judged, 1 could not be\n"));
    EXPECT_LT(r.out.find("runs/slow.olab"), r.out.find("runs/fast1.olab"));
    EXPECT_THAT(r.out, HasSubstr("\nnot judged\n  runs/bad.olab: "));
    EXPECT_THAT(r.out, HasSubstr("pageable"));
    EXPECT_EQ(r.out, olab("analyze runs/*.olab --table --sort /bounds/efficiency --ascending").out)
        << "files named are the same table, but for the reason";
}

TEST_F(SurveyCli, AnyNumberOfTheReportIsAColumn) {
    const json all = json::parse(olab("analyze runs --sort /bounds/serial_ns --json").out);
    ASSERT_EQ(all["rows"].size(), 5u);
    for (std::size_t i = 1; i < 4; ++i)
        EXPECT_GE(all["rows"][i - 1]["values"]["/bounds/serial_ns"],
                  all["rows"][i]["values"]["/bounds/serial_ns"]);
    const std::string file = all["rows"][0]["file"];
    const json report = json::parse(olab("analyze " + file + " --json").out);
    for (const auto& [pointer, value] : all["rows"][0]["values"].items())
        EXPECT_EQ(value, report[json::json_pointer(pointer)]) << pointer;
    EXPECT_TRUE(all["rows"][4].contains("problem"));
    const std::string lines = olab("analyze runs --json-lines --top 2").out;
    EXPECT_EQ(std::ranges::count(lines, '\n'), 2);
    const std::string csv = olab("analyze runs --csv --column /counts/kept --column /devices/0/name").out;
    EXPECT_THAT(csv.substr(0, csv.find('\n')), testing::EndsWith(",/counts/kept,/devices/0/name"));
}

TEST_F(SurveyCli, RefusesWhatMakesNoTable) {
    expectUsageError("analyze runs --merge", "not for a table of many");
    expectUsageError("analyze runs --numbers", "not for a table of many");
    expectUsageError("analyze runs --csv --json", "more than one format");
    expectUsageError("analyze runs --sort speed", "There is no column 'speed'");
    expectUsageError("analyze runs --sort /bounds~", "JSON pointer is wrong");
    expectUsageError("analyze runs --top none", "--top takes a number");
    fs::create_directory(m_folder / "empty");
    expectUsageError("analyze empty", "There is no recording and no trace in empty");
    const Result bad = olab("analyze runs/bad.olab --table");
    EXPECT_EQ(bad.code, 2) << "none could be judged";
    EXPECT_THAT(bad.out, HasSubstr("runs/bad.olab: "));
}

} // namespace
} // namespace olab::test
