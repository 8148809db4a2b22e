// Databases that were damaged, left half written, or made to hurt: each gives what can be read, or is refused
// with a sentence; none runs code of its own, or for long.
#include "made_database.h"

#include "import/sqlite_database.h"

#include <functional>
#include <random>
#include <sys/wait.h>

using namespace olab;
using namespace olab::test;
using testing::AnyOf;
using testing::HasSubstr;
using enum ActivityClass;

namespace {

constexpr const char* kStringTable = "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);";
constexpr const char* kKernels =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, shortName INT, deviceId INT DEFAULT 0, "
    "streamId INT DEFAULT 7, correlationId INT DEFAULT 1, globalPid INT DEFAULT 0);"
    "INSERT OR IGNORE INTO StringIds VALUES(1,'k');"
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end, shortName) VALUES(1,2,1),(3,4,1);";

/// So many rows that the file gets longer.
constexpr const char* kManyMore =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<5000) "
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end, shortName) SELECT i, i+1, 1 FROM n";

class HostileDatabase : public Imports {
protected:
    Trace readAll(const std::string& sql) const { return read(kStringTable + sql); }
    std::size_t kernels(const Trace& trace) const { return activitiesOf(trace, Kernel).size(); }
};

/// A view is a program: it is not run, and its class is inconclusive.
TEST_F(HostileDatabase, ViewsAreNotRead) {
    for (const char* select : {"SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL", "SELECT * FROM gone",
                               "WITH RECURSIVE n(start) AS (SELECT 1 UNION ALL SELECT start+1 FROM n) "
                               "SELECT start, start AS \"end\" FROM n"}) {
        const Trace trace =
            readAll(std::string(kKernels) + "CREATE VIEW CUPTI_ACTIVITY_KIND_MEMSET AS " + select);
        EXPECT_EQ(kernels(trace), 2u);
        EXPECT_EQ(trace.size(), 2u) << select;
        const Defect* defect = defectOf(trace, DefectCode::DamagedChunk);
        ASSERT_NE(defect, nullptr);
        EXPECT_EQ(defect->classes, maskOf(Memset));
        EXPECT_THAT(defect->text(), HasSubstr("CUPTI_ACTIVITY_KIND_MEMSET: it is a view"));
    }
}

/// A page that stands where another one belongs, and a torn one behind it: reading that goes on by the row
/// numbers it met would come to both again and again.
TEST_F(HostileDatabase, RowsThatAreNotWhereTheyBelongAreNotReadInCircles) {
    constexpr std::size_t kPage = 512;
    std::string values;
    for (int i = 1; i <= 2000; ++i)
        values += (i > 1 ? ",(" : "(") + std::to_string(10 * i) + "," + std::to_string(10 * i + 5) + ",1)";
    makeDatabase(
        path("whole.sqlite"),
        "PRAGMA page_size=512;" + std::string(kStringTable) +
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, shortName INT, deviceId "
            "INT DEFAULT 0, streamId INT DEFAULT 7, correlationId INT DEFAULT 1, globalPid INT DEFAULT 0);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end, shortName) VALUES" +
            values);
    std::string bytes = content(path("whole.sqlite"));
    std::vector<std::size_t> leaves; // in the order of their rows
    for (std::size_t at = kPage; at < bytes.size(); at += kPage)
        if (bytes[at] == 0x0d && bytes[at + 4] > 20)
            leaves.push_back(at);
    ASSERT_GT(leaves.size(), 20u);
    bytes.replace(leaves[10], kPage, bytes.substr(leaves[2], kPage));
    bytes[leaves[11] + 3] = '\x80';
    const Trace trace = io::readRecording(put("damaged.sqlite", bytes)).trace;
    EXPECT_GT(kernels(trace), 1800u);
    EXPECT_LT(kernels(trace), 2000u);
    const std::vector<Activity> found = activitiesOf(trace, Kernel);
    EXPECT_EQ(std::ranges::adjacent_find(found, {}, &Activity::begin), found.end()) << "each once";
    ASSERT_NE(defectOf(trace, DefectCode::DamagedChunk), nullptr);
    EXPECT_EQ(defectOf(trace, DefectCode::DamagedChunk)->classes, maskOf(Kernel));
}

