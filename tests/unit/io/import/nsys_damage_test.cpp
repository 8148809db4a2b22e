// What is missing, damaged or impossible in Nsight Systems exports.
#include "nsys_tables.h"

#include <olab/analysis/analyze.h>
#include <olab/analysis/threads.h>
#include <olab/io/formats.h>
#include <olab/trace/lanes_of.h>

#include <map>

using namespace olab;
using namespace olab::test;
using testing::HasSubstr;
using enum ActivityClass;

namespace {

TEST_F(Nsys, BadRowsAreCountedAndTouchTheirOwnClassOnly) {
    const Trace trace =
        read(sql(kernelTable() +
                 "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,streamId) VALUES"
                 "(10,20,0,7),(NULL,30,0,7),(30,NULL,0,7),(1.5,40,0,7),('50','60',0,7),(60,50,0,7),(0,0,0,7),"
                 "(x'00',70,0,7);" +
                 copyTable() +
                 "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY(start,end,deviceId,streamId,bytes,copyKind) "
                 "VALUES(10,20,0,7,5,1),(20,30,0,7,-5,1)"));
    EXPECT_EQ(trace.counts(), (RecordCounts{10, 3, 7})) << "'50' is a number by the column's affinity";
    for (const Defect& defect : trace.defects())
        EXPECT_TRUE(defect.classes == maskOf(Kernel) || defect.classes == maskOf(MemcpyH2D)) << defect.text();
    ASSERT_NE(defectOf(trace, DefectCode::NoTimestamp), nullptr);
    EXPECT_EQ(defectOf(trace, DefectCode::NoTimestamp)->count, 1u);
    EXPECT_EQ(defectOf(trace, DefectCode::EndBeforeStart)->count, 1u);
}

/// Whatever stands there instead of a number: nothing is made of it.
TEST_F(Nsys, NumbersThatAreNoneAreNotGuessed) {
    const std::string work = "start, end, deviceId, contextId, streamId, correlationId, globalPid";
    struct Case {
        std::string table, columns, values;
        ClassMask touches;
        std::vector<std::string> needed, others;
    };
    const Case cases[] = {
        {kernelTable(),
         "KERNEL(" + work + ", demangledName, gridX, gridY, gridZ, blockX",
         ",1,1,1,1,32",
         maskOf(Kernel),
         {"deviceId", "streamId"},
         {"contextId", "correlationId", "demangledName", "gridX"}},
        {copyTable(),
         "MEMCPY(" + work + ", bytes, copyKind, srcKind",
         ",64,1,1",
         kCopyClasses,
         {"deviceId", "streamId", "bytes", "copyKind"},
         {"globalPid", "srcKind"}},
        {std::string("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(") + kWork + ", bytes INT, memKind INT);",
         "MEMSET(" + work + ", bytes, memKind",
         ",64,2",
         maskOf(Memset),
         {"bytes"},
         {"memKind"}}};
    for (const auto& [table, columns, values, touches, needed, others] : cases)
        for (const bool isNeeded : {true, false})
            for (const std::string& column : isNeeded ? needed : others)
                for (const char* value : {"'12x'", "'abc'", "x'00ff'", "1.5", "9e999", "NULL"}) {
                    const std::string name = columns.substr(0, columns.find('('));
                    const Trace trace = read(sql(
                        table + "INSERT INTO CUPTI_ACTIVITY_KIND_" + columns + ") VALUES(1,2,0,1,7,1,$PID" +
                        values + "),(3,4,0,1,7,2,$PID" + values + "); UPDATE CUPTI_ACTIVITY_KIND_" + name +
                        " SET " + column + "=" + value + " WHERE rowid=2"));
                    const bool isNone = !isNeeded && value == std::string_view("NULL");
                    EXPECT_EQ(trace.counts(), (RecordCounts{2, isNone ? 2u : 1u, isNone ? 0u : 1u}))
                        << name << " " << column << " " << value;
                    const Defect* defect = defectOf(trace, DefectCode::BadRecord);
                    ASSERT_EQ(defect == nullptr, isNone);
                    EXPECT_EQ(isNone ? touches : defect->classes, touches) << name;
                    EXPECT_EQ(io::readForNumbers(path("a.sqlite")).trace.counts(), trace.counts());
                }
}

TEST_F(Nsys, NumbersThatNothingHasAreRefused) {
    for (const char* change : {"deviceId=-5", "deviceId=9223372036854775807", "copyKind=-5",
                               "copyKind=1099511627777", "correlationId=-5"}) {
        const Trace trace =
            read(sql(copyTable() +
                     "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(10,20,0,1,7,1,$PID,64,1,0,2),"
                     "(20,30,0,1,7,2,$PID,65,2,2,1); UPDATE CUPTI_ACTIVITY_KIND_MEMCPY SET " +
                     change + " WHERE rowid=2"));
        EXPECT_EQ(trace.counts(), (RecordCounts{2, 1, 1})) << change;
    }
}

/// As everywhere in SQLite.
TEST_F(Nsys, NamesOfTablesAndColumnsAreFoundInLettersOfEitherCase) {
    const std::string rows = " VALUES(10,20,0,1,7,1,$PID,64,1,1,2)";
    const Trace usual = read(sql(copyTable() + "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY" + rows));
    for (const char* change : {"RENAME TO cupti_activity_kind_MEMCPy", "RENAME COLUMN bytes TO BYTES",
                               "RENAME COLUMN copyKind TO copykind", "RENAME COLUMN deviceId TO DeviceID"}) {
        const std::string with = copyTable() + "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY" + rows;
        const std::string before =
            std::string("ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ") +
            (std::string_view(change).starts_with("RENAME TO") ? "RENAME TO x; ALTER TABLE x " : "");
        EXPECT_TRUE(read(sql(with + ";" + before + change)) == usual) << change;
    }
}

/// The last one of a list whose page counts one too few is no table any more.
TEST_F(Nsys, AListOfTablesThatIsDamagedIsTold) {
    const Trace whole =
        read(sql(copyTable() + "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(10,20,0,1,7,1,$PID,64,1,1,2)"));
    std::string bytes = content(path("a.sqlite"));
    bytes[104] = static_cast<char>(bytes[104] - 1);
    const Trace lacking = io::readRecording(put("b.sqlite", bytes)).trace;
    EXPECT_EQ(lacking.size(), 0u);
    ASSERT_NE(defectOf(lacking, DefectCode::DamagedChunk), nullptr);
    EXPECT_EQ(defectOf(lacking, DefectCode::DamagedChunk)->classes, kAllClasses);
    std::string upper = content(path("a.sqlite"));
    upper[upper.find("tableCUPTI")] = 'T';
    EXPECT_TRUE(io::readRecording(put("c.sqlite", upper)).trace == whole);
}

TEST_F(Nsys, ColumnsThatEveryVersionWritesAreMissed) {
    const std::string drop = ";ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY DROP COLUMN ";
    for (const std::string column : {"bytes", "copyKind", "deviceId", "streamId"})
        for (const std::string& computed :
             {std::string(),
              ";ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY ADD COLUMN " + column + " INT AS (7)"}) {
            const Trace trace = read(sql(
                copyTable() + "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(10,20,0,1,7,1,$PID,64,1,1,2)" +
                drop + column + computed));
            EXPECT_EQ(trace.counts(), (RecordCounts{1, 1, 0}));
            ASSERT_EQ(trace.defects().size(), 1u) << column;
            EXPECT_EQ(trace.defects()[0].severity(), Severity::DataLoss);
            EXPECT_EQ(trace.defects()[0].classes, kCopyClasses);
            EXPECT_THAT(trace.defects()[0].text(),
                        HasSubstr("lacks columns that every version writes: " + column));
        }
}

TEST_F(Nsys, TablesOfUnknownRecordsAreTold) {
    const Trace trace =
        read(sql(copyTable() + "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(10,20,0,1,7,1,"
                               "$PID,64,1,1,2); ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY RENAME "
                               "TO CUPTI_ACTIVITY_KIND_MEMCPX;"
                               "CREATE TABLE Nvtx_Events(start INT, end INT, text TEXT);"
                               "INSERT INTO Nvtx_Events VALUES(1,2,'read')"));
    ASSERT_EQ(trace.defects().size(), 1u);
    EXPECT_THAT(trace.defects()[0].text(), HasSubstr("tables CUPTI_ACTIVITY_KIND_MEMCPX"));
    EXPECT_EQ(trace.size(), 1u);
}

TEST_F(Nsys, StreamsAndContextsOfLargeIdsAreStreams) {
    const Trace trace = read(
        sql(kernelTable() +
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, contextId, streamId, globalPid) "
            "VALUES(1,2,0,140000000009999,140000000000000,$PID),(3,4,0,140000000009999,140000000004096,$PID),"
            "(5,6,0,1,-2,$PID),(7,8,0,1,4294967295,$PID);"
            "CREATE TABLE TARGET_INFO_CUDA_STREAM(streamId INT, processId INT, contextId INT, priority INT, "
            "flag INT);"
            "INSERT INTO TARGET_INFO_CUDA_STREAM VALUES(140000000004096, 300, 140000000009999, -5, 2)"));
    std::vector<std::string> texts;
    for (const Queue& queue : trace.queues())
        texts.push_back(trace.queueText(queue) + (queue.priority == -5 ? " of priority" : ""));
    EXPECT_THAT(texts,
                testing::UnorderedElementsAre("stream 140000000000000", "stream 140000000004096 of priority",
                                              "stream -2", "unknown stream"));
}

