// The spread of runs beside every comparison, kept in files, and the assertion that knows it.
#include <olab/assertion/comparison_assertion.h>
#include <olab/comparison/same_work.h>
#include <olab/intervention/intervention.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/temporary_folder.h>
#include <olab/trace/trace_builder.h>

#include <gmock/gmock.h>

namespace olab::comparison {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

recording::RecordingPtr repeated(int repeat, std::string_view memory = "pinned", std::int64_t seed = 1) {
    experiment::HeldExperiment experiment;
    experiment::setOption(experiment, "iterations=4");
    experiment::setNumber(experiment, "repeat", repeat);
    experiment::setOption(experiment, "h2d.memory", memory);
    experiment::setNumber(experiment, "seed", seed);
    sim::SimBackend simulator;
    return recording::runExperiment(experiment, {&simulator, nullptr}, "run", {});
}

/// The same records without the experiment, and what `change` adds to them.
template <typename Change>
recording::RecordingPtr foreign(const recording::Recording& run, Change change) {
    TraceBuilder builder;
    run.trace.replay(builder);
    change(builder);
    return recording::makeRecording({builder.finish(), nullptr, std::nullopt}, "foreign", false);
}

recording::RecordingPtr measured(const recording::Recording& run, const char* recordedAt = "") {
    return foreign(run, [&](TraceBuilder& builder) {
        builder.add(ProvenanceRecord{SourceKind::Cuda, "", "", recordedAt});
    });
}

/// Two measured runs with these times, and nothing else.
Comparison compared(const RunTimes& before, const RunTimes& after) {
    static const recording::RecordingPtr run = measured(*repeated(1)),
                                         other = measured(*repeated(1, "pinned", 2));
    ComparedRun a = intervention::comparedRun(*run), b = intervention::comparedRun(*other);
    a.times = &before;
    b.times = &after;
    return compare(a, b);
}

assertion::AssertionResult checked(const Comparison& comparison, std::string_view expression) {
    static const analysis::Report none;
    static const io::ReportDocument nothing;
    const assertion::Judged judged{none, nothing};
    return assertion::checkComparison(comparison, judged, judged, expression);
}

bool holds(const Comparison& comparison, std::string_view expression) {
    return checked(comparison, expression).passed;
}

/// It was judged, and does not hold.
bool fails(const Comparison& comparison, std::string_view expression) {
    const assertion::AssertionResult result = checked(comparison, expression);
    return result.judged && !result.passed;
}

/// Ten runs around that time, 1 % apart at most.
RunTimes tenRuns(Ns time) {
    RunTimes times;
    for (const int permille : {-5, 4, -2, 0, 3, -4, 1, 5, -1, 2})
        times.untraced.push_back(time + time * permille / 1000);
    return times;
}

TEST(Comparison, OneThatIsJudgedByItsIterationsIsHeldAgainstAllOfTheOther) {
    const recording::RecordingPtr run = measured(*repeated(1));
    auto ledger = std::make_shared<analysis::Ledger>();
    ledger->part = std::make_shared<analysis::JudgedPart>(analysis::JudgedPart{{0, 10}, 2, nullptr});
    analysis::Report ofIterations = run->report;
    ofIterations.ledger = std::move(ledger);
    ofIterations.bounds.measured = 10;
    const Comparison found = compare({"A", run->trace, ofIterations}, {"B", run->trace, run->report});
    const std::string all = analysis::timeText(run->trace.deviceSpan().length());
    EXPECT_EQ(found.headline,
              "A took " + all + ", B took " + all + " from the first to the last device work.");
    EXPECT_FALSE(found.speedup);
}

TEST(RunTimes, OfAllRunsComeBackFromTheFile) {
    const recording::RecordingPtr run = repeated(3);
    ASSERT_THAT(run->times.traced, SizeIs(3));
    const TemporaryFolder folder;
    recording::saveRecording(*run, folder.path() / "run.olab");
    EXPECT_EQ(recording::openRecording(folder.path() / "run.olab")->times, run->times);
    EXPECT_TRUE(repeated(1)->times.empty()) << "of one run there is no spread";
}

TEST(Compare, UntracedRunsSayMoreThanTracedOnes) {
    const Comparison found = compared({{100, 110}, {90, 95}}, {{100, 110}, {180, 200}});
    EXPECT_TRUE(found.untracedSpread);
    EXPECT_EQ(found.spreadBefore, (Spread{92, 90, 95, 2}));
    EXPECT_TRUE(found.isBeyondSpread());
    EXPECT_THAT(found.spread, HasSubstr("beyond the spread"));
    const Comparison traced = compared({{100, 110}, {90}}, {{105, 115}, {180}});
    EXPECT_FALSE(traced.untracedSpread);
    EXPECT_FALSE(traced.isBeyondSpread());
    EXPECT_THAT(compared({}, {}).spread, HasSubstr("several recordings of both"))
        << "nobody knows its options";
    const auto one = repeated(1);
    EXPECT_THAT(compare(intervention::comparedRun(*one), intervention::comparedRun(*one)).spread,
                HasSubstr("One run each: the simulator repeats itself, other seeds show "));
}

TEST(Slower, HoldsBelowTheLimitAndFailsAboveIt) {
    const RunTimes before = tenRuns(1'000'000);
    const Comparison same = compared(before, tenRuns(1'000'000)),
                     slower = compared(before, tenRuns(1'100'000)),
                     faster = compared(before, tenRuns(500'000));
    EXPECT_TRUE(holds(same, "slower<=3%"));
    EXPECT_TRUE(holds(same, "slower_per_iteration<=3%") == false) << "these repeat no iteration";
    EXPECT_TRUE(fails(slower, "slower<=5%")) << "10 % slower";
    EXPECT_TRUE(holds(slower, "slower<=15%"));
    EXPECT_TRUE(holds(faster, "slower <= 0.05")) << "faster";
    EXPECT_TRUE(holds(faster, "slower<=-40%")) << "by half";
    EXPECT_TRUE(fails(faster, "slower<=-60%"));
    EXPECT_TRUE(holds(compared(before, tenRuns(3'000'000)), "slower<=500%")) << "meant so";
}

TEST(Slower, IsInconclusiveWhereTheLimitLiesWithinTheInterval) {
    const Comparison close = compared(tenRuns(1'000'000), tenRuns(1'031'000));
    const assertion::AssertionResult result = checked(close, "slower<=3%");
    EXPECT_FALSE(result.passed || result.judged);
    EXPECT_THAT(result.text, testing::MatchesRegex(
                                 "slower<=3%: inconclusive, slower by 3\\.1 % \\(2\\.[0-9] to "
                                 "3\\.[0-9]\\), 10 and 10 untraced runs: the limit lies within "
                                 "the interval; about [0-9]+ more of each would tell\\. The recordings do "
                                 "not tell .*"));
    EXPECT_TRUE(fails(close, "slower<=2%"));
    EXPECT_TRUE(holds(close, "slower<=4%"));
}

TEST(Slower, FewRunsCannotTell) {
    for (const RunTimes& few : {RunTimes{}, RunTimes{{100, 101}, {}}, RunTimes{{}, {100, 101, 102, 100}}}) {
        const assertion::AssertionResult result = checked(compared(few, few), "slower<=50%");
        EXPECT_FALSE(result.passed || result.judged) << result.text;
        EXPECT_THAT(result.text, HasSubstr("5 of each are the fewest that can tell; at least "));
        EXPECT_THAT(result.text, HasSubstr(" more of each would tell."));
    }
    EXPECT_TRUE(
        holds(compared({{}, {100, 101, 102, 100, 99}}, {{}, {100, 101, 102, 100, 99}}), "slower<=50%"));
}

TEST(Slower, OneSimulatedRunSaysAsMuchAsMany) {
    const recording::RecordingPtr run = repeated(1), slow = repeated(1, "pageable");
    const auto compare = [](const auto& a, const auto& b) {
        return comparison::compare(intervention::comparedRun(*a), intervention::comparedRun(*b));
    };
    EXPECT_TRUE(holds(compare(run, run), "slower<=0%"));
    EXPECT_TRUE(fails(compare(run, run), "slower<0%"));
    EXPECT_TRUE(fails(compare(run, slow), "slower<=5%"));
    EXPECT_THAT(compare(run, slow).speed.words, HasSubstr(", simulated: new cause \"pageable memory\""));
    EXPECT_EQ(compare(run, run).speed.words, "as long, simulated");
}

TEST(Slower, SimulatedRunsOfOtherSeedsAreRuns) {
    for (const int repeat : {1, 5}) {
        const recording::RecordingPtr one = repeated(repeat), other = repeated(repeat, "pinned", 2);
        const Comparison found = compare(intervention::comparedRun(*one), intervention::comparedRun(*other));
        ASSERT_TRUE(found.speed.slowdown);
        EXPECT_EQ(found.speed.slowdown->before, 1u) << "with one seed the simulator repeats itself";
        EXPECT_FALSE(found.speed.slowdown->low);
        EXPECT_FALSE(fails(found, "slower<=0%") || holds(found, "slower<=3%"));
    }
}

TEST(Slower, FailsClosedAndRefusesWhatItCannotRead) {
    Comparison raced = compared(tenRuns(100'000), tenRuns(50'000));
    EXPECT_TRUE(holds(raced, "slower<=5%"));
    raced.speed.unjudged = "B raced.";
    EXPECT_FALSE(holds(raced, "slower<=5%"));
    const Comparison fine = compared({}, {});
    for (const char* wrong :
         {"slower>=5%", "slower<=", "slower<=five", "slower<=nan", "slower==1", "slower<=5%%", "slower<=inf"})
        EXPECT_THROW(holds(fine, wrong), Error) << wrong;
}

TEST(Slower, ALimitOfOneOrMoreNeedsItsPercent) {
    const Comparison slow = compared(tenRuns(100'000), tenRuns(300'000));
    for (const auto& [limit, percent] : {std::pair{"5", "500"}, {"1", "100"}, {"-5", "-500"}, {"1.5", "150"}})
        try {
            holds(slow, "slower<=" + std::string(limit));
            ADD_FAILURE() << "accepted: " << limit;
        } catch (const Error& error) {
            EXPECT_EQ(error.exitCode(), 2);
            EXPECT_THAT(error.what(), HasSubstr("a share of " + std::string(limit) + " is " + percent +
                                                " %; write " + limit + "% or "));
        }
    EXPECT_TRUE(fails(slow, "slower<=0.99"));
}

// --- what may be asserted of two

recording::RecordingPtr runOf(std::initializer_list<const char*> options) {
    experiment::HeldExperiment experiment;
    experiment::setOption(experiment, "iterations=4");
    for (const char* option : options)
        experiment::setOption(experiment, option);
    sim::SimBackend simulator;
    return recording::runExperiment(experiment, {&simulator, nullptr}, "run", {});
}

recording::RecordingPtr withDefect(const recording::Recording& run, DefectCode code, ClassMask classes) {
    return foreign(run, [&](TraceBuilder& builder) { builder.addDefect(code, 1, classes); });
}

/// Two recordings, to be asked more than once.
struct TwoRuns {
    TwoRuns(const recording::Recording& a, const recording::Recording& b)
        : before(a)
        , after(b) {}
    assertion::AssertionResult check(std::string_view expression) const {
        return assertion::checkComparison(comparison, {before.report, was, before.facts.get()},
                                          {after.report, is, after.facts.get()}, expression);
    }
    const recording::Recording &before, &after;
    const Comparison comparison =
        compare(intervention::comparedRun(before), intervention::comparedRun(after));
    const io::ReportDocument was = documentOf(before), is = documentOf(after);
};

assertion::AssertionResult asserted(const recording::Recording& before, const recording::Recording& after,
                                    std::string_view expression) {
    return TwoRuns(before, after).check(expression);
}

constexpr const char* kAssertions[] = {"slower<=5%",
                                       "slower<=1000000%",
                                       "overlap(h2d,kernel)>=0",
                                       "overlap(h2d,kernel)>=0*@A",
                                       "verdict(h2d,kernel)!=serialized",
                                       "verdict(d2h,kernel)!=stretched",
                                       "count(kernel)>=0",
                                       "raced()<=5",
                                       "finding(pageable)<=9",
                                       "/version==1",
                                       "/defects/0/count>=0",
                                       "/bounds/measured_ns<=1000*@A"};

void expectNothingHolds(const recording::Recording& before, const recording::Recording& after,
                        const std::string& why) {
    const TwoRuns runs(before, after);
    for (const char* expression : kAssertions) {
        const assertion::AssertionResult result = runs.check(expression);
        EXPECT_FALSE(result.passed || result.judged) << result.text;
        EXPECT_THAT(result.text, HasSubstr(std::string(expression) + ": cannot be judged, "));
        EXPECT_THAT(result.text, HasSubstr(why));
    }
}

TEST(ComparisonAssertions, NothingHoldsWhereOneSideLostData) {
    const recording::RecordingPtr whole = runOf({});
    for (const DefectRow& row : defectTable()) {
        if (row.severity == Severity::Notice && row.code != DefectCode::OpenEnd)
            continue;
        const recording::RecordingPtr broken = withDefect(*whole, row.code, maskOf(ActivityClass::MemcpyP2P));
        const bool isRace = row.code == DefectCode::DataMismatch;
        expectNothingHolds(*whole, *broken, isRace ? "foreign raced" : std::string(row.id));
        expectNothingHolds(*broken, *whole, isRace ? "foreign raced" : std::string(row.id));
        const Comparison found =
            compare(intervention::comparedRun(*whole), intervention::comparedRun(*broken));
        EXPECT_FALSE(found.speedup) << row.id;
        EXPECT_EQ(found.headline.find("times as"), std::string::npos) << found.headline;
    }
    EXPECT_TRUE(asserted(*whole, *withDefect(*whole, DefectCode::UnknownChunk, 0), "slower<=0%").passed);
}

TEST(ComparisonAssertions, NothingHoldsWithoutDeviceWork) {
    const recording::RecordingPtr run = runOf({});
    const recording::RecordingPtr nothing =
        recording::makeRecording({TraceBuilder().finish(), nullptr, std::nullopt}, "died", false);
    expectNothingHolds(*run, *nothing, "died has no device work");
    expectNothingHolds(*nothing, *run, "died has no device work");
    expectNothingHolds(*nothing, *nothing, "has no device work");
}

TEST(ComparisonAssertions, NothingHoldsWhereTheWorkDiffers) {
    const recording::RecordingPtr run = runOf({});
    for (const auto& [option, why] :
         {std::pair{"iterations=3", "A has 16 kernels, B 12"},
          {"h2d=off", "A has 16 H2D copies, B 0"},
          {"d2h.bytes=1MiB", "the D2H copies of A are of 268435456 bytes in all, those of B of 16777216"},
          {"kernel.kind=memory", "kernel "},
          {"kernel.us=399", "kernel.us is 400 in A and 399 in B"},
          {"callback.us=5", "callback.us is 0 in A and 5 in B"}}) {
        const recording::RecordingPtr other = runOf({option});
        expectNothingHolds(*run, *other, std::string("Nothing shows that both did the same work: ") + why);
        expectNothingHolds(*other, *run, "Nothing shows that both did the same work: ");
        EXPECT_TRUE(compare(intervention::comparedRun(*run), intervention::comparedRun(*other)).speedup)
            << "a person may look at the times";
    }
}

TEST(ComparisonAssertions, KernelsAreToldApartByName) {
    const auto kernel = [](const char* name) {
        TraceBuilder builder;
        ActivityRecord work;
        work.cls = ActivityClass::Kernel, work.device = 0, work.context = 1, work.stream = 7;
        work.begin = 1000, work.end = 2000, work.name = builder.intern(name);
        builder.add(work);
        return recording::makeRecording({builder.finish(), nullptr, std::nullopt}, name, false);
    };
    const recording::RecordingPtr add = kernel("_Z3addPf"), multiply = kernel("_Z8multiplyPf");
    expectNothingHolds(*add, *multiply, "kernel add ran 1 times in _Z3addPf and 0 times in _Z8multiplyPf");
    EXPECT_TRUE(asserted(*add, *add, "count(kernel)==@A").passed);
}

TEST(ComparisonAssertions, TheSameWorkInOtherStreamsIsJudged) {
    const recording::RecordingPtr one = runOf({"streams=1", "iterations=16"}), four = runOf({"streams=4"});
    EXPECT_TRUE(asserted(*one, *four, "slower<=-50%").passed);
    EXPECT_TRUE(asserted(*one, *four, "overlap(h2d,kernel)>=@A").passed);
    const assertion::AssertionResult back = asserted(*four, *one, "slower<=5%");
    EXPECT_TRUE(!back.passed && back.judged) << back.text;
    for (const char* option : {"h2d.memory=pageable", "order=breadth", "submit=graph"})
        EXPECT_TRUE(asserted(*four, *runOf({option}), "slower<=1000%").judged) << option;
    EXPECT_TRUE(asserted(*runOf({"kernel=off"}), *runOf({"kernel=off", "kernel.us=9"}), "slower<=5%").judged)
        << "the option has no effect";
}

TEST(ComparisonAssertions, MigrationsAreNoWorkOfTheProgram) {
    const recording::RecordingPtr run = runOf({}), plain = foreign(*run, [](TraceBuilder&) {});
    const recording::RecordingPtr migrated = foreign(*run, [](TraceBuilder& builder) {
        ActivityRecord copy;
        copy.cls = ActivityClass::MemcpyH2D, copy.device = 0, copy.context = 1, copy.stream = 7;
        copy.begin = 1000, copy.end = 2000, copy.bytes = 4096, copy.flags = kFlagUnified;
        builder.add(copy);
    });
    EXPECT_EQ(migrated->trace.size(), plain->trace.size() + 1);
    EXPECT_EQ(compare(intervention::comparedRun(*plain), intervention::comparedRun(*migrated)).unjudged, "");
}

TEST(ComparisonAssertions, AnObstacleKeepsTimesApartNotWords) {
    const recording::RecordingPtr simulated = runOf({});
    const recording::RecordingPtr real = measured(*simulated);
    for (const char* time : {"/bounds/measured_ns<=2*@A", "slower<=5%", "blocked(h2d,kernel)<=@A + 1s"}) {
        const assertion::AssertionResult result = asserted(*simulated, *real, time);
        EXPECT_FALSE(result.passed || result.judged) << result.text;
        EXPECT_THAT(result.text, HasSubstr("is simulated, the other was measured"));
    }
    EXPECT_TRUE(asserted(*simulated, *real, "count(kernel)==@A").passed);
    EXPECT_TRUE(asserted(*simulated, *real, "/bounds/measured_ns>=0").passed) << "of B alone";
}

TEST(Compare, MuchSlowerIsSaidInTimes) {
    const recording::RecordingPtr fast = repeated(1), slow = repeated(1, "pageable");
    const Comparison found = compare(intervention::comparedRun(*fast), intervention::comparedRun(*slow));
    EXPECT_THAT(found.headline, HasSubstr("x slower."));
    EXPECT_EQ(found.headline.find('%'), std::string::npos);
}

} // namespace
} // namespace olab::comparison
