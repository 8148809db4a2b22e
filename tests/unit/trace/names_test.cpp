#include <olab/trace/defect.h>

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace olab {
namespace {

TEST(Names, ClassesAreThoseOfTheCountingContractInItsOrder) {
    const std::array<std::string_view, kDeviceClassCount> contract{
        "kernel", "memcpy_h2d", "memcpy_d2h", "memcpy_d2d", "memcpy_p2p", "memset", "memcpy_other"};
    for (std::size_t c = 0; c < contract.size(); ++c)
        EXPECT_EQ(className(static_cast<ActivityClass>(c)), contract[c]);
}

TEST(Names, FilesKeepTheirClassNumbers) { // new ones come behind these
    using enum ActivityClass;
    const ActivityClass order[] = {Kernel,      MemcpyH2D, MemcpyD2H, MemcpyD2D, MemcpyP2P, Memset,
                                   MemcpyOther, HostFn,    Api,       Sync,      Overhead,  Nvtx};
    for (std::size_t i = 0; i < std::size(order); ++i)
        EXPECT_EQ(static_cast<std::size_t>(order[i]), i);
    EXPECT_FALSE(isDeviceClass(Nvtx));
}

TEST(Names, EveryClassIsFoundByItsName) {
    std::set<std::string_view> names, labels;
    for (std::size_t c = 0; c < kClassCount; ++c) {
        const auto cls = static_cast<ActivityClass>(c);
        EXPECT_EQ(classFromName(className(cls)), cls);
        names.insert(className(cls));
        labels.insert(classLabel(cls));
    }
    EXPECT_EQ(names.size(), kClassCount);
    EXPECT_EQ(labels.size(), kClassCount);
    EXPECT_EQ(classFromName("h2d"), ActivityClass::MemcpyH2D);
    EXPECT_EQ(classFromName("d2h"), ActivityClass::MemcpyD2H);
    EXPECT_EQ(classFromName("d2d"), ActivityClass::MemcpyD2D);
    EXPECT_EQ(classFromName("p2p"), ActivityClass::MemcpyP2P);
    EXPECT_FALSE(classFromName("H2D "));
    EXPECT_FALSE(classFromName(""));
}

TEST(Names, EnumeratorsThatDoNotExistHaveANameToo) {
    EXPECT_EQ(className(static_cast<ActivityClass>(200)), "invalid");
    EXPECT_EQ(engineName(static_cast<EngineKind>(6)), "invalid");
    EXPECT_EQ(memoryKindName(static_cast<MemoryKind>(8)), "invalid");
    EXPECT_EQ(engineName(EngineKind::CopyP2P), "copy_p2p");
    EXPECT_EQ(engineLabel(EngineKind::CopyH2D), "copy H2D");
    EXPECT_EQ(memoryKindName(MemoryKind::Pinned), "pinned");
    EXPECT_EQ(streamKindName(StreamKind::NonBlocking), "nonblocking");
    EXPECT_EQ(sourceKindName(SourceKind::Traced), "traced");
}

TEST(Defects, IdsAreDistinctAndSentencesAreSentences) {
    std::set<std::string_view> ids;
    for (const DefectRow& row : defectTable()) {
        ids.insert(row.id);
        EXPECT_EQ(row.text.back(), '.') << row.id;
        EXPECT_EQ(row.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos) << row.id;
    }
    EXPECT_EQ(ids.size(), defectTable().size());
    EXPECT_GT(ids.size(), 20u);
}

TEST(Defects, NumbersThatWereNeverUsedAndThoseOfTheFutureHaveNoName) {
    for (const int number : {8, 20, 500}) {
        const auto code = static_cast<DefectCode>(number);
        EXPECT_FALSE(isDefectCode(code)) << number;
        EXPECT_EQ(defectRow(code).code, DefectCode::BadRecord) << number;
    }
    EXPECT_EQ(static_cast<int>(DefectCode::GateOpenedEarly), 9) << "files hold the numbers";
    EXPECT_EQ(static_cast<int>(DefectCode::OpenRange), 23);
    for (const DefectRow& row : defectTable())
        EXPECT_EQ(defectRow(row.code).id, row.id);
}

TEST(Defects, TextTellsTheDetail) {
    const Defect d{DefectCode::GateOpenedEarly, 1, kAllClasses, "at op 17"};
    EXPECT_EQ(d.text(), std::string(defectRow(d.code).text) + " (at op 17)");
    EXPECT_EQ(d.severity(), Severity::Notice);
    EXPECT_EQ(severityName(defectRow(DefectCode::DroppedRecords).severity), "data_loss");
}

} // namespace
} // namespace olab
