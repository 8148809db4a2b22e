// Nsight Systems exports of each generation, and what hostile hands make of them.
#include "made_database.h"

using namespace olab;
using namespace olab::test;
using testing::HasSubstr;

namespace {

TEST_F(Imports, AnEmptyExportIsReadAndSaysWhatMadeIt) {
    const Trace trace = read("CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
                             "CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);"
                             "INSERT INTO META_DATA_EXPORT VALUES('EXPORT_PRODUCT_VERSION', '2026.1.1.204')");
    EXPECT_TRUE(trace.empty());
    EXPECT_EQ(trace.provenance().tool, "NVIDIA Nsight Systems");
    EXPECT_EQ(trace.provenance().toolVersion, "2026.1.1.204");
}

} // namespace
