// rocpd databases of rocprofv3 and rocprof-sys: what tests/golden/rocm_test.py does not make.
#include "made_database.h"

#include "hostile/same_stretches.h"
#include "test_places.h"

#include <regex>

using namespace olab;
using namespace olab::test;
using testing::HasSubstr;
using enum ActivityClass;

namespace {

class Rocpd : public Imports {
protected:
    /// One of each kind of record, and some that cannot be kept.
    std::string all() const { return content(fs::path(OLAB_SOURCE_DIR) / "tests/fuzz/corpus/rocpd/all.sql"); }
};

TEST_F(Rocpd, KeepsWhatTheFileSays) {
    const Trace trace = read(all(), "a.db");
    EXPECT_EQ(trace.counts(), (RecordCounts{10, 6, 4}));
    ActivityIndex at = 0;
    while (trace.cls(at) != Kernel)
        ++at;
    const Activity kernel = trace[at];
    EXPECT_EQ(trace.text(kernel.name), "void scale<float>(float*)");
    EXPECT_EQ(kernel.time(), (Interval{1'550'151'853'043'000, 1'550'151'853'053'000}));
    EXPECT_EQ(*trace.geometry(at), (KernelGeometry{{16, 1, 1}, {64, 1, 1}, 16, 1024, 0}))
        << "1000 work items in groups of 64";
    EXPECT_EQ(kernel.correlation, 5u);
    EXPECT_EQ(trace.devices()[kernel.device].name, "AMD Instinct MI300X");
    EXPECT_EQ(trace.devices()[kernel.device].smCount, 304u);
    const Activity copy = activitiesOf(trace, MemcpyH2D).at(0);
    EXPECT_EQ(copy.bytes, 4096);
    EXPECT_EQ(copy.device, kernel.device) << "it writes to that GPU";
    const Activity peer = activitiesOf(trace, MemcpyP2P).at(0);
    EXPECT_EQ(peer.device, kernel.device) << "it reads from that GPU";
    const Activity call = activitiesOf(trace, Api).at(0);
    EXPECT_EQ(trace.text(call.name), "hipMemcpyAsync");
    EXPECT_EQ(trace.queue(call.queue).number, 4712u) << "the system's number of the thread";
    const auto ranges = activitiesOf(trace, Nvtx);
    ASSERT_EQ(ranges.size(), 2u);
    EXPECT_EQ(trace.text(ranges[0].name), "step 1");
    EXPECT_EQ(trace.text(ranges[1].name), "mark");
    EXPECT_EQ(trace.processes()[0].pid, 4711u);
    EXPECT_EQ(trace.processes()[0].name, "train");
    std::string reasons;
    for (const Defect& defect : trace.defects())
        reasons += defect.text() + "\n";
    for (const char* why : {"an agent that is no GPU", "copies between processors", "no event says what",
                            "a track that the file does not describe"})
        EXPECT_THAT(reasons, HasSubstr(why));
}

TEST_F(Rocpd, NumbersThatAreNoneAreNotGuessed) {
    for (const char* change :
         {"rocpd_kernel_dispatch_u SET start='x' WHERE id=1",
          "rocpd_kernel_dispatch_u SET agent_id=1.5 WHERE id=1",
          "rocpd_kernel_dispatch_u SET stream_id=NULL WHERE id=1",
          "rocpd_memory_copy_u SET size=NULL WHERE id=1", "rocpd_memory_copy_u SET size=-1 WHERE id=1",
          "rocpd_region_u SET name_id=x'00' WHERE id=1",
          "rocpd_kernel_dispatch_u SET event_id=NULL WHERE id=1",
          "rocpd_info_agent_u SET type_index=NULL WHERE id=3",
          "rocpd_event_u SET category_id=NULL WHERE id=1"}) {
        const Trace trace = read(all() + "UPDATE " + change, "a.db");
        EXPECT_EQ(trace.counts().read, 10u) << change;
        const bool isHarmless = std::string_view(change).starts_with("rocpd_info_agent_u");
        EXPECT_EQ(trace.counts().kept, isHarmless ? 6u : 5u) << change;
    }
}

/// Views have no rows of their own; a table that lacks is told with what it would hold.
TEST_F(Rocpd, SaysWhatIsLacking) {
    const auto damageOf = [this](const std::string& change) {
        const Trace trace = read(all() + change, "a.db");
        std::string told;
        for (const Defect& defect : trace.defects())
            if (defect.code == DefectCode::DamagedChunk)
                told += defect.text();
        return told;
    };
    EXPECT_EQ(damageOf(""), "");
    EXPECT_THAT(damageOf("DROP TABLE rocpd_memory_copy_u"),
                HasSubstr("rocpd_memory_copy_u: the file does not"));
    EXPECT_THAT(damageOf("DROP TABLE rocpd_event_u"), HasSubstr("rocpd_event_u: the file does not"));
    EXPECT_THAT(damageOf("ALTER TABLE rocpd_kernel_dispatch_u RENAME COLUMN stream_id TO stream"),
                HasSubstr("it lacks columns that every version writes: stream_id"));
    const Trace counted = read(all() + "CREATE TABLE rocpd_pmc_event_u(id INTEGER PRIMARY KEY); INSERT INTO "
                                       "rocpd_pmc_event_u VALUES(1)",
                               "a.db");
    EXPECT_THAT(defectOf(counted, DefectCode::UnknownKind)->text(), HasSubstr("rocpd_pmc_event_u"));
}

/// Of two recordings in one file the ids are their own.
TEST_F(Rocpd, RecordingsOfOneFileStayApart) {
    const std::string first = all();
    const std::string second =
        std::regex_replace(first.substr(0, first.find("CREATE VIEW")), std::regex("_u\\b"), "_v");
    const Trace trace = read(first + second, "a.db");
    EXPECT_EQ(trace.counts(), (RecordCounts{20, 12, 8}));
    EXPECT_EQ(trace.processes().size(), 2u);
    EXPECT_EQ(activitiesOf(trace, Kernel).size(), 2u);
}

TEST_F(Rocpd, GivesTheSameWhereverStretchesEnd) {
    makeDatabase(path("a.db"),
                 all() + "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i+1 FROM n WHERE i<200) "
                         "INSERT INTO rocpd_region_u SELECT i, 9, 1, i*100, i*100+90, 3, 1 FROM n");
    EXPECT_EQ(differenceOfStretches(io::imports::readRocpd, path("a.db")), "");
    EXPECT_GT(readInStretches(io::imports::readRocpd, path("a.db"), kTinyOnThreads).trace.size(), 190u);
}

} // namespace
