// olab where the system gives it no thread: what threads only make faster comes out the same without them,
// what needs one says so. The files are large enough for every part that is shared out.
#include "cli_fixture.h"

#include <sqlite3.h>

#include <thread>

using namespace olab::test;

namespace {

constexpr int kPairs = 110'000; // a copy and a kernel each

void writeChromeTrace(const fs::path& path) {
    std::ofstream out(path);
    out << R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "GPU"}], "traceEvents": [)";
    for (int i = 0; i < kPairs; ++i)
        out << (i == 0 ? "" : ",\n")
            << R"({"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, )"
            << R"("tid": 8, "ts": )" << 10 * i << R"(, "dur": 6, "args": {"device": 0, "stream": 8, )"
            << R"("correlation": )" << 2 * i + 1 << R"(, "bytes": 4096}}, {"ph": "X", "cat": "kernel", )"
            << R"("name": "step", "pid": 0, "tid": 7, "ts": )" << 10 * i + 4 << R"(, "dur": 5, )"
            << R"("args": {"device": 0, "stream": 7, "correlation": )" << 2 * i + 2 << "}}";
    out << "]}\n";
}

/// An export of Nsight Systems.
void writeDatabase(const fs::path& path, int pairs) {
    const std::string work = "start INT, end INT, deviceId INT, streamId INT, correlationId INT";
    const std::string rows = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT " +
                             std::to_string(pairs) + ") INSERT INTO CUPTI_ACTIVITY_KIND_";
    const std::string statements =
        "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;"
        "CREATE TABLE StringIds(id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
        "INSERT INTO StringIds VALUES(1, 'step');"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(" +
        work + ", shortName INT); CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(" + work +
        ", bytes INT, copyKind INT);" + rows +
        "KERNEL SELECT 10000 * i + 4000, 10000 * i + 9000, 0, 7, 2 * i + 2, 1 FROM n;" + rows +
        "MEMCPY SELECT 10000 * i, 10000 * i + 6000, 0, 8, 2 * i + 1, 4096, 1 FROM n; COMMIT";
    sqlite3* database = nullptr;
    ASSERT_EQ(::sqlite3_open(path.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(::sqlite3_exec(database, statements.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << ::sqlite3_errmsg(database);
    ::sqlite3_close(database);
}

class WithoutThreads : public Cli {
protected:
    /// `left`: threads that the system still has for each program.
    Result without(const std::string& command, int left = 0) const {
        fs::remove(m_folder / "refused");
        return shell("OLAB_THREADS_LEFT=" + std::to_string(left) +
                     " ASAN_OPTIONS=\"$ASAN_OPTIONS:verify_asan_link_order=0\" LD_PRELOAD='" OLAB_NO_THREADS
                     "' OLAB_REFUSED_THREADS=refused " +
                     command);
    }
    Result olabWithout(const std::string& arguments, int left = 0) const {
        return without(std::string("'") + OLAB_PROGRAM + "' " + arguments, left);
    }
    std::uintmax_t refused() const {
        std::error_code none;
        const std::uintmax_t size = fs::file_size(m_folder / "refused", none);
        return none ? 0 : size;
    }
    std::string textOf(const std::string& name) const {
        std::ifstream in(m_folder / name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    /// `starts`: at least so many threads are asked for where there is a second core.
    void expectTheSame(const std::string& arguments, std::uintmax_t starts) const {
        const Result with = olab(arguments), other = olabWithout(arguments);
        EXPECT_EQ(with.code, 0) << arguments << ": " << with.err;
        EXPECT_EQ(other.code, 0) << arguments << ": " << other.err;
        EXPECT_EQ(other.out, with.out) << arguments;
        EXPECT_EQ(other.err, with.err) << arguments;
        EXPECT_GE(refused(), std::thread::hardware_concurrency() > 1 ? starts : 1) << arguments;
    }
    void expectTheSameOf(const std::string& file) const {
        expectTheSame("analyze " + file, 4);
        expectTheSame("analyze --numbers " + file, 3);
        ASSERT_EQ(olab("convert " + file + " with.json").code, 0);
        expectTheSame("convert " + file + " without.json", 3);
        EXPECT_TRUE(textOf("with.json") == textOf("without.json")) << file;
        EXPECT_GT(textOf("with.json").size(), 1'000'000u) << file;
    }
};

TEST_F(WithoutThreads, APackedTraceIsReadAndJudgedTheSame) {
    writeChromeTrace(m_folder / "a.json");
    ASSERT_EQ(shell("gzip -1 a.json").code, 0);
    expectTheSameOf("a.json.gz");
}

TEST_F(WithoutThreads, ADatabaseIsReadAndJudgedTheSame) {
    writeDatabase(m_folder / "a.sqlite", kPairs);
    expectTheSameOf("a.sqlite");
}

TEST_F(WithoutThreads, ARecordingIsReadAndJudgedTheSame) {
    writeDatabase(m_folder / "a.sqlite", 2 * kPairs);
    ASSERT_EQ(olab("convert a.sqlite a.olab").code, 0);
    ASSERT_GT(fs::file_size(m_folder / "a.olab"), 8u << 20) << "less is no wave of stretches";
    expectTheSameOf("a.olab");
}

TEST_F(WithoutThreads, FewAreEnough) {
    writeDatabase(m_folder / "a.sqlite", kPairs);
    const Result all = olab("analyze --numbers a.sqlite");
    ASSERT_EQ(all.code, 0) << all.err;
    for (int left = 1; left < 4; ++left) {
        const Result few = olabWithout("analyze --numbers a.sqlite", left);
        EXPECT_EQ(few.code, 0) << left << ": " << few.err;
        EXPECT_EQ(few.out, all.out) << left;
    }
}

TEST_F(WithoutThreads, ARunInASimulatorIsMadeAndJudged) {
    const Result r = olabWithout("run --backend sim --set streams=2 --set iterations=2 -o run.olab");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_GE(refused(), 1u);
    EXPECT_EQ(olab("analyze run.olab").code, 0);
}

TEST_F(WithoutThreads, AnEngineProcessWhichNeedsOneSaysSo) {
    const Result r = olabWithout("engine --kind plain --sim 3>&1 </dev/null"); // a pipe, as a parent's
    EXPECT_EQ(r.code, 70);
    EXPECT_THAT(r.err, HasSubstr("no further thread"));
    EXPECT_THAT(r.err, HasSubstr("ulimit -u"));
}

#ifdef OLAB_HAVE_UI

TEST_F(WithoutThreads, APictureIsMadeTheSame) {
    ASSERT_EQ(olab("run --backend sim --set streams=2 --set iterations=2 -o run.olab").code, 0);
    ASSERT_EQ(olab("render run.olab with.svg").code, 0);
    const Result r = olabWithout("render run.olab without.svg");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_GT(textOf("with.svg").size(), 1000u);
    EXPECT_EQ(textOf("without.svg"), textOf("with.svg"));
}

TEST_F(WithoutThreads, AWindowWhichNeedsOneSaysSo) {
    const Result r = without("QT_QPA_PLATFORM=offscreen '" OLAB_WINDOW_PROGRAM "' --demo");
    EXPECT_EQ(r.code, 70);
    EXPECT_THAT(r.err, HasSubstr("no further thread"));
}

#endif

} // namespace