TEST_F(Nsys, NamesThatAreMissingAreToldByTheClassOfTheirRows) {
    const std::string rows =
        "CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);" + kernelTable() +
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,streamId,correlationId,globalPid,"
        "shortName) VALUES(10,20,0,7,42,$PID,2);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, globalTid INT, correlationId INT, "
        "nameId INT); INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(5,9,$TID,42,3),(10,11,$TID,43,3);";
    EXPECT_TRUE(read(sql(rows)).defects().empty());
    const std::pair<const char*, ClassMask> cases[] = {
        {"DROP TABLE StringIds", maskOf(Kernel) | maskOf(Api)},
        {"DELETE FROM StringIds", maskOf(Kernel) | maskOf(Api)},
        {"DELETE FROM StringIds WHERE id=3", maskOf(Api)},
        {"UPDATE StringIds SET value=x'00' WHERE id=2", maskOf(Kernel)}};
    for (const auto& [damage, classes] : cases) {
        const Trace trace = read(sql(rows + damage));
        EXPECT_EQ(trace.counts(), (RecordCounts{3, 3, 0})) << damage;
        const Defect* defect = defectOf(trace, DefectCode::DamagedChunk);
        ASSERT_NE(defect, nullptr) << damage;
        EXPECT_EQ(defect->classes, classes) << damage;
        EXPECT_THAT(defect->detail, HasSubstr("names that rows refer to are missing"));
    }
}