TEST_F(HostileDatabase, ATextThatIsTooLongCostsItsRow) {
    const Trace trace =
        readAll("CREATE TABLE NVTX_EVENTS(start INT, end INT, eventType INT, text TEXT);"
                "INSERT INTO NVTX_EVENTS VALUES(1,2,59,'a'),(3,4,59,CAST(zeroblob(20000000) AS TEXT)),"
                "(5,6,59,'c'),(7,8,59,CAST(zeroblob(1000000) AS TEXT))");
    EXPECT_EQ(activitiesOf(trace, Nvtx).size(), 3u);
    EXPECT_EQ(trace.counts(), (RecordCounts{4, 3, 1}));
    EXPECT_LE(trace.text(activitiesOf(trace, Nvtx)[2].name).size(), 16u * 1024) << "a text is cut, as any";
}

TEST_F(HostileDatabase, TextsThatAreNoUtf8OrHoldNullAreKept) {
    const Trace trace =
        readAll("CREATE TABLE NVTX_EVENTS(start INT, end INT, eventType INT, text TEXT);"
                "INSERT INTO NVTX_EVENTS VALUES(1,2,59,CAST(x'61ff00' AS TEXT)),(3,4,59,x'00')");
    EXPECT_EQ(activitiesOf(trace, Nvtx).size(), 2u);
}

TEST_F(HostileDatabase, NumbersOutsideOfAllRangesDoNotWrap) {
    const Trace trace =
        readAll("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, streamId INT, "
                "shortName INT, "
                "gridX INT, globalPid INT);"
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(1,2,-1,99999999999,9223372036854775807,-4,-1),"
                "(-9223372036854775808,9223372036854775807,0,0,-9223372036854775808,0,9223372036854775807),("
                "5,6,0,0,0,0,0)");
    EXPECT_EQ(trace.counts(), (RecordCounts{3, 1, 2}));
}

TEST_F(HostileDatabase, TextsWithoutAnIndexAreFoundAllTheSame) {
    const Trace trace =
        read("CREATE TABLE StringIds(id INT, value TEXT); INSERT INTO StringIds VALUES(1,'k'),(2,7);" +
             std::string(kKernels));
    EXPECT_EQ(trace.text(trace[0].name), "k");
}

