// Two runs held against each other.
#include "made_trace.h"

#include <olab/comparison/comparison.h>
#include <olab/experiment/held_experiment.h>

namespace olab::test {
namespace {

using testing::HasSubstr;

/// A trace of a source on a device, and a report that took so long.
struct Side {
    Trace trace;
    analysis::Report report;
    experiment::HeldExperiment experiment;
    Side(Ns took, SourceKind source = SourceKind::Cuda, const char* device = "H200")
        : trace(traceOf(source, device)) {
        report.bounds.measured = took;
    }
    comparison::ComparedRun as(std::string name) const {
        return {std::move(name), trace, report, &*experiment};
    }

private:
    static Trace traceOf(SourceKind source, const char* device) {
        TraceBuilder builder;
        ProvenanceRecord provenance;
        provenance.source = source;
        builder.add(provenance);
        DeviceRecord record;
        record.name = device;
        builder.add(record);
        return builder.finish();
    }
};

analysis::Verdict verdict(ActivityClass a, analysis::VerdictKind kind, std::string device = "0") {
    analysis::Verdict v;
    v.device = std::move(device);
    v.a = a;
    v.b = ActivityClass::Kernel;
    v.kind = kind;
    return v;
}

TEST(Comparison, SaysHowMuchFasterAndWhatWasChanged) {
    const Side before(us(344'000));
    Side after(us(120'000));
    experiment::setOption(after.experiment, "streams=8");
    const comparison::Comparison c = comparison::compare(before.as("Run 1"), after.as("Run 2"));
    EXPECT_EQ(c.headline, "Run 1 took 344 ms, Run 2 took 120 ms: 2.87x faster.");
    EXPECT_NEAR(c.speedup.value(), 344.0 / 120, 1e-9);
    EXPECT_THAT(c.options, testing::ElementsAre(comparison::OptionDifference{"streams", "4", "8"}));
    EXPECT_EQ(comparison::compare(after.as("Run 2"), before.as("Run 1")).headline,
              "Run 2 took 120 ms, Run 1 took 344 ms: 2.87x slower.");
}

TEST(Comparison, AFewPercentAreNoDifference) {
    const Side before(us(1000)), after(us(1019));
    EXPECT_EQ(comparison::compare(before.as("A"), after.as("B")).headline,
              "A took 1.00 ms, B took 1.02 ms: no significant difference.");
}

TEST(Comparison, AnUnknownTimeIsNoSpeed) {
    Side before(us(1000));
    const Side after(us(500));
    before.report.bounds.measured.reset();
    const comparison::Comparison c = comparison::compare(before.as("A"), after.as("B"));
    EXPECT_FALSE(c.speedup);
    EXPECT_EQ(c.headline, "A took an unknown time, B took 500 us.");
}

TEST(Comparison, NothingIsFasterThanWhatCannotBeComparedWith) {
    const Side measured(us(1000)), simulated(us(500), SourceKind::Simulated),
        elsewhere(us(500), SourceKind::Cuda, "H100");
    Side raced(us(500));
    raced.report.defects.push_back({DefectCode::DataMismatch, 8, kAllClasses, {}});
    for (const auto& [other, why] : {std::pair{&simulated, "B is simulated, the other was measured"},
                                     {&elsewhere, "different devices: H200 and H100"},
                                     {static_cast<const Side*>(&raced), "B raced"}}) {
        const comparison::Comparison c = comparison::compare(measured.as("A"), other->as("B"));
        EXPECT_THAT(c.obstacle, HasSubstr(why));
        EXPECT_FALSE(c.speedup) << why;
        EXPECT_EQ(c.headline, "A took 1.00 ms, B took 500 us.");
    }
}

TEST(Comparison, EachPairOfTheFirstDeviceOnce) {
    using enum analysis::VerdictKind;
    Side before(us(1000)), after(us(1000));
    before.report.verdicts = {verdict(ActivityClass::MemcpyH2D, Serialized),
                              verdict(ActivityClass::MemcpyD2H, NotApplicable),
                              verdict(ActivityClass::MemcpyH2D, Partial, "1")};
    after.report.verdicts = {verdict(ActivityClass::Memset, Partial),
                             verdict(ActivityClass::MemcpyH2D, Overlapped)};
    const comparison::Comparison c = comparison::compare(before.as("A"), after.as("B"));
    ASSERT_EQ(c.verdicts.size(), 2u);
    EXPECT_EQ(c.verdicts[0].before, &before.report.verdicts[0]);
    EXPECT_EQ(c.verdicts[0].after, &after.report.verdicts[1]);
    EXPECT_EQ(c.verdicts[1].before, nullptr);
    EXPECT_EQ(c.verdicts[1].after, &after.report.verdicts[0]);
}

TEST(Comparison, WithoutOptionsNothingWasChanged) {
    const Side before(us(1000)), after(us(1000));
    comparison::ComparedRun foreign = after.as("B");
    foreign.experiment = nullptr;
    EXPECT_TRUE(comparison::compare(before.as("A"), foreign).options.empty());
}

} // namespace
} // namespace olab::test
