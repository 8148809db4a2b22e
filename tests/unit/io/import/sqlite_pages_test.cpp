// Tables read page by page give what SQLite gives, to the byte; and what is not plain is left to SQLite.
#include "made_database.h"

#include "hostile/same_rows.h"

#include <random>

using namespace olab;
using namespace olab::test;
using namespace olab::imports;

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
        SqliteDatabase database(file, file, control);
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

} // namespace