TEST_F(Nsys, WhatEveryVersionWritesIsMissed) {
    const std::string rows =
        kernelTable() +
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,streamId,correlationId,globalPid) "
        "VALUES(10,20,0,7,42,$PID),(20,30,0,7,43,$PID);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, globalTid INT, correlationId INT, "
        "nameId INT); INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(5,9,$TID,42,3),(10,11,$TID,43,3);";
    const std::pair<std::string, std::string> cases[] = {{"KERNEL", "correlationId"},
                                                         {"KERNEL", "globalPid"},
                                                         {"RUNTIME", "correlationId"},
                                                         {"RUNTIME", "globalTid"},
                                                         {"RUNTIME", "nameId"}};
    for (const auto& [name, column] : cases)
        for (const bool isDropped : {true, false}) {
            const std::string table = "CUPTI_ACTIVITY_KIND_" + name;
            const Trace trace =
                read(sql(rows + (isDropped ? "ALTER TABLE " + table + " DROP COLUMN " + column
                                           : "UPDATE " + table + " SET " + column + "=NULL WHERE rowid=2")));
            EXPECT_EQ(trace.counts(), (RecordCounts{4, 4, 0})) << name << column;
            const Defect* defect = defectOf(trace, DefectCode::DamagedChunk);
            ASSERT_NE(defect, nullptr) << name << column;
            EXPECT_EQ(defect->classes, maskOf(name == "KERNEL" ? Kernel : Api)) << column;
            EXPECT_EQ(defect->count, 1u);
        }
}

