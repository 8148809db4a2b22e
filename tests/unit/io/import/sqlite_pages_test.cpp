// Tables read page by page give what SQLite gives, to the byte; and what is not plain is left to SQLite.
#include "made_database.h"

#include "hostile/same_rows.h"
#include "hostile/same_stretches.h"

#include <random>

using namespace olab;
using namespace olab::test;
using namespace olab::io::imports;

namespace {

class SqlitePages : public Imports {
protected:
    SameRows twice(const std::string& sql, const std::string& before = {}) const {
        fs::remove(path("p.sqlite"));
        makeDatabase(path("p.sqlite"), before + ";" + sql);
        return twiceOf(path("p.sqlite"));
    }
    static SameRows twiceOf(const fs::path& file) {
        const RunControl control;
        io::imports::SqliteDatabase database(file, file, control);
        SameRows result = readTwice(database, file);
        EXPECT_EQ(result.difference, "");
        return result;
    }
    /// Statements that fill a table `t` of numbers with rows.
    static std::string rowsOf(int count, const std::string& values) {
        return "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<" +
               std::to_string(count - 1) + ") INSERT INTO t SELECT " + values + " FROM n;";
    }
};

constexpr const char* kNumbers = "CREATE TABLE t(a INTEGER, b INTEGER, c INTEGER, d TEXT);";

TEST_F(SqlitePages, GiveNumbersOfAllSizes) {
    std::string sql = kNumbers;
    for (int bit = 0; bit < 63; ++bit) {
        const std::string power = "(1<<" + std::to_string(bit) + ")";
        sql += "INSERT INTO t VALUES(" + power + ",-" + power + "," + power + "-1,'x" + std::to_string(bit) +
               "');";
    }
    sql += "INSERT INTO t VALUES(NULL, 0, 1, ''),(-9223372036854775808, 9223372036854775807, -1, NULL)";
    const SameRows result = twice(sql);
    EXPECT_GT(result.plain, 0u);
    EXPECT_EQ(result.others, 0u);
}

TEST_F(SqlitePages, GoThroughTreesOfAnyDepthAndPagesOfAnySize) {
    for (const int size : {512, 1024, 4096, 65536}) {
        const SameRows result = twice(kNumbers + rowsOf(20000, "i, -i*i, i%7, 'name '||i%64"),
                                      "PRAGMA page_size=" + std::to_string(size));
        EXPECT_EQ(result.plain, 10u) << size;
        EXPECT_EQ(result.others, 0u) << size;
    }
}

TEST_F(SqlitePages, LeaveOutWhatWasDeletedAndFollowRowNumbers) {
    const SameRows result =
        twice(kNumbers + rowsOf(5000, "i, 0, 0, 'x'") +
              "DELETE FROM t WHERE a % 3 = 0; DELETE FROM t WHERE a BETWEEN 1000 AND 3000;"
              "INSERT INTO t(rowid, a) VALUES(-9223372036854775808, 1),(-5, 2),(9223372036854775807, 3)");
    EXPECT_EQ(result.others, 0u);
}

TEST_F(SqlitePages, LeaveToSqliteWhatIsNotInThePageAsItIsRead) {
    const std::string row = "INSERT INTO t VALUES(1,2,3,'x');";
    const auto isLeft = [&](const std::string& sql, const std::string& before = {}) {
        const SameRows result = twice(sql, before);
        return result.plain == 0;
    };
    EXPECT_FALSE(isLeft(kNumbers + row));
    EXPECT_TRUE(isLeft(kNumbers + std::string("INSERT INTO t VALUES(1.5,2,3,'x')"))) << "fractions";
    EXPECT_TRUE(isLeft("CREATE TABLE t(a REAL, b INT, c INT, d INT);" + row)) << "fractions stored as whole";
    EXPECT_TRUE(isLeft("CREATE TABLE t(a INTEGER PRIMARY KEY, b, c, d);" + row)) << "the row's own number";
    EXPECT_TRUE(isLeft("CREATE TABLE t(a, b, c, d, PRIMARY KEY(a)) WITHOUT ROWID;" + row));
    EXPECT_TRUE(isLeft("CREATE TABLE t(a, b, c, d, e AS (a+b) STORED);INSERT INTO t VALUES(1,2,3,4)"));
    EXPECT_TRUE(isLeft(kNumbers + row + "ALTER TABLE t ADD COLUMN e INT DEFAULT 5")) << "added later";
    EXPECT_TRUE(isLeft(kNumbers + std::string("INSERT INTO t VALUES(1,2,3,hex(zeroblob(9000)))"))) << "long";
    EXPECT_TRUE(isLeft(kNumbers + row, "PRAGMA encoding='UTF-16'"));
}

TEST_F(SqlitePages, LeaveAFileWithALogToSqlite) {
    const fs::path file = path("p.sqlite");
    sqlite3* writer = nullptr;
    ASSERT_EQ(::sqlite3_open(file.c_str(), &writer), SQLITE_OK);
    const std::string sql =
        std::string(kNumbers) + "PRAGMA journal_mode=WAL; INSERT INTO t VALUES(1,2,3,'in the log')";
    ASSERT_EQ(::sqlite3_exec(writer, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    EXPECT_EQ(twiceOf(file).plain, 0u);
    ::sqlite3_close(writer);
    EXPECT_GT(twiceOf(file).plain, 0u) << "the log went into the file";
}

/// Some hundred thousand rows on several threads, odd ones among them: by pages, where they can be, and by
/// SQLite alone.
TEST_F(SqlitePages, MakeTheSameTraceAsSqlite) {
    const std::string rows = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<119999) ";
    const std::string pid = "(281474976710656 + (i % 3) * 16777216)";
    const std::string sql =
        "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);" + rows +
        "INSERT INTO StringIds SELECT i, 'kernel ' || i FROM n WHERE i < 50;"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, contextId INT, streamId "
        "INT, "
        "correlationId INT, globalPid INT, demangledName INT, gridX INT, blockX INT);" +
        rows + "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT 10*i, 10*i+5, i%2, 1+i%4, i%7, i, " + pid +
        ", i%50, i%11, 32 FROM n;"
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end) VALUES('soon', 5),(7, 6),(0, 0),(1.5, 3),(NULL, "
        "4);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INT, end INT, deviceId INT, contextId INT, streamId "
        "INT, "
        "correlationId INT, globalPid INT, bytes INT, copyKind INT, srcKind INT, dstKind INT);" +
        rows + "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY SELECT 20*i, 20*i+9, 0, 1, 9, i, " + pid +
        ", i*i%777, i%14, i%5, i%3 FROM n;"
        "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(1, 2, '0', '1', ' 9', x'31', NULL, -5, 1.0, 'x', 7.5);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, globalTid INT, correlationId INT, "
        "nameId "
        "INT, returnValue INT);" +
        rows + "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT 10*i-3, 10*i, " + pid +
        "+ i%5, i, i%40, i%100=0 FROM n";
    const Trace byPages = read(sql), bySqlite = read("PRAGMA encoding='UTF-16';" + sql);
    EXPECT_EQ(byPages.counts(), (RecordCounts{360'006, 360'000, 6}));
    EXPECT_EQ(byPages.counts(), bySqlite.counts());
    EXPECT_TRUE(byPages == bySqlite);
}

/// Wherever a byte is wrong, both read the same or SQLite alone reads it.
TEST_F(SqlitePages, AreNeverSureOfWhatIsDamaged) {
    makeDatabase(path("whole.sqlite"),
                 "PRAGMA page_size=512;" + std::string(kNumbers) + rowsOf(150, "i, i*100, -i, 'row '||i"));
    const std::string whole = content(path("whole.sqlite"));
    std::mt19937 chance(1);
    std::size_t plain = 0, others = 0;
    for (int i = 0; i < 600; ++i) {
        std::string bytes = whole;
        for (int change = 0; change <= i % 3; ++change) {
            const std::size_t page = chance() % (bytes.size() / 512);
            const std::size_t at = chance() % 2 ? chance() % 24 : chance() % 512; // heads are what misleads
            bytes[page * 512 + at] = static_cast<char>(chance());
        }
        const fs::path file = put("damaged.sqlite", bytes);
        try {
            const SameRows result = twiceOf(file);
            plain += result.plain, others += result.others;
        } catch (const Error&) { // so damaged that there is nothing to be read
        }
    }
    EXPECT_GT(plain, 100u);
    EXPECT_GT(others, 100u);
}

// --- stretches

/// Kernels in pages of 512 bytes: `count` rows, of which every `odd`-th is one that only SQLite reads.
std::string kernelsInSmallPages(int count, int odd, const std::string& before = {}) {
    return before +
           "PRAGMA page_size=512; CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
           "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, contextId INT, "
           "streamId INT, correlationId INT, globalPid INT, shortName INT);"
           "CREATE TABLE NVTX_EVENTS(start INT, end INT, eventType INT, text TEXT);"
           "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<" +
           std::to_string(count) + ") INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT iif(i%" +
           std::to_string(odd) +
           "=0, 1.5, 10*i), 10*i+5-iif(i%11=0,99,0), i%2, 1, i%7, i, 281474976710656, 1+i%5 FROM n;"
           "INSERT INTO StringIds SELECT rowid, 'kernel '||rowid FROM CUPTI_ACTIVITY_KIND_KERNEL LIMIT 5;"
           "INSERT INTO NVTX_EVENTS SELECT rowid, iif(rowid%3=0, NULL, rowid+1), 59, "
           "iif(rowid%13=0, hex(zeroblob(400)), 'range '||rowid) FROM CUPTI_ACTIVITY_KIND_KERNEL";
}

class Stretches : public Imports {
protected:
    void expectSame(const fs::path& file) const {
        EXPECT_EQ(differenceOfStretches(io::imports::readNsys, file), "");
        const RunControl control;
        try {
            io::imports::SqliteDatabase database(file, file, control);
            EXPECT_EQ(allRows(database, file, kTinyOnThreads), allRows(database, file, kUsualStretches));
        } catch (const Error&) { // so damaged that there is nothing to be read
        }
    }
};

TEST_F(Stretches, OfAFileSmallerThanOneAreFewHoweverFarRowNumbersAreApart) {
    makeDatabase(path("small.sqlite"),
                 "PRAGMA page_size=512; CREATE TABLE t(a INTEGER);"
                 "INSERT INTO t(rowid, a) VALUES(-9223372036854775808, 1),(9223372036854775807, 2)");
    ASSERT_LT(fs::file_size(path("small.sqlite")), kUsualStretches.bytesOfStretch);
    const RunControl control;
    io::imports::SqliteDatabase database(path("small.sqlite"), path("small.sqlite"), control);
    const std::string rows = allRows(database, path("small.sqlite"), kUsualStretches);
    EXPECT_EQ(std::ranges::count(rows, '\n'), 2) << rows;
}

TEST_F(Stretches, GiveTheSameWhereverTheyEnd) {
    makeDatabase(path("a.sqlite"), kernelsInSmallPages(200, 17));
    expectSame(path("a.sqlite"));
    const Trace trace = readInStretches(io::imports::readNsys, path("a.sqlite"), kTinyOnThreads).trace;
    EXPECT_EQ(trace.counts().read, 200u + 200u);
    makeDatabase(path("b.sqlite"), kernelsInSmallPages(200, 17, "PRAGMA encoding='UTF-16';"));
    expectSame(path("b.sqlite"));
}

TEST_F(Stretches, OfNvprofGiveTheSameWhereverTheyEnd) {
    makeDatabase(
        path("a.nvvp"),
        "CREATE TABLE StringTable(_id_ INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT);"
        "INSERT INTO StringTable VALUES(1,'k');"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MARKER(_id_ INTEGER PRIMARY KEY, flags INT, timestamp INT, "
        "id INT, objectKind INT, objectId BLOB, name INT);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<100) INSERT INTO "
        "CUPTI_ACTIVITY_KIND_MARKER SELECT NULL, iif(i%2, 2, 4), i*10, (i+1)/2%40, 2, "
        "x'671200004d00000000000000', 1 FROM n");
    EXPECT_EQ(differenceOfStretches(io::imports::readNvprof, path("a.nvvp")), "");
    EXPECT_GT(readInStretches(io::imports::readNvprof, path("a.nvvp"), kTinyOnThreads).trace.size(), 40u);
}

/// How much is lost around damage, and what is said of it, does not depend on how the file was cut.
TEST_F(Stretches, GiveTheSameOfWhatIsDamaged) {
    makeDatabase(path("whole.sqlite"), kernelsInSmallPages(200, 1000));
    const std::string whole = content(path("whole.sqlite"));
    std::mt19937 chance(2);
    for (int i = 0; i < 40; ++i) {
        std::string bytes = whole;
        for (int change = 0; change <= i % 4; ++change) {
            const std::size_t page = 1 + chance() % (bytes.size() / 512 - 1);
            const std::size_t at = chance() % 2 ? chance() % 24 : chance() % 512;
            bytes[page * 512 + at] = static_cast<char>(chance());
        }
        expectSame(put("damaged.sqlite", bytes));
        ASSERT_FALSE(HasFailure()) << "file " << i;
    }
}

TEST_F(Stretches, SayOnceWhatIsWrongWithATable) {
    makeDatabase(path("a.sqlite"), kernelsInSmallPages(400, 1000));
    std::string bytes = content(path("a.sqlite"));
    std::size_t torn = 0;
    for (std::size_t at = 512; at < bytes.size(); at += 512)
        if (bytes[at] == 0x0d && ++torn % 5 == 0)
            bytes[at + 3] = '\x7f';
    ASSERT_GT(torn, 20u);
    const fs::path file = put("a.sqlite", bytes);
    const Trace trace = readInStretches(io::imports::readNsys, file, kTinyOnThreads).trace;
    EXPECT_EQ(std::ranges::count_if(trace.defects(),
                                    [](const Defect& d) {
                                        return d.code == DefectCode::DamagedChunk &&
                                               d.classes == maskOf(ActivityClass::Kernel);
                                    }),
              1);
    for (const Defect& defect : trace.defects())
        if (defect.code == DefectCode::DamagedChunk) {
            EXPECT_EQ(defect.count, 1u) << defect.text();
        }
    expectSame(file);
}

} // namespace
