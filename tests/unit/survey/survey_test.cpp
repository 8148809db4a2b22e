// Many files judged one by one: what a row has, what is bad, that all are judged whatever the order.
#include "memory_gate.h"
#include "test_places.h"

#include <olab/experiment/held_experiment.h>
#include <olab/recording/experiment_job.h>
#include <olab/sim/sim_backend.h>
#include <olab/survey/survey.h>
#include <olab/survey/survey_table.h>
#include <olab/trace/temporary_folder.h>

#include <gmock/gmock.h>

#include <fstream>
#include <thread>

namespace olab::survey {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class SurveyOfFiles : public testing::Test {
protected:
    fs::path record(const std::string& name, std::initializer_list<const char*> options = {}) const {
        experiment::HeldExperiment experiment;
        experiment::setOption(experiment, "iterations=4");
        for (const char* option : options)
            experiment::setOption(experiment, option);
        sim::SimBackend simulator;
        const auto recording = recording::runExperiment(experiment, {&simulator, nullptr}, "run", {});
        fs::create_directories((m_folder.path() / name).parent_path());
        recording::saveRecording(*recording, m_folder.path() / name);
        return m_folder.path() / name;
    }
    fs::path put(const std::string& name, const std::string& bytes) const {
        std::ofstream(m_folder.path() / name, std::ios::binary) << bytes;
        return m_folder.path() / name;
    }
    static std::string content(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    SurveyPlan planOf(std::initializer_list<fs::path> places) const {
        SurveyPlan plan;
        plan.files = filesIn(std::vector(places), {}).files;
        return plan;
    }
    TemporaryFolder m_folder;
};

TEST_F(SurveyOfFiles, ARowHasTheNumbersOfItsReport) {
    const fs::path file = record("a.olab", {"h2d.memory=pageable"});
    SurveyPlan plan = planOf({file});
    plan.columns.push_back({"serial", "/bounds/serial_ns"});
    plan.columns.push_back({"nothing", "/bounds/no_such_number"});
    const std::vector<Row> rows = survey(plan, {});
    ASSERT_EQ(rows.size(), 1u);
    const Row& row = rows[0];
    EXPECT_EQ(row.problem, "");
    EXPECT_EQ(row.loss, "");
    EXPECT_EQ(row.program, "h2d.memory=pageable iterations=4");
    EXPECT_THAT(row.machine, HasSubstr("H200"));
    EXPECT_EQ(row.source, "simulated");
    EXPECT_THAT(row.headline, HasSubstr("pageable"));
    const auto recording = recording::openRecording(file);
    EXPECT_EQ(row.number(0), static_cast<long double>(recording->report.bounds.measured.value()));
    EXPECT_EQ(row.number(1), static_cast<long double>(recording->report.bounds.ideal.value()));
    EXPECT_EQ(row.values[3].text, "pageable");
    EXPECT_FALSE(row.number(3)) << "a word";
    EXPECT_EQ(row.number(5), static_cast<long double>(recording->report.bounds.serial.value()));
    EXPECT_FALSE(row.number(6));
    EXPECT_FALSE(row.number(99));
}

TEST_F(SurveyOfFiles, WhatCostsNothingIsNoFirstCause) {
    const fs::path file = fs::path(OLAB_SOURCE_DIR) / "tests/data/programs/cuda3_healthy_bodies-healthy.olab";
    const Row row = survey(planOf({file}), {}).front();
    EXPECT_THAT(row.headline, HasSubstr("At the limit: "));
    EXPECT_EQ(row.values[3].text, "") << "its account has causes, of 0 ns each";
    EXPECT_FALSE(row.number(4));
}

TEST_F(SurveyOfFiles, WhatCannotBeReadIsARowWithAReason) {
    const fs::path good = record("runs/good.olab");
    const std::string bytes = content(good);
    put("runs/cut.olab", bytes.substr(0, bytes.size() / 2));
    put("runs/noise.olab", "this is none");
    put("runs/empty.olab", "");
    put("runs/settings.json", R"({"format": "something else"})");
    put("runs/readme.txt", "hello");
    SurveyPlan plan = planOf({m_folder.path() / "runs", m_folder.path() / "gone.olab"});
    std::map<std::string, Row> byName;
    for (Row& row : survey(plan, {}))
        byName[row.file.filename().string()] = std::move(row);
    EXPECT_EQ(byName.size(), 5u) << "other files of a folder are none of its business";
    EXPECT_EQ(byName["good.olab"].problem, "");
    EXPECT_EQ(byName["cut.olab"].problem, "");
    EXPECT_THAT(byName["cut.olab"].loss, HasSubstr("not whole"));
    EXPECT_THAT(byName["noise.olab"].problem, testing::StartsWith("unrecognized format"));
    EXPECT_NE(byName["empty.olab"].problem, "");
    EXPECT_THAT(byName["gone.olab"].problem, HasSubstr("gone.olab"));
    EXPECT_TRUE(byName["gone.olab"].values.empty());
}

TEST_F(SurveyOfFiles, RowsStandInTheOrderOfTheFilesHoweverManyWork) {
    std::vector<std::string> names;
    for (int i = 1; i <= 12; ++i) {
        record("run" + std::to_string(i) + ".olab", {i % 2 == 0 ? "streams=1" : "streams=4"});
        names.push_back("run" + std::to_string(i) + ".olab");
    }
    for (const unsigned workers : {1u, 3u, 16u}) {
        SurveyPlan plan = planOf({m_folder.path()});
        plan.workers = workers;
        plan.memory = 1; // each alone
        const std::vector<Row> rows = survey(plan, {});
        ASSERT_EQ(rows.size(), names.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_EQ(rows[i].file.filename().string(), names[i]) << "10 behind 9";
            EXPECT_THAT(rows[i].program, HasSubstr(i % 2 == 1 ? "streams=1" : "iterations=4"));
        }
    }
}

TEST_F(SurveyOfFiles, CancelEndsIt) {
    record("a.olab");
    std::stop_source stop;
    stop.request_stop();
    try {
        survey(planOf({m_folder.path()}), {stop.get_token(), {}});
        ADD_FAILURE() << "it went on";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Cancelled);
    }
}

TEST_F(SurveyOfFiles, AWrongPointerIsRefusedBeforeFilesAreRead) {
    SurveyPlan plan = planOf({m_folder.path() / "gone.olab"});
    plan.columns.push_back({"wrong", "bounds"});
    EXPECT_THROW(survey(plan, {}), Error);
    std::vector<Column> columns = usualColumns();
    EXPECT_EQ(columnOf(columns, "efficiency"), 2u);
    EXPECT_EQ(columnOf(columns, "/bounds/efficiency"), 2u);
    EXPECT_EQ(columnOf(columns, "/bounds/serial_ns"), 5u);
    EXPECT_EQ(columns.back().head, "serial_ns");
    EXPECT_THROW(columnOf(columns, "serial_ns2"), Error);
}

TEST_F(SurveyOfFiles, RowsAreTakenAsTheyAreJudgedTheSmallestFirst) {
    record("large.olab", {"iterations=40"});
    record("small.olab");
    put("bad.olab", "this is none");
    SurveyPlan plan = planOf({m_folder.path()});
    plan.columns = namedColumns();
    plan.smallestFirst = true;
    plan.workers = 1;
    std::vector<std::pair<std::size_t, Row>> taken;
    NumberNames names;
    plan.judged = [&](std::size_t file, Row row) { taken.emplace_back(file, std::move(row)); };
    plan.reported = [&](const Row& row, const io::ReportDocument& report) { names.add(row, report); };
    EXPECT_TRUE(survey(plan, {}).empty()) << "who takes them has them";
    ASSERT_EQ(taken.size(), 3u);
    EXPECT_NE(taken[0].second.problem, "");
    EXPECT_EQ(taken[1].second.file.filename(), "small.olab");
    EXPECT_EQ(taken[2].second.file.filename(), "large.olab");
    for (const auto& [file, row] : taken)
        EXPECT_EQ(plan.files[file], row.file);
    const std::vector<NumberNames::Number> numbers = names.all();
    const auto has = [&](std::string_view pointer) {
        return std::ranges::find(numbers, pointer, &NumberNames::Number::pointer) != numbers.end();
    };
    EXPECT_TRUE(has("/bounds/measured_ns") && has("/devices/0/classes/kernel/count") &&
                has("/survey/lost_ns"));
    EXPECT_FALSE(has("/devices/0/name")) << "no number";
    for (const NumberNames::Number& number : numbers)
        EXPECT_EQ(number.pointer.find("/activities"), std::string::npos)
            << "numbers of a list are no figures";
}

TEST_F(SurveyOfFiles, NamedColumnsSayWhatWasLostAndWhichPairIsWorst) {
    SurveyPlan plan = planOf({record("a.olab", {"h2d.memory=pageable"})});
    plan.columns = namedColumns();
    const Row row = survey(plan, {}).front();
    const auto recording = recording::openRecording(row.file);
    std::map<std::string, io::ReportValue> values;
    for (std::size_t i = 0; i < plan.columns.size(); ++i)
        values[plan.columns[i].head] = row.values[i];
    EXPECT_EQ(values["lost"].number, values["time"].number - values["ideal"].number);
    EXPECT_EQ(values["verdict"].text, "serialized") << "a pageable copy holds the others up";
    EXPECT_EQ(values["pair"].text, "D2H and kernel");
    EXPECT_EQ(values["overlap"].number, 0);
    EXPECT_EQ(values["defects"].number, static_cast<long double>(recording->report.defects.size()));
    const analysis::DerivedNumbers& derived = recording->report.devices.front().derived;
    EXPECT_EQ(values["hidden"].number, static_cast<long double>(static_cast<double>(derived.kernelAndCopy) /
                                                                static_cast<double>(derived.copyBusy)));
    std::vector<Column> columns = usualColumns();
    EXPECT_EQ(columnOf(columns, "lost"), 5u) << "its head is known";
    EXPECT_EQ(columns.back().pointer, "/survey/lost_ns");
}

TEST_F(SurveyOfFiles, PackedFilesAreExpectedToGrow) {
    const fs::path plain = put("a.json", std::string(100'000, 'x')),
                   packed = put("a.json.gz", std::string(100'000, 'x'));
    EXPECT_GT(memoryFor(packed), memoryFor(plain));
    EXPECT_GT(memoryFor(plain), 100'000u);
    EXPECT_GT(memoryFor(m_folder.path() / "gone"), 0u);
}

/// What is taken at once never exceeds what there is, unless by one alone.
TEST(MemoryGate, LetsInWhatFits) {
    MemoryGate gate(100);
    std::atomic<std::uint64_t> taken{0}, most{0};
    std::atomic<int> atOnce{0}, mostAtOnce{0};
    std::vector<std::jthread> threads;
    for (const std::uint64_t wanted : {40, 60, 30, 500, 10, 90, 40, 40, 20})
        threads.emplace_back([&, wanted] {
            for (int i = 0; i < 50; ++i) {
                const TakenMemory held(gate, wanted);
                const std::uint64_t now = taken += wanted;
                const int workers = ++atOnce;
                if (now > 100) {
                    EXPECT_EQ(workers, 1);
                    EXPECT_EQ(now, 500u);
                }
                for (std::uint64_t seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
                }
                for (int seen = mostAtOnce;
                     seen < workers && !mostAtOnce.compare_exchange_weak(seen, workers);) {
                }
                std::this_thread::yield();
                --atOnce;
                taken -= wanted;
            }
        });
    threads.clear();
    EXPECT_EQ(taken, 0u);
    EXPECT_EQ(most, 500u);
    EXPECT_GE(mostAtOnce, 1);
}

} // namespace
} // namespace olab::survey
