// The child's side in this process, on pipes.
#include "fakes.h"

#include <olab/experiment/plan.h>
#include <olab/io/recording_file.h>
#include <olab/run/engine_loop.h>
#include <olab/run/protocol.h>
#include <olab/trace/trace_builder.h>

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

namespace olab::run {
namespace {

namespace fs = std::filesystem;
using test::FakeBackend;

class EngineLoop : public testing::Test {
protected:
    EngineLoop() {
        EXPECT_EQ(::pipe(m_jobs), 0);
        EXPECT_EQ(::pipe(m_events), 0);
        m_file = fs::temp_directory_path() / ("olab-loop-" + std::to_string(::getpid()) + ".olab");
    }
    ~EngineLoop() override {
        for (const int fd : {m_jobs[0], m_events[0]})
            ::close(fd);
        fs::remove(m_file);
    }
    void send(const std::string& text) const {
        ASSERT_EQ(::write(m_jobs[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    JobLine job(std::uint64_t number) const {
        JobLine line;
        line.job = number;
        line.out = m_file;
        experiment::setOption(line.experiment, "iterations=1");
        line.loops = 55;
        line.solos = false;
        return line;
    }
    /// Closes the job pipe, runs the loop to its end and returns all events.
    std::vector<EventLine> serve(experiment::Backend& backend) {
        ::close(m_jobs[1]);
        EXPECT_EQ(engineLoop(backend, m_jobs[0], m_events[1]), 0);
        return readEvents();
    }
    std::vector<EventLine> readEvents() {
        ::close(m_events[1]);
        std::string text;
        char buffer[4096];
        for (ssize_t n = 0; (n = ::read(m_events[0], buffer, sizeof buffer)) > 0;)
            text.append(buffer, static_cast<std::size_t>(n));
        std::vector<EventLine> events;
        for (auto end = text.find('\n'); end != text.npos; end = text.find('\n')) {
            events.push_back(eventFromLine(text.substr(0, end)));
            text.erase(0, end + 1);
        }
        EXPECT_TRUE(text.empty());
        return events;
    }
    static std::string kinds(const std::vector<EventLine>& events) {
        std::string text;
        for (const EventLine& e : events)
            text += "rspfx"[static_cast<int>(e.kind)];
        return text;
    }
    int m_jobs[2]{}, m_events[2]{};
    fs::path m_file;
    std::vector<std::string> m_log;
    FakeBackend m_backend{true, m_log, {1000}};
};

TEST_F(EngineLoop, SaysReadyAndEndsWithItsParent) {
    EXPECT_EQ(kinds(serve(m_backend)), "r");
}

TEST_F(EngineLoop, RunsAJobAndWritesItsRecords) {
    send(toLine(job(4)));
    const auto events = serve(m_backend);
    EXPECT_EQ(kinds(events), "rspf");
    EXPECT_EQ(events[3].job, 4u);
    EXPECT_EQ(events[3].file, m_file);
    EXPECT_EQ(m_log, std::vector<std::string>{"T:55"});
    const io::RecordingData data = io::readRecording(m_file);
    EXPECT_EQ(data.trace.size(), 1u);
    EXPECT_EQ(data.trace.provenance().tool, "fake");
}

TEST_F(EngineLoop, PreparesWithoutAWordAndTakesTheJob) {
    class Preparing final : public experiment::Backend {
    public:
        void prepare(const experiment::Plan& schedule) override {
            prepared = experiment::optionNumber(schedule.experiment, "streams");
        }
        void run(const experiment::Plan&, const experiment::RunOptions&, RecordSink&,
                 const RunControl&) override {
            EXPECT_EQ(prepared, 9);
        }
        int prepared = 0;
    } backend;
    JobLine wish;
    wish.prepare = true;
    experiment::setOption(wish.experiment, "streams=9");
    send(toLine(wish) + toLine(job(1)));
    EXPECT_EQ(kinds(serve(backend)).substr(0, 2), "rs");
    EXPECT_EQ(backend.prepared, 9);
}

TEST_F(EngineLoop, AChildThatCannotPrepareEnds) {
    class Broken final : public experiment::Backend {
        void prepare(const experiment::Plan&) override {
            throw Error(ErrorKind::NoDevice, "no-device", "There is none.");
        }
        void run(const experiment::Plan&, const experiment::RunOptions&, RecordSink&,
                 const RunControl&) override {}
    } backend;
    JobLine wish;
    wish.prepare = true;
    send(toLine(wish));
    EXPECT_EXIT(engineLoop(backend, m_jobs[0], m_events[1]),
                testing::ExitedWithCode(static_cast<int>(ErrorKind::NoDevice)), "");
}

TEST_F(EngineLoop, DefectsTheBackendNotesReachTheFile) {
    class Noting final : public experiment::Backend {
        void run(const experiment::Plan&, const experiment::RunOptions&, RecordSink& out,
                 const RunControl&) override {
            out.addDefect(DefectCode::GateOpenedEarly, 1, kAllClasses, "at op 17");
            out.add(RefusedRecord{DefectCode::UnknownKind, 3, kAllClasses, {}});
        }
    } backend;
    send(toLine(job(1)));
    serve(backend);
    const Trace trace = io::readRecording(m_file).trace;
    ASSERT_EQ(trace.defects().size(), 2u);
    const auto gate = std::find_if(trace.defects().begin(), trace.defects().end(),
                                   [](const Defect& d) { return d.code == DefectCode::GateOpenedEarly; });
    ASSERT_NE(gate, trace.defects().end());
    EXPECT_EQ(gate->detail, "at op 17");
    EXPECT_EQ(trace.counts().read, 3u);
    EXPECT_EQ(trace.counts().refused, 3u);
}

TEST_F(EngineLoop, ErrorsAreReportedAndTheNextJobRuns) {
    int calls = 0;
    m_backend.onRun = [&calls](const RunControl&) {
        if (++calls == 1)
            throw Error(ErrorKind::DeviceFailed, "sticky", "broken", "again");
        if (calls == 2)
            throw 42;
        if (calls == 3)
            throw std::bad_alloc();
    };
    send(toLine(job(1)) + toLine(job(2)) + "garbage\n" + toLine(job(3)) + toLine(job(4)));
    const auto events = serve(m_backend);
    std::vector<EventLine> ends;
    for (const EventLine& e : events)
        if (e.kind == EventLine::Kind::Failed || e.kind == EventLine::Kind::Finished)
            ends.push_back(e);
    ASSERT_EQ(kinds(ends), "xxxxf");
    EXPECT_EQ(ends[0].job, 1u);
    EXPECT_EQ(ends[0].code, "sticky");
    EXPECT_EQ(ends[0].errorKind, 4);
    EXPECT_EQ(ends[0].hint, "again");
    EXPECT_EQ(ends[1].job, 2u);
    EXPECT_EQ(ends[1].errorKind, 70) << "1 would be taken for an assertion that failed";
    EXPECT_EQ(ends[2].code, "bad-protocol");
    EXPECT_EQ(ends[2].errorKind, 70);
    EXPECT_EQ(ends[3].code, "out-of-memory");
    EXPECT_EQ(ends[3].errorKind, 70);
    EXPECT_EQ(ends[4].job, 4u);
}

TEST_F(EngineLoop, AFileThatCannotBeWrittenIsAFailure) {
    JobLine line = job(1);
    line.out = "/no/such/folder/x.olab";
    send(toLine(line));
    const auto events = serve(m_backend);
    EXPECT_EQ(events.back().kind, EventLine::Kind::Failed);
    EXPECT_EQ(events.back().job, 1u);
}

TEST_F(EngineLoop, TheParentsDeathCancelsTheRunningJob) {
    bool started = false;
    m_backend.onRun = [&](const RunControl& control) {
        started = true;
        ::close(m_jobs[1]); // the parent goes while the job runs
        while (!control.cancelled())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        control.throwIfCancelled();
    };
    send(toLine(job(1)));
    EXPECT_EQ(engineLoop(m_backend, m_jobs[0], m_events[1]), 0);
    EXPECT_TRUE(started);
    EXPECT_EQ(readEvents().back().code, "cancelled");
}

TEST_F(EngineLoop, ProgressIsThrottled) {
    using Clock = std::chrono::steady_clock;
    Clock::duration took{};
    m_backend.onRun = [&took](const RunControl& control) {
        const auto begin = Clock::now();
        for (int i = 0; i < 100'000; ++i)
            control.report(0.1, "much");
        took = Clock::now() - begin;
    };
    send(toLine(job(1)));
    const auto events = serve(m_backend);
    EXPECT_LT(events.size(), 10u + static_cast<std::size_t>(took / std::chrono::milliseconds(50)));
}

} // namespace
} // namespace olab::run
