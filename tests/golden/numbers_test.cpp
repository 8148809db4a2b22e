// One set of numbers: what the report of a run says of it holds together, in every recording that is shipped
// and in every trace of other tools that is there (OLAB_TRACES, else beside the sources). All is read from
// the JSON report, which is what scripts see; sentences are searched for numbers of their own.
#include "all_runs.h"

#include <olab/analysis/statistics.h>
#include <olab/analysis/waits.h>
#include <olab/trace/lanes.h>

#include <gmock/gmock.h>

#include <map>

namespace olab {
namespace {

using Json = nlohmann::json;

TEST(Numbers, AreThoseOfManyRuns) {
    EXPECT_GT(test::allRuns().size(), 40u);
    std::size_t accounts = 0;
    for (const test::Run& r : test::allRuns())
        accounts += !r.ledger().is_null();
    std::printf("%zu runs, %zu with an account\n", test::allRuns().size(), accounts);
}

TEST(Numbers, TheAccountAddsUpAndItsIdealIsNoLongerThanTheRun) {
    for (const test::Run& r : test::allRuns()) {
        if (r.ledger().is_null())
            continue;
        Ns sum = r.ledger()["ideal_ns"].get<Ns>() + r.ledger()["unexplained_ns"].get<Ns>();
        for (const Json& cause : r.ledger()["causes"])
            sum += cause["cost_ns"].get<Ns>();
        EXPECT_EQ(sum, r.ledger()["measured_ns"]) << r.name;
        EXPECT_LE(r.ledger()["ideal_ns"], r.ledger()["measured_ns"]) << r.name;
    }
}

TEST(Numbers, ThereIsOneRunTimeAndOneIdeal) {
    for (const test::Run& r : test::allRuns()) {
        const Json& b = r.bounds();
        ASSERT_TRUE(b.contains("ideal_ns")) << r.name;
        EXPECT_EQ(b["ideal_from"], r.ledger().is_null() ? "estimate" : "account") << r.name;
        EXPECT_LE(b["ideal_ns"], b["measured_ns"]) << r.name;
        if (r.ledger().is_null())
            continue;
        EXPECT_EQ(b["measured_ns"], r.ledger()["measured_ns"]) << r.name;
        EXPECT_EQ(b["ideal_ns"], r.ledger()["ideal_ns"]) << r.name;
    }
}

TEST(Numbers, NoBoundIsAboveTheIdeal) {
    for (const test::Run& r : test::allRuns()) {
        const Ns measured = r.bound("measured_ns");
        const Ns ideal = r.ledger().is_null() ? measured : r.ledger()["ideal_ns"].get<Ns>();
        for (const char* bound : {"two_copy_engines_ns", "critical_path_ns"})
            EXPECT_LE(r.bound(bound), ideal) << r.name << ' ' << bound;
        EXPECT_GE(r.bound("one_copy_engine_ns"), r.bound("two_copy_engines_ns")) << r.name;
    }
}

TEST(Numbers, NoEngineIsTheLimitForLongerThanItWasBusy) {
    for (const test::Run& r : test::allRuns()) {
        Ns busiest = 0; // the engine is named without its device
        for (const Json& device : r.report["devices"])
            if (const auto engine = device["engines"].find(r.bounds()["limiting"].get<std::string>());
                engine != device["engines"].end())
                busiest = std::max(busiest, (*engine)["busy_ns"].get<Ns>());
        if (busiest > 0) {
            EXPECT_LE(r.bound("two_copy_engines_ns"), busiest) << r.name;
        }
    }
}

TEST(Numbers, BackToBackIsNoShorterThanOneEngineOrOneStreamWasBusy) {
    for (const test::Run& r : test::allRuns()) {
        if (r.recording->report.ledger && r.recording->report.ledger->part) // of its iterations alone
            continue;
        const Ns serial = r.bound("serial_ns");
        for (const Json& device : r.report["devices"])
            for (const auto& [name, engine] : device["engines"].items())
                EXPECT_GE(serial, engine["busy_ns"].get<Ns>()) << r.name << ' ' << name;
        for (const Lane& lane : r.recording->lanes->lanes())
            if (lane.kind == LaneKind::Stream) {
                EXPECT_GE(serial, lane.busy.total()) << r.name << ' ' << lane.label;
            }
    }
}

TEST(Numbers, EfficiencyIsThatOfTheIdeal) {
    for (const test::Run& r : test::allRuns()) {
        if (r.bounds()["efficiency"].is_null())
            continue;
        const auto serial = r.bounds()["serial_ns"].get<double>();
        const auto ideal = r.bounds().value("ideal_ns", Json(0)).get<double>();
        EXPECT_NEAR(r.bounds()["efficiency"].get<double>(),
                    (serial - r.bounds()["measured_ns"].get<double>()) / (serial - ideal), 1e-9)
            << r.name;
        EXPECT_LE(r.bounds()["efficiency"].get<double>(), 1) << r.name;
    }
}

TEST(Numbers, NothingToOverlapIsNotSaidBesideAnOverlap) {
    for (const test::Run& r : test::allRuns()) {
        bool overlapped = false;
        for (const Json& device : r.report["devices"])
            for (const Json& pair : device["pairs"])
                overlapped |= pair.get<Ns>() > 0;
        if (overlapped) {
            EXPECT_NE(r.bounds()["limiting"], "nothing to overlap") << r.name;
        }
    }
}

TEST(Numbers, ThePairsThatStayApartDoSoInTheIdealRun) {
    for (const test::Run& r : test::allRuns()) {
        const analysis::Ledger* ledger = r.recording->report.ledger.get();
        if (!ledger || !ledger->missing.empty())
            continue;
        const auto& work = r.recording->facts->deviceWork();
        for (const analysis::Verdict& v : r.recording->report.verdicts) {
            if (v.kind != analysis::VerdictKind::Apart)
                continue;
            std::vector<Interval> a, b;
            for (std::size_t n = 0; n < work.size(); ++n) {
                const ActivityIndex row = work.row(n);
                const ActivityClass cls = r.recording->trace.cls(row);
                const auto number = r.recording->trace.devices()[r.recording->trace.device(row)].device;
                if (std::to_string(number) == v.device && (cls == v.a || cls == v.b))
                    (cls == v.a ? a : b).push_back(ledger->idealTimes[n]);
            }
            const IntervalSet ofA = IntervalSet::unionOf(std::move(a)),
                              ofB = IntervalSet::unionOf(std::move(b));
            const double attainable = static_cast<double>(std::min(ofA.total(), ofB.total()));
            EXPECT_LE(static_cast<double>(ofA.intersected(ofB).total()), 0.05 * attainable)
                << r.name << v.text;
        }
    }
}

/// "costs 24.6 ms of 38.0 ms": the headline rounds as everything else does.
using ClassSums = std::map<ActivityClass, std::array<std::int64_t, 3>>; // count, sum, bytes

ClassSums sumsOf(const std::vector<analysis::StatisticsRow>& rows) {
    ClassSums sums;
    for (const analysis::StatisticsRow& row : rows) {
        auto& [count, sum, bytes] = sums[row.cls];
        count += static_cast<std::int64_t>(row.count), sum += row.total, bytes += row.work.bytes;
    }
    return sums;
}

ClassSums sumsOf(const analysis::Report& report) {
    ClassSums sums;
    for (const analysis::DeviceReport& device : report.devices)
        for (const auto& [cls, numbers] : device.classes) {
            if (numbers.count == 0)
                continue;
            auto& [count, sum, bytes] = sums[cls];
            count += static_cast<std::int64_t>(numbers.count), sum += numbers.sum, bytes += numbers.bytes;
        }
    return sums;
}

TEST(Numbers, NoIterationWaitsForLongerThanTheWholeRun) {
    const auto waited = [](const Json& verdict, const char* side) {
        const std::string s(side);
        return verdict["blocked_" + s + "_ns"].get<Ns>() - verdict["stretched_" + s + "_ns"].get<Ns>();
    };
    std::size_t looked = 0;
    for (const test::Run& r : test::allRuns())
        for (const char* which : {"typical", "worst"}) {
            if (r.ledger().is_null() || !r.report.contains("steady_state") ||
                !r.report["steady_state"].contains(which))
                continue;
            for (const Json& part : r.report["steady_state"][which]["verdicts"])
                for (const Json& whole : r.report["verdicts"]) {
                    if (part["device"] != whole["device"] || part["a"] != whole["a"] ||
                        part["b"] != whole["b"] || part["blocked_ns"].is_null() ||
                        whole["blocked_ns"].is_null())
                        continue;
                    ++looked;
                    for (const char* side : {"a", "b"})
                        EXPECT_LE(waited(part, side), waited(whole, side))
                            << r.name << ": the " << which << " iteration, " << part["a"] << " and "
                            << part["b"];
                }
        }
    EXPECT_GT(looked, 40u);
}

TEST(Numbers, StatisticsByNameAddUpToThoseOfTheReport) {
    for (const test::Run& r : test::allRuns()) {
        const analysis::ExplainedWaits waits(*r.recording->facts, r.recording->report.ledger);
        const analysis::Statistics found = analysis::statisticsOf(*r.recording->facts, waits, {});
        const ClassSums wanted = sumsOf(r.recording->report);
        EXPECT_EQ(sumsOf(found.rows), wanted) << r.name;
        Ns all = 0, waited = 0, explained = 0;
        for (const auto& [cls, sums] : wanted)
            all += sums[1];
        for (const analysis::StatisticsRow& row : found.rows) {
            waited += row.work.waited;
            EXPECT_LE(row.work.overlapped, row.work.time) << r.name << row.name;
        }
        for (std::size_t n = 0; n < waits.size(); ++n)
            explained += waits[n].isHeld() ? waits[n].length() : 0;
        EXPECT_EQ(found.deviceTime, all) << r.name;
        EXPECT_EQ(waited, explained) << r.name;
    }
}

TEST(Numbers, TheHeadlineSaysTheRunTimeOfTheAccount) {
    for (const test::Run& r : test::allRuns()) {
        if (r.report["headline"].is_null())
            continue;
        const auto headline = r.report["headline"].get<std::string>();
        const auto& ledger = r.recording->report.ledger;
        const auto iterations = static_cast<Ns>(ledger->part ? ledger->part->iterations : 1);
        const std::string measured = " of " + analysis::timeText(r.bound("measured_ns") / iterations);
        if (headline.find(" costs ") != std::string::npos) {
            EXPECT_THAT(headline, testing::HasSubstr(measured)) << r.name;
        }
    }
}

} // namespace
} // namespace olab
