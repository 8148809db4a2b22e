// What is said of a file without device work: never that there was none where only this program cannot tell.
#include <olab/recording/no_device_work.h>
#include <olab/trace/trace_builder.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace olab::test {
namespace {

using testing::HasSubstr;

class NoDeviceWork : public testing::Test {
protected:
    std::string said(const std::string& tool) {
        m_builder.add(ProvenanceRecord{SourceKind::Imported, tool, {}, {}});
        return recording::noDeviceWorkText(
            *recording::makeRecording({m_builder.finish(), nullptr, std::nullopt}, "file", false));
    }
    void addCall() {
        ActivityRecord call;
        call.cls = ActivityClass::Api, call.thread = 1, call.begin = 5, call.end = 9;
        m_builder.add(call);
    }
    TraceBuilder m_builder;
};

TEST_F(NoDeviceWork, SaysHowToRecordIt) {
    EXPECT_THAT(said("NVIDIA Nsight Systems"), HasSubstr("record again with CUDA activity on (nsys profile"));
}

TEST_F(NoDeviceWork, BesideCallsIsNotAQuestionOfCudaActivity) {
    addCall();
    const std::string text = said("NVIDIA Nsight Systems");
    EXPECT_THAT(text, HasSubstr("CUDA calls were recorded, but nothing of the device"));
    EXPECT_THAT(text, Not(HasSubstr("CUDA activity on")));
}

TEST_F(NoDeviceWork, IsExplainedInTheRecordersWords) {
    addCall();
    m_builder.addDefect(DefectCode::RecorderLoss, 1, kDeviceClasses, "Not all CUDA events.");
    m_builder.addDefect(DefectCode::RecorderWarning, 1, 0, "Driver not supported.");
    EXPECT_THAT(
        said("NVIDIA Nsight Systems"),
        HasSubstr("nothing of the device: the recorder says \"Not all CUDA events. Driver not supported.\""));
}

TEST_F(NoDeviceWork, OfAToolThatIsNotReadIsNotDenied) {
    EXPECT_THAT(said("the Ascend profiler"),
                HasSubstr("written by the Ascend profiler, whose device work is not read here"));
}

TEST_F(NoDeviceWork, OfRocmIsToldInItsWords) {
    EXPECT_THAT(said("AMD rocprofv3"), HasSubstr("record again with HIP activity on (rocprofv3 --sys-trace"));
}

TEST_F(NoDeviceWork, OfAnUnknownToolIsNotDenied) {
    EXPECT_THAT(said("Chrome trace"), HasSubstr("by a tool that is not known here"));
}

} // namespace
} // namespace olab::test
