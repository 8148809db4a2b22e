// olab export-cu: of a preset, of a recording, of options; and what it refuses.
#include "cli_fixture.h"

namespace olab::test {
namespace {

std::string fileText(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

const std::string kRecordings = OLAB_SOURCE_DIR "/resources/recordings/";

using ExportCuCli = Cli;

TEST_F(ExportCuCli, APresetAndARecordingOfItAreTheSameProgram) {
    ASSERT_EQ(olab("export-cu full-grid a.cu").code, 0);
    ASSERT_EQ(olab("export-cu '" + kRecordings + "full-grid-h200.olab' b.cu").code, 0);
    EXPECT_THAT(fileText(m_folder / "a.cu"), HasSubstr("int main() {"));
    EXPECT_EQ(fileText(m_folder / "a.cu"), fileText(m_folder / "b.cu"));
}

TEST_F(ExportCuCli, OptionsChangeIt) {
    const Result r = olab("export-cu full-grid streams=3 --set kernel.us=7 /dev/stdout");
    EXPECT_EQ(r.code, 0) << r.err;
    EXPECT_EQ(r.err, "");
    EXPECT_THAT(r.out, HasSubstr("constexpr int streams = 3;"));
    EXPECT_THAT(r.out, HasSubstr("kernelUs = 7;"));
    EXPECT_THAT(olab("export-cu streams=5 /dev/stdout").out, HasSubstr("constexpr int streams = 5;"));
}

TEST_F(ExportCuCli, WhatAProgramCannotDoIsSaidOnStandardError) {
    const Result r = olab("export-cu blog-c1060-v1 /dev/stdout");
    EXPECT_EQ(r.code, 0);
    EXPECT_THAT(r.err, HasSubstr("sim.device=c1060 is not in this program"));
    EXPECT_THAT(r.out, HasSubstr("// sim.device=c1060 is not in this program"));
}

TEST_F(ExportCuCli, RefusesWhatIsNoExperimentAndNoFile) {
    expectUsageError("export-cu nothing-like-this out.cu", "neither a preset nor a file");
    expectUsageError("export-cu full-grid", "No file to write is named");
    expectUsageError("export-cu full-grid streams=3", "No file to write is named");
    expectUsageError("export-cu p2p=on out.cu", "it needs devices=all");
    ASSERT_EQ(olab("convert --records-only '" + kRecordings + "default-h200.olab' strange.olab").code, 0);
    expectUsageError("export-cu strange.olab out.cu", "holds no experiment");
    EXPECT_FALSE(fs::exists(m_folder / "out.cu"));
}

} // namespace
} // namespace olab::test