/// Text of real files; the second and the last are not about what is missing.
TEST_F(Nsys, WhatNsysWarnedOfIsTold) {
    const Trace trace =
        read(sql(kernelTable() +
                 "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL(start, end, deviceId, streamId, correlationId, "
                 "globalPid) VALUES(1,2,0,7,1,$PID);"
                 "CREATE TABLE DIAGNOSTIC_EVENT(timestamp INT, timestampType INT, source INT, severity INT, "
                 "text TEXT, globalPid INT);"
                 "INSERT INTO DIAGNOSTIC_EVENT(severity, text) VALUES"
                 "(2,'Not all CUDA events might have been collected.'),"
                 "(2,'No NVTX events collected. Does the process use NVTX?'),"
                 "(3,'Not all NVTX events might have been collected.'),"
                 "(1,'Profiling has started.'),(1,NULL),"
                 "(2,'CUDA device 0: Unified Memory cannot be traced')"));
    std::map<std::string, std::pair<DefectCode, ClassMask>> said;
    for (const Defect& defect : trace.defects())
        said[defect.detail] = {defect.code, defect.classes};
    EXPECT_EQ(said.size(), 4u);
    using enum DefectCode;
    const ClassMask ofCuda = kDeviceClasses | maskOf(Api) | maskOf(Sync);
    EXPECT_EQ(said["Not all CUDA events might have been collected."], std::pair(RecorderLoss, ofCuda));
    EXPECT_EQ(said["Not all NVTX events might have been collected."], std::pair(RecorderLoss, maskOf(Nvtx)));
    EXPECT_EQ(said["No NVTX events collected. Does the process use NVTX?"].first, RecorderWarning);
    EXPECT_EQ(said["CUDA device 0: Unified Memory cannot be traced"].first, RecorderWarning);
    EXPECT_EQ(defectRow(RecorderLoss).severity, Severity::DataLoss);
    EXPECT_EQ(defectRow(RecorderWarning).severity, Severity::Notice);
}

TEST_F(Nsys, WarningsThatCannotBeReadAreLosses) {
    const std::string table = "CREATE TABLE DIAGNOSTIC_EVENT(severity, text); INSERT INTO DIAGNOSTIC_EVENT "
                              "VALUES(1,'Profiling has started.'),(2,'Not all CUDA events');";
    for (const char* damage :
         {"UPDATE DIAGNOSTIC_EVENT SET severity='abc'", "UPDATE DIAGNOSTIC_EVENT SET severity=NULL",
          "UPDATE DIAGNOSTIC_EVENT SET severity=99", "UPDATE DIAGNOSTIC_EVENT SET text=CAST(text AS BLOB)",
          "UPDATE DIAGNOSTIC_EVENT SET text=NULL", "ALTER TABLE DIAGNOSTIC_EVENT DROP COLUMN severity",
          "ALTER TABLE DIAGNOSTIC_EVENT DROP COLUMN text"}) {
        const Trace trace = read(sql(table + damage));
        const Defect* defect = defectOf(trace, DefectCode::DamagedChunk);
        ASSERT_NE(defect, nullptr) << damage;
        EXPECT_EQ(defect->classes, kAllClasses) << damage;
        EXPECT_EQ(trace.defects().size(), 1u) << damage;
    }
}

} // namespace
