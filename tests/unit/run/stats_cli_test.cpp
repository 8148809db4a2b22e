// Statistics by name on the command line.
#include "cli_fixture.h"

namespace olab::test {
namespace {

class StatsCli : public Cli {
protected:
    using Ns = std::int64_t;
    StatsCli() { EXPECT_EQ(olab("run --backend sim --set streams=3 -o run.olab").code, 0); }
    json stats(const std::string& arguments) const {
        const Result r = olab("stats run.olab --json " + arguments);
        EXPECT_EQ(r.code, 0) << r.err;
        return json::parse(r.out);
    }
    Ns sumOf(const json& statistics, const char* key) const {
        Ns sum = 0;
        for (const json& row : statistics["rows"])
            sum += row[key].get<Ns>();
        return sum;
    }
};

TEST_F(StatsCli, SumsAreThoseOfTheReport) {
    const json found = stats("");
    EXPECT_EQ(found["format"], "olab-statistics");
    EXPECT_EQ(found["by"], "work");
    EXPECT_EQ(found["part"], nullptr);
    const json classes = json::parse(olab("analyze --numbers run.olab").out)["devices"]["0"]["classes"];
    Ns all = 0;
    for (const json& counted : classes)
        all += counted["sum_ns"].get<Ns>();
    EXPECT_EQ(found["device_time_ns"], all);
    EXPECT_EQ(sumOf(found, "total_ns"), all);
    const json kernels = stats("--by kernel");
    EXPECT_EQ(sumOf(kernels, "total_ns"), classes["kernel"]["sum_ns"]);
    EXPECT_EQ(sumOf(kernels, "count"), classes["kernel"]["count"]);
}

TEST_F(StatsCli, APartIsCountedWithWhatLiesInIt) {
    const json all = stats(""), first = stats("--to 3ms"), rest = stats("--from 3ms");
    EXPECT_EQ(sumOf(first, "total_ns") + sumOf(rest, "total_ns"), sumOf(all, "total_ns"));
    EXPECT_GT(sumOf(first, "cut"), 0);
    EXPECT_EQ(first["part"]["to_ns"], 3'000'000);
    EXPECT_EQ(rest["part"]["to_ns"], nullptr);
    const json iteration = stats("--iteration typical");
    EXPECT_EQ(iteration["iterations"]["count"], 1);
    EXPECT_GT(sumOf(iteration, "count"), 0);
    EXPECT_LT(sumOf(iteration, "count"), sumOf(all, "count"));
}

TEST_F(StatsCli, CsvHasTheSameRowsAsJson) {
    const json found = stats("--by call");
    const Result csv = olab("stats run.olab --by call --csv");
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv.out, '\n')), found["rows"].size() + 1);
    const json& row = found["rows"][0];
    EXPECT_THAT(csv.out, HasSubstr("\n" + row["name"].get<std::string>() + ",api," + row["count"].dump() +
                                   ",0," + row["total_ns"].dump() + ","));
}

TEST_F(StatsCli, TheTableIsOfTheFirstNames) {
    const Result all = olab("stats run.olab"), one = olab("stats run.olab --top 1");
    EXPECT_EQ(all.code, 0) << all.err;
    EXPECT_THAT(all.out, HasSubstr("H2D pinned -> device"));
    EXPECT_THAT(all.out, HasSubstr("overlapped"));
    EXPECT_THAT(one.out, HasSubstr("names more (--all)"));
    EXPECT_EQ(olab("stats run.olab --by operator").out, "Nothing of the kind was recorded.\n");
}

TEST_F(StatsCli, WhatCannotBeIsRefused) {
    expectUsageError("stats", "missing");
    expectUsageError("stats run.olab --sort length", "total, count, mean");
    expectUsageError("stats missing.olab", "missing.olab");
    expectUsageError("stats run.olab --by colour", "colour");
    expectUsageError("stats run.olab --csv --json", "--csv");
    expectUsageError("stats run.olab --top none", "--top");
    expectUsageError("stats run.olab --iteration 1 --to 1ms", "--iteration");
    expectUsageError("stats run.olab --iteration 100000", "100000");
    expectUsageError("stats run.olab --from 2ms --to 1ms", "--from");
}

} // namespace
} // namespace olab::test
