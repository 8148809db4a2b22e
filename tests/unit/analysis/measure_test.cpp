// What the contract does not cover: engines, host numbers, devices without work.
#include "made_trace.h"

#include <olab/analysis/rules.h>
#include <olab/trace/lanes_of.h>

namespace olab::test {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(Measure, EnginesListTheirClassesAndChannels) {
    Made m;
    m.work(Kernel, us(0.5), us(10)).channel = 4;
    m.work(Kernel, us(5), us(20), 14).channel = 3;
    m.work(Memset, us(18), us(22), 15);
    ActivityRecord& onSms = m.work(MemcpyD2D, us(30), us(32), 15);
    onSms.channelType = ChannelType::Compute;
    m.work(MemcpyH2D, us(4), us(6), 16);
    const analysis::Report report = m.report();
    const analysis::DeviceReport& d = report.devices.at(0);
    const analysis::EngineNumbers& compute = d.engines.at(EngineKind::Compute);
    EXPECT_EQ(compute.count, 4u);
    EXPECT_EQ(compute.busy, us(21.5) + us(2));
    EXPECT_EQ(compute.concurrent, us(5) + us(2));
    EXPECT_THAT(compute.channels, ElementsAre(3, 4));
    EXPECT_THAT(compute.byClass,
                UnorderedElementsAre(Pair(Kernel, us(19.5)), Pair(Memset, us(4)), Pair(MemcpyD2D, us(2))));
    EXPECT_EQ(d.engines.size(), 2u);
    EXPECT_EQ(d.enginePairs.at({EngineKind::Compute, EngineKind::CopyH2D}), us(2));
}

TEST(Measure, CopiesOfUnknownKindAreCountedThoughNoEngineRanThem) {
    Made m;
    m.work(MemcpyOther, us(1), us(5), 13);
    m.work(MemcpyOther, us(3), us(8), 14);
    m.work(Kernel, us(2), us(4), 15);
    const analysis::Report report = m.report();
    const analysis::DeviceReport& d = report.devices.at(0);
    EXPECT_EQ(d.classes.at(MemcpyOther).busy, us(7));
    EXPECT_EQ(d.classes.at(MemcpyOther).concurrent, us(2));
    EXPECT_EQ(d.pairs.at({Kernel, MemcpyOther}), us(2));
    EXPECT_EQ(d.derived.copyBusy, us(7));
    EXPECT_EQ(d.busyAny, us(7));
}

TEST(Measure, HostNumbersAreApart) {
    Made m;
    for (const auto& [begin, length] : {std::pair{1., 2.}, {10., 4.}, {20., 9.}, {30., 30.}}) {
        m.work(Kernel, us(begin) + us(100), us(begin) + us(101));
        m.issued(us(begin), us(begin + length), "cudaLaunchKernel");
    }
    m.hostFn(0, us(200), us(210));
    m.hostFn(1, us(205), us(220));
    const analysis::HostNumbers host = m.report().host;
    EXPECT_EQ(host.hostFnCount, 2u);
    EXPECT_EQ(host.hostFnBusy, us(20));
    EXPECT_EQ(host.api.at("cudaLaunchKernel").count, 4u);
    EXPECT_EQ(host.api.at("cudaLaunchKernel").median, us(4));
    EXPECT_EQ(host.api.at("cudaLaunchKernel").max, us(30));
}

TEST(Measure, ATraceWithoutDeviceWorkHasNoDevices) {
    Made m;
    m.hostFn(0, us(1), us(2));
    const analysis::Report report = m.report();
    EXPECT_TRUE(report.devices.empty());
    EXPECT_TRUE(report.verdicts.empty());
    EXPECT_FALSE(report.bounds.serial) << "nothing was added up";
    EXPECT_FALSE(report.bounds.measured);
    EXPECT_FALSE(report.bounds.efficiency);
}

TEST(Measure, AnEmptyTraceIsAnalyzedToo) {
    const Trace trace = TraceBuilder().finish();
    const auto lanes = lanesOf(trace);
    const analysis::Report report = analysis::analyze({trace, *lanes});
    EXPECT_TRUE(report.devices.empty());
    EXPECT_TRUE(report.findings.empty());
    EXPECT_EQ(report.bounds.limiting, "no device work was recorded");
    for (const std::optional<Ns>& bound :
         {report.bounds.serial, report.bounds.oneCopyEngine, report.bounds.twoCopyEngines,
          report.bounds.criticalPath, report.bounds.ideal, report.bounds.measured})
        EXPECT_FALSE(bound);
    ASSERT_EQ(report.abstained.size(), analysis::ruleTable().size())
        << "none found a cause, and none could have";
    for (std::size_t i = 0; i < report.abstained.size(); ++i) {
        EXPECT_EQ(report.abstained[i].rule, analysis::ruleTable()[i].id);
        EXPECT_EQ(report.abstained[i].lacks, "records of device work");
    }
}

TEST(Measure, ACancelledAnalysisSaysSo) {
    Made m;
    m.work(Kernel, us(1), us(2));
    m.finish();
    std::stop_source stop;
    stop.request_stop();
    RunControl control;
    control.stop = stop.get_token();
    try {
        analysis::analyze(m.input(), control);
        FAIL() << "not cancelled";
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::Cancelled);
    }
}

} // namespace
} // namespace olab::test