TEST_F(HostileDatabase, TablesWithoutRowNumbersAreRead) {
    const Trace trace =
        readAll("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT PRIMARY KEY, end INT) WITHOUT ROWID;"
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(1,2),(3,4)");
    EXPECT_EQ(kernels(trace), 2u);
}

TEST_F(HostileDatabase, RowNumbersFarApartAreRead) {
    const Trace trace = readAll("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT);"
                                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(rowid,start,end) VALUES"
                                "(-9223372036854775808,1,2),(0,3,4),(9223372036854775807,5,6)");
    EXPECT_EQ(kernels(trace), 3u);
}

// --- tables that are there and cannot be read

/// Statements that change the description of the kernels' table.
std::string described(const std::string& changes) {
    return std::string(kKernels) + "PRAGMA writable_schema=ON; UPDATE sqlite_master SET " + changes +
           " WHERE name='CUPTI_ACTIVITY_KIND_KERNEL'";
}

class LostTable : public HostileDatabase {
protected:
    /// That something is lost is said of kernels, and `what`.
    void expectSaid(const Trace& trace, const std::string& what) const {
        EXPECT_EQ(kernels(trace), 0u);
        const Defect* defect = defectOf(trace, DefectCode::DamagedChunk);
        ASSERT_NE(defect, nullptr);
        EXPECT_EQ(defect->severity(), Severity::DataLoss);
        EXPECT_EQ(defect->count, 1u);
        EXPECT_EQ(defect->classes & maskOf(Kernel), maskOf(Kernel));
        EXPECT_THAT(defect->text(), HasSubstr(what));
    }
};

TEST_F(LostTable, WithoutAPageIsSaid) {
    expectSaid(readAll(described("rootpage=0")), "CUPTI_ACTIVITY_KIND_KERNEL: the file does not say where");
}

TEST_F(LostTable, ThatIsVirtualIsSaid) {
    expectSaid(
        readAll("CREATE VIRTUAL TABLE CUPTI_ACTIVITY_KIND_KERNEL USING fts5(start, \"end\", shortName);"
                "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(1,2,1),(3,4,1)"),
        "CUPTI_ACTIVITY_KIND_KERNEL: it is virtual");
}

TEST_F(LostTable, OfTextsIsSaid) {
    const Trace trace = readAll(std::string(kKernels) +
                                "PRAGMA writable_schema=ON; UPDATE sqlite_master SET rootpage=0 WHERE "
                                "name='StringIds'");
    EXPECT_EQ(kernels(trace), 2u);
    const Defect* defect = defectOf(trace, DefectCode::DamagedChunk);
    ASSERT_NE(defect, nullptr);
    EXPECT_THAT(defect->text(), HasSubstr("StringIds: "));
}

TEST_F(HostileDatabase, TablesOnOnePageCountOnce) {
    const Trace trace =
        readAll(std::string(kKernels) +
                "CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL(start INT, end INT, shortName INT, "
                "deviceId INT DEFAULT 0, streamId INT DEFAULT 7, correlationId INT DEFAULT 1, globalPid INT "
                "DEFAULT 0);"
                "PRAGMA writable_schema=ON; UPDATE sqlite_master SET rootpage=(SELECT rootpage FROM "
                "sqlite_master WHERE name='CUPTI_ACTIVITY_KIND_KERNEL') WHERE "
                "name='CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL'");
    EXPECT_EQ(kernels(trace), 2u);
    EXPECT_EQ(trace.counts(), (RecordCounts{2, 2, 0}));
    std::string said;
    for (const Defect& defect : trace.defects())
        said += defect.severity() == Severity::DataLoss ? defect.text() : std::string();
    EXPECT_THAT(said, HasSubstr("those of CUPTI_ACTIVITY_KIND_KERNEL"));
    EXPECT_THAT(said, HasSubstr("tables stand on one page: CUPTI_ACTIVITY_KIND_KERNEL, "
                                "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL"));
}

TEST_F(HostileDatabase, NamesThatAreTooLongAreCounted) {
    const Trace trace = readAll(
        "INSERT INTO StringIds VALUES(1, CAST(zeroblob(20000000) AS TEXT)),(2,'k');" + std::string(kKernels) +
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end, shortName) VALUES(5,6,2)");
    EXPECT_EQ(kernels(trace), 3u);
    const Defect* defect = defectOf(trace, DefectCode::TextCut);
    ASSERT_NE(defect, nullptr);
    EXPECT_EQ(defect->count, 1u) << "of two kernels";
    EXPECT_THAT(defect->text(), HasSubstr("StringIds: names that are longer"));
}

// --- what was damaged

/// A file of about 200 pages, most of them kernels.
std::string manyKernels() {
    return std::string(kStringTable) +
           "INSERT INTO StringIds VALUES(1,'k');"
           "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, shortName INT, deviceId INT DEFAULT "
           "0, streamId INT DEFAULT 7, correlationId INT DEFAULT 1, globalPid INT DEFAULT 0, filler TEXT);"
           "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n WHERE i<19999) "
           "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i, i+1, 1, 0, 7, 1, 0, "
           "'xxxxxxxxxxxxxxxxxxxxxxxxxxx' "
           "FROM n;"
           "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INT, end INT, deviceId INT, streamId INT, bytes "
           "INT, correlationId INT, globalPid INT); INSERT INTO "
           "CUPTI_ACTIVITY_KIND_MEMSET VALUES(1,2,0,7,8,1,0)";
}

TEST_F(HostileDatabase, WhatLiesAroundADamagedPageIsRead) {
    makeDatabase(path("a.sqlite"), manyKernels());
    std::string bytes = content(path("a.sqlite"));
    for (std::size_t page = 60; page < 63; ++page)
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(page * 4096), 4096, '\x55');
    const Trace trace = io::readRecording(put("a.sqlite", bytes)).trace;
    EXPECT_GT(kernels(trace), 19'000u);
    EXPECT_LT(kernels(trace), 20'000u);
    const Defect* defect = defectOf(trace, DefectCode::DamagedChunk);
    ASSERT_NE(defect, nullptr);
    EXPECT_EQ(defect->classes, maskOf(Kernel)) << "memsets can be judged";
    EXPECT_EQ(activitiesOf(trace, Memset).size(), 1u);
}

/// A file of small pages, all of one table but the first two.
std::string kernelsOnSmallPages() {
    return "PRAGMA page_size=512;" + std::string(kStringTable) +
           "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, streamId INT, "
           "correlationId INT, globalPid INT, bytes "
           "TEXT);"
           "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<600) "
           "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT 1000*i, 1000*i+5, 0, 7, 1, 0, 'row '||i FROM n";
}

/// Whatever is flipped: rows that are gone are told.
class FlippedBits : public HostileDatabase {
protected:
    /// How many of some flips in those places are silent, though rows are gone.
    template <typename Places>
    int silentOf(int count, Places places, const std::string& log = {}) const {
        fs::remove(path("whole.sqlite"));
        makeDatabase(path("whole.sqlite"), kernelsOnSmallPages());
        const std::string whole = content(path("whole.sqlite"));
        std::mt19937 chance(1);
        int silent = 0;
        for (int i = 0; i < count; ++i) {
            std::string bytes = whole;
            const std::size_t page = 2 + chance() % (bytes.size() / 512 - 2);
            bytes[page * 512 + places(bytes, page * 512, chance)] ^= static_cast<char>(1 << chance() % 8);
            const fs::path file = put("flipped.sqlite", bytes);
            if (!log.empty())
                put("flipped.sqlite-wal", log);
            silent += isSilent(io::readRecording(file).trace) ? 1 : 0;
        }
        return silent;
    }
    bool isSilent(const Trace& trace) const {
        const auto isLoss = [](const Defect& defect) { return defect.severity() == Severity::DataLoss; };
        return kernels(trace) != 600 && std::ranges::none_of(trace.defects(), isLoss);
    }
};

TEST_F(FlippedBits, AnywhereAreNeverSilent) {
    EXPECT_EQ(silentOf(800, [](const std::string&, std::size_t, auto& chance) { return chance() % 512; }), 0);
}

TEST_F(FlippedBits, OfRowNumbersAreNeverSilent) {
    EXPECT_EQ(silentOf(400,
                       [](const std::string& bytes, std::size_t page, auto& chance) {
                           const auto at = [&](std::size_t i) {
                               return static_cast<std::size_t>(static_cast<unsigned char>(bytes[page + i]));
                           };
                           const std::size_t cells = at(3) * 256 + at(4), head = at(0) == 5 ? 12 : 8;
                           const std::size_t cell = head + 2 * (chance() % cells);
                           return at(cell) * 256 + at(cell + 1) + (at(0) == 5 ? 4 : 1); // after the size
                       }),
              0);
}

TEST_F(FlippedBits, OfThePagesHeadsAreNeverSilent) {
    EXPECT_EQ(silentOf(400, [](const std::string&, std::size_t, auto& chance) { return chance() % 12; }), 0);
}

/// What is beside it in a log is read with SQLite alone.
TEST_F(FlippedBits, BesideALogAreNeverSilent) {
    sqlite3* writer = nullptr;
    makeDatabase(path("w.sqlite"), kernelsOnSmallPages());
    ASSERT_EQ(::sqlite3_open(path("w.sqlite").c_str(), &writer), SQLITE_OK);
    ::sqlite3_exec(writer,
                   "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;"
                   "INSERT INTO StringIds VALUES(7,'in the log')",
                   nullptr, nullptr, nullptr);
    const std::string log = content(path("w.sqlite-wal"));
    ::sqlite3_close(writer);
    EXPECT_EQ(silentOf(
                  100, [](const std::string&, std::size_t, auto& chance) { return chance() % 24; }, log),
              0);
}

/// A page of another table is no page of this one, though all of it is in order.
TEST_F(HostileDatabase, PagesOfOtherTablesAreTold) {
    makeDatabase(path("a.sqlite"),
                 "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INT, end INT, deviceId INT, streamId INT, "
                 "correlationId INT, globalPid INT, bytes INT, memKind INT);"
                 "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES(1,2,0,7,1,0,8,0),(3,4,0,7,2,0,8,0);" +
                     std::string(kStringTable) + kKernels);
    const std::string whole = content(path("a.sqlite"));
    const auto saidWith = [&](std::size_t page, std::size_t other) {
        std::string bytes = whole;
        bytes.replace(page * 4096, 4096, whole.substr(other * 4096, 4096));
        const Trace trace = io::readRecording(put("b.sqlite", bytes)).trace;
        const Defect* defect = defectOf(trace, DefectCode::DamagedChunk);
        return defect ? defect->text() : std::string("nothing");
    };
    EXPECT_THAT(saidWith(1, 3), HasSubstr("CUPTI_ACTIVITY_KIND_MEMSET: its pages are damaged"));
    EXPECT_THAT(saidWith(3, 1), HasSubstr("CUPTI_ACTIVITY_KIND_KERNEL: its pages are damaged"));
}

TEST_F(HostileDatabase, AFileThatWasCutOffGivesWhatIsThere) {
    makeDatabase(path("a.sqlite"), manyKernels());
    const std::string bytes = content(path("a.sqlite"));
    const Trace trace = io::readRecording(put("a.sqlite", bytes.substr(0, bytes.size() / 2))).trace;
    EXPECT_GT(kernels(trace), 5'000u);
    EXPECT_LT(kernels(trace), 15'000u);
    EXPECT_NE(defectOf(trace, DefectCode::DamagedChunk), nullptr);
    const Trace almost = io::readRecording(put("a.sqlite", bytes.substr(0, bytes.size() - 1))).trace;
    EXPECT_EQ(kernels(almost), 20'000u) << "SQLite reads zeros behind the end";
    ASSERT_NE(defectOf(almost, DefectCode::DamagedChunk), nullptr);
    EXPECT_EQ(defectOf(almost, DefectCode::DamagedChunk)->classes, kAllClasses);
    EXPECT_THAT(refusalOf(put("b.sqlite", bytes.substr(0, 2000))), HasSubstr("Cannot read"));
    EXPECT_THAT(refusalOf(put("c.sqlite", bytes.substr(0, 16))), HasSubstr("Cannot read"));
    EXPECT_THAT(refusalOf(put("d.sqlite", "")), HasSubstr("is empty"));
}

TEST_F(HostileDatabase, NoiseBehindTheFirstBytesIsRefused) {
    std::string bytes("SQLite format 3\0", 16);
    for (int i = 0; i < 10'000; ++i)
        bytes += static_cast<char>(i * 7919 >> 3);
    EXPECT_THAT(refusalOf(put("a.sqlite", bytes)), HasSubstr("Cannot read"));
}

// --- what was left beside it

TEST_F(HostileDatabase, RowsThatAreStillInTheLogAreRead) {
    sqlite3* writer = nullptr;
    ASSERT_EQ(::sqlite3_open(path("a.sqlite").c_str(), &writer), SQLITE_OK);
    ::sqlite3_exec(writer, "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0", nullptr, nullptr, nullptr);
    ::sqlite3_exec(writer, (kStringTable + std::string(kKernels)).c_str(), nullptr, nullptr, nullptr);
    ASSERT_TRUE(fs::exists(path("a.sqlite-wal")));
    EXPECT_EQ(kernels(io::readRecording(path("a.sqlite")).trace), 2u);
    fs::create_symlink(path("a.sqlite"), path("link.sqlite"));
    EXPECT_EQ(kernels(io::readRecording(path("link.sqlite")).trace), 2u)
        << "the log lies beside the file, not the link";
    ::sqlite3_close(writer);
}

TEST_F(HostileDatabase, AnEmptyLogIsNoReasonToWriteBesideTheFile) {
    makeDatabase(path("a.sqlite"), kStringTable + std::string(kKernels));
    put("a.sqlite-wal", "");
    fs::permissions(m_folder, fs::perms::owner_read | fs::perms::owner_exec);
    EXPECT_EQ(kernels(io::readRecording(path("a.sqlite")).trace), 2u);
    fs::permissions(m_folder, fs::perms::owner_all);
    EXPECT_FALSE(fs::exists(path("a.sqlite-shm")));
}

TEST_F(HostileDatabase, AnUnfinishedTransactionIsSaid) {
    makeDatabase(path("a.sqlite"), kStringTable + std::string(kKernels));
    put("a.sqlite-journal", "half of something");
    const Trace trace = io::readRecording(path("a.sqlite")).trace;
    EXPECT_EQ(kernels(trace), 2u);
    ASSERT_NE(defectOf(trace, DefectCode::DamagedChunk), nullptr);
    EXPECT_THAT(defectOf(trace, DefectCode::DamagedChunk)->text(), HasSubstr("when its program ended"));
    EXPECT_TRUE(fs::exists(path("a.sqlite-journal"))) << "nothing of somebody else's is touched";
}

TEST_F(HostileDatabase, AJournalThatIsDoneWithIsNone) {
    makeDatabase(path("a.sqlite"), "PRAGMA journal_mode=PERSIST;" + (kStringTable + std::string(kKernels)));
    ASSERT_GT(fs::file_size(path("a.sqlite-journal")), 0u);
    const Trace trace = io::readRecording(path("a.sqlite")).trace;
    EXPECT_EQ(kernels(trace), 2u);
    EXPECT_TRUE(trace.defects().empty());
}

/// A folder as it is seen from outside, to the nanosecond.
class Untouched : public HostileDatabase {
protected:
    std::string listing() const {
        std::vector<std::string> lines;
        for (const auto& entry : fs::directory_iterator(m_folder))
            lines.push_back(entry.path().filename().string() + " " + std::to_string(entry.file_size()) + " " +
                            std::to_string(entry.last_write_time().time_since_epoch().count()) + " " +
                            std::to_string(std::hash<std::string>()(content(entry.path()))));
        std::ranges::sort(lines);
        std::string all;
        for (const std::string& line : lines)
            all += line + "\n";
        return all;
    }
    /// A database of two kernels and more of them in its log, as a program leaves it that was killed.
    void makeWithLog(const std::string& name) const {
        makeDatabase(path("w.sqlite"), kStringTable + std::string(kKernels));
        sqlite3* writer = nullptr;
        ASSERT_EQ(::sqlite3_open(path("w.sqlite").c_str(), &writer), SQLITE_OK);
        ::sqlite3_exec(
            writer,
            "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;"
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end, shortName) VALUES(5,6,1),(7,8,1),(9,10,1)",
            nullptr, nullptr, nullptr);
        fs::copy_file(path("w.sqlite"), path(name));
        fs::copy_file(path("w.sqlite-wal"), path(name + "-wal"));
        ::sqlite3_close(writer);
        for (const char* ending : {"", "-wal", "-shm"})
            fs::remove(path(std::string("w.sqlite") + ending));
    }
};

TEST_F(Untouched, IsTheFolderOfAPlainFile) {
    makeDatabase(path("a.sqlite"), kStringTable + std::string(kKernels));
    const std::string before = listing();
    EXPECT_EQ(kernels(io::readRecording(path("a.sqlite")).trace), 2u);
    EXPECT_EQ(listing(), before);
}

TEST_F(Untouched, IsTheFolderOfAFileWithALog) {
    makeWithLog("a.sqlite");
    const std::string before = listing();
    const Trace trace = io::readRecording(path("a.sqlite")).trace;
    EXPECT_EQ(kernels(trace), 5u) << "three of them are in the log alone";
    EXPECT_TRUE(trace.defects().empty());
    EXPECT_EQ(listing(), before);
    EXPECT_EQ(std::ranges::count(before, '\n'), 2);
}

/// SQLite reads a log up to what is damaged in it, and says nothing.
TEST_F(Untouched, WhatIsDamagedInALogIsSaid) {
    makeWithLog("a.sqlite");
    const std::string whole = content(path("a.sqlite-wal"));
    ASSERT_GT(whole.size(), 32u + 24u + 4096u - 1);
    const auto saidOf = [&](const std::string& log) {
        put("a.sqlite-wal", log);
        const Trace trace = io::readRecording(path("a.sqlite")).trace;
        EXPECT_EQ(kernels(trace), 2u) << "what is in the file itself";
        const Defect* defect = defectOf(trace, DefectCode::DamagedChunk);
        return defect ? defect->text() : std::string("nothing");
    };
    std::string changed = whole;
    changed[whole.size() - 5] ^= 1;
    EXPECT_THAT(saidOf(changed), HasSubstr("the end of its log was not read (1 page)"));
    changed = whole;
    changed[20] ^= 1;
    EXPECT_THAT(saidOf(changed), HasSubstr("its log is damaged"));
    EXPECT_THAT(saidOf(whole.substr(0, whole.size() - 100)),
                HasSubstr("the end of its log was not read (1 page)"));
}

TEST_F(Untouched, IsAFolderThatMayNotBeWritten) {
    makeWithLog("a.sqlite");
    const std::string before = listing();
    fs::permissions(m_folder, fs::perms::owner_read | fs::perms::owner_exec);
    for (const char* name : {"a.sqlite", "a.sqlite-wal"})
        fs::permissions(path(name), fs::perms::owner_read);
    EXPECT_EQ(kernels(io::readRecording(path("a.sqlite")).trace), 5u);
    EXPECT_EQ(listing(), before);
    fs::permissions(m_folder, fs::perms::owner_all);
}

TEST_F(Untouched, IsTheFolderOfAFileWithAJournal) {
    makeDatabase(path("w.sqlite"), kStringTable + std::string(kKernels));
    sqlite3* writer = nullptr;
    ASSERT_EQ(::sqlite3_open(path("w.sqlite").c_str(), &writer), SQLITE_OK);
    ::sqlite3_exec(writer,
                   "PRAGMA cache_size=1; BEGIN; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n "
                   "WHERE i<20000) INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end, shortName) SELECT i, "
                   "i+1, 1 FROM n",
                   nullptr, nullptr, nullptr);
    ASSERT_GT(fs::file_size(path("w.sqlite-journal")), 0u);
    for (const char* ending : {"", "-journal"}) // both as a program leaves them that was killed
        fs::copy_file(path(std::string("w.sqlite") + ending), path(std::string("a.sqlite") + ending));
    ::sqlite3_close(writer);
    fs::remove(path("w.sqlite"));
    const std::string before = listing();
    const Trace trace = io::readRecording(path("a.sqlite")).trace;
    ASSERT_NE(defectOf(trace, DefectCode::DamagedChunk), nullptr);
    EXPECT_EQ(listing(), before);
}

/// Not in this process, where all that a program has open shares its locks.
TEST_F(Untouched, IsTheFolderOfAFileThatAnotherProgramHasOpen) {
    makeDatabase(path("a.sqlite"), kStringTable + std::string(kKernels));
    int ready[2], done[2];
    ASSERT_TRUE(::pipe(ready) == 0 && ::pipe(done) == 0);
    const pid_t child = ::fork();
    char byte = 'x';
    if (child == 0) {
        sqlite3* writer = nullptr;
        ::sqlite3_open(path("a.sqlite").c_str(), &writer);
        ::sqlite3_exec(writer,
                       "PRAGMA journal_mode=WAL; INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end, "
                       "shortName) VALUES(5,6,1)",
                       nullptr, nullptr, nullptr);
        const bool isTold = ::write(ready[1], &byte, 1) == 1 && ::read(done[0], &byte, 1) == 1;
        const int state = ::sqlite3_exec(
            writer, "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end, shortName) VALUES(7,8,1)", nullptr,
            nullptr, nullptr);
        ::sqlite3_close(writer);
        ::_exit(isTold && state == SQLITE_OK ? 0 : 1);
    }
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    const std::string before = listing();
    const Trace trace = io::readRecording(path("a.sqlite")).trace;
    EXPECT_EQ(kernels(trace), 3u);
    EXPECT_TRUE(trace.defects().empty());
    EXPECT_EQ(listing(), before);
    ASSERT_EQ(::write(done[1], &byte, 1), 1);
    int state = 0;
    ASSERT_EQ(::waitpid(child, &state, 0), child);
    EXPECT_EQ(state, 0) << "the other program goes on as if nobody had read";
    for (const int end : {ready[0], ready[1], done[0], done[1]})
        ::close(end);
    EXPECT_EQ(kernels(io::readRecording(path("a.sqlite")).trace), 4u);
}

TEST_F(HostileDatabase, AFileThatIsWrittenWhileItIsReadIsSaid) {
    makeDatabase(path("a.sqlite"), kStringTable + std::string(kKernels));
    const RunControl control;
    const io::imports::SqliteDatabase database(path("a.sqlite"), path("a.sqlite"), control);
    EXPECT_EQ(database.damage(), "");
    makeDatabase(path("a.sqlite"), kManyMore);
    EXPECT_THAT(database.damage(), HasSubstr("wrote to it while it was read"));
    const io::imports::SqliteDatabase again(path("a.sqlite"), path("a.sqlite"), control);
    EXPECT_EQ(again.damage(), "");
    put("a.sqlite-wal", "a log");
    EXPECT_THAT(again.damage(), HasSubstr("wrote to it while it was read"));
}

TEST_F(HostileDatabase, ReadingLeavesTheFileAsItWas) {
    makeDatabase(path("a.sqlite"), kStringTable + std::string(kKernels));
    const std::string before = content(path("a.sqlite"));
    const auto time = fs::last_write_time(path("a.sqlite"));
    io::readRecording(path("a.sqlite"));
    EXPECT_EQ(content(path("a.sqlite")), before);
    EXPECT_EQ(fs::last_write_time(path("a.sqlite")), time);
}

} // namespace
