// A recording that somebody still writes is opened as far as it is there, and said to be open, not damaged.
#include <olab/experiment/plan.h>
#include <olab/recording/recording.h>
#include <olab/sim/sim_backend.h>
#include <olab/trace/container.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <unistd.h>

namespace olab::recording {
namespace {

TEST(GrowingFile, IsOpenedAsFarAsItIsThereAndLosesNoVerdict) {
    const auto path =
        std::filesystem::temp_directory_path() / ("olab_growing_" + std::to_string(::getpid()) + ".olab");
    RecordingPtr growing, whole;
    {
        ContainerWriter file(path);
        RecordWriter records(file);
        sim::SimBackend().run(experiment::plan(experiment::HeldExperiment{}), {}, records, {});
        records.flush();
        growing = openRecording(path);
        file.finish();
        whole = openRecording(path);
    }
    std::filesystem::remove(path);
    ASSERT_EQ(growing->trace.size(), whole->trace.size());
    const auto isOpen = [](const Defect& d) { return d.code == DefectCode::OpenEnd; };
    EXPECT_TRUE(std::ranges::any_of(damageOf(growing->report), isOpen)) << "it is said where it is opened";
    EXPECT_TRUE(growing->heldMore()) << "saving over it would take the rest away";
    EXPECT_TRUE(damageOf(whole->report).empty());
    EXPECT_FALSE(whole->heldMore());
    ASSERT_FALSE(whole->report.verdicts.empty());
    ASSERT_EQ(growing->report.verdicts.size(), whole->report.verdicts.size());
    for (std::size_t i = 0; i < whole->report.verdicts.size(); ++i)
        EXPECT_EQ(growing->report.verdicts[i].text, whole->report.verdicts[i].text);
}

} // namespace
} // namespace olab::recording
