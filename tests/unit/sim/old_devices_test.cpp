// The presets of NVIDIA's article on the simulated old devices, against the nine times that it printed
// (resources/models/README.md).
#include "sim_test.h"

#include <olab/experiment/plan.h>
#include <olab/experiment/presets.h>
#include <olab/trace/trace_builder.h>

#include <array>

namespace olab::test {
namespace {

struct Printed {
    std::string device;
    std::array<double, 3> ms; ///< sequential, version 1, version 2
};

class OldDevices : public testing::TestWithParam<Printed> {
protected:
    static double milliseconds(const std::string& version) {
        const experiment::Preset* preset =
            experiment::findPreset("blog-" + GetParam().device + "-" + version);
        if (!preset)
            return 0;
        TraceBuilder builder;
        sim::SimBackend().run(experiment::plan(preset->experiment), {}, builder, {});
        return static_cast<double>(builder.finish().deviceSpan().length()) / 1e6;
    }
};

TEST_P(OldDevices, TakeTheTimesThatNvidiaPrinted) {
    const auto [sequential, first, second] = GetParam().ms;
    EXPECT_NEAR(milliseconds("sequential"), sequential, 0.05 * sequential);
    EXPECT_NEAR(milliseconds("v1"), first, 0.05 * first);
    EXPECT_NEAR(milliseconds("v2"), second, 0.05 * second);
}

INSTANTIATE_TEST_SUITE_P(Blog, OldDevices,
                         testing::Values(Printed{"c1060", {12.92381, 13.63690, 8.84588}},
                                         Printed{"c2050", {9.984512, 5.735584, 7.597984}},
                                         Printed{"k20c", {7.101760, 3.974144, 3.967616}}),
                         [](const auto& instance) { return instance.param.device; });

} // namespace
} // namespace olab::test
