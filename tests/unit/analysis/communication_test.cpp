// Communication: what of it is hidden and exposed, by kind and device, and what a late rank did before it
// came.
#include "made_trace.h"

#include <olab/analysis/collectives.h>
#include <olab/analysis/communication.h>

#include <gtest/gtest.h>

namespace olab::test {
namespace {

using analysis::CommunicationKind;
using analysis::CommunicationTimes;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kAllReduce =
    "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
constexpr const char* kSendRecv = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)";

const CommunicationTimes& timesOf(const analysis::CommunicationTable& kinds, CommunicationKind kind) {
    return kinds[static_cast<std::size_t>(kind)];
}

TEST(Communication, KernelsAreToldByTheirNames) {
    const std::pair<const char*, CommunicationKind> names[] = {
        {kAllReduce, CommunicationKind::AllReduce},
        {"ncclKernel_AllGather_RING_LL_Sum_int8_t(ncclDevComm*)", CommunicationKind::AllGather},
        {"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL", CommunicationKind::ReduceScatter},
        {"ncclDevKernel_Reduce_Sum_f32_RING_LL", CommunicationKind::Reduce},
        {"ncclBroadcastRingLLKernel_copy_i8(ncclColl)", CommunicationKind::Broadcast},
        {"ncclSymkDevKernel_AllToAll", CommunicationKind::AllToAll},
        {kSendRecv, CommunicationKind::SendRecv},
        {"ncclDevKernel_Generic(ncclDevComm*, AllReduce)", CommunicationKind::Other},
        {"rcclGenericKernel", CommunicationKind::Other},
    };
    for (const auto& [name, kind] : names) {
        EXPECT_TRUE(analysis::isCommunicationKernel(name)) << name;
        EXPECT_EQ(analysis::communicationKindOf(name), kind) << name;
    }
    EXPECT_FALSE(analysis::isCommunicationKernel("reduce_kernel<float>"));
    EXPECT_TRUE(analysis::isCollective(kAllReduce));
    EXPECT_FALSE(analysis::isCollective(kSendRecv));
}

TEST(Communication, HiddenIsWhatAKernelOfTheSameDeviceRanBeside) {
    Made m;
    m.work(Kernel, 0, 100);
    m.work(Kernel, 30, 60, 15);                             // computation counts once
    m.work(Kernel, 50, 150, 14).name = m.text(kAllReduce);  // 50 hidden
    m.work(Kernel, 140, 170, 16).name = m.text(kAllReduce); // 20 more of all-reduces
    m.work(MemcpyP2P, 160, 205, 17);                        // 10 of it beside the all-reduce
    m.work(Memset, 160, 170, 18);                           // is no computation
    m.work(Kernel, 200, 210);                               // 5 hidden
    const analysis::Report report = m.report();
    ASSERT_NE(report.communication, nullptr);
    const analysis::Communication& found = *report.communication;
    EXPECT_EQ(timesOf(found.kinds, CommunicationKind::AllReduce), (CommunicationTimes{2, 120, 50}));
    EXPECT_EQ(timesOf(found.kinds, CommunicationKind::PeerCopy), (CommunicationTimes{1, 45, 5}));
    EXPECT_EQ(timesOf(found.kinds, CommunicationKind::Other), CommunicationTimes{});
    EXPECT_EQ(found.all, (CommunicationTimes{3, 155, 55})) << "what is at once counts once";
    EXPECT_EQ(found.all.exposed(), 100);
    ASSERT_EQ(found.devices.size(), 1u);
    EXPECT_EQ(found.devices[0].all, found.all);
    EXPECT_EQ(found.text, "Communication: 155 ns in 2 collectives and 1 peer copy, 35 % of it behind "
                          "computation; 100 ns exposed");
}

TEST(Communication, ThereIsNoneWithoutAKernelOrCopyOfIt) {
    Made m;
    m.work(Kernel, 0, 100);
    m.work(MemcpyD2D, 50, 150, 14);
    EXPECT_EQ(m.report().communication, nullptr);
}

/// Ten all-reduces of two devices; device 1 comes 200 us late to them, for a reason.
class LateDevice : public testing::Test {
protected:
    /// Of device 1 `gemm` takes as long as said and begins as late as said.
    Trace make(double gemm, double begin, const std::function<void(double)>& meanwhile = {}) {
        for (int step = 0; step < 10; ++step)
            for (std::uint32_t device = 0; device < 2; ++device) {
                const double at = 1000. * step, from = at + (device == 1 ? begin : 10);
                launch(device, "gemm", from, from + (device == 1 ? gemm : 200));
                launch(device, kAllReduce, from + (device == 1 ? gemm : 200) + 1, at + 900);
                if (device == 1 && meanwhile)
                    meanwhile(at);
            }
        return builder.finish();
    }
    void host(ActivityClass cls, const std::string& name, double from, double to) {
        ActivityRecord r;
        r.cls = cls, r.thread = 101, r.begin = us(from), r.end = us(to);
        r.name = builder.intern(name);
        builder.add(r);
    }
    static std::string findingIn(const Trace& trace) {
        const auto lanes = lanesOf(trace);
        const analysis::Report report = analysis::analyze({trace, *lanes});
        const analysis::Finding* finding = findingOf(report, "straggler");
        return finding ? finding->text : "no finding";
    }
    TraceBuilder builder;
    bool hasCalls = true;

private:
    void launch(std::uint32_t device, const char* name, double from, double to) {
        ActivityRecord r;
        r.cls = Kernel, r.device = device, r.context = device + 1, r.stream = 7;
        r.begin = us(from), r.end = us(to), r.name = builder.intern(name), r.correlation = ++correlation;
        builder.add(r);
        if (!hasCalls)
            return;
        ActivityRecord call;
        call.cls = Api, call.thread = 100 + device, call.correlation = correlation;
        call.begin = us(from - 5), call.end = us(from - 1), call.name = builder.intern("cudaLaunchKernel");
        builder.add(call);
    }
    std::uint32_t correlation = 0;
};

TEST_F(LateDevice, ThatComputesLongerIsToldWithTheKernel) {
    const std::string text = findingIn(make(400, 10));
    EXPECT_THAT(text, HasSubstr("GPU 1 arrives last at 100 % of 10 collectives"));
    EXPECT_THAT(text,
                HasSubstr("Before the 9 that cost most it computed longer: kernel gemm took it 3.60 ms, "
                          "the others 1.80 ms on average."));
}

TEST_F(LateDevice, WhoseHostIsInACallIsToldWithTheCall) {
    const std::string text =
        findingIn(make(200, 210, [&](double at) { host(Api, "cudaMalloc", at + 6, at + 200); }));
    EXPECT_THAT(text,
                HasSubstr("its GPU was idle for 2.80 ms, those of the others for 999 us; its thread was "
                          "longest in cudaMalloc: 1.75 ms of that."));
}

TEST_F(LateDevice, WhoseHostIsInANamedRangeIsToldWithTheInnermost) {
    const std::string text = findingIn(make(200, 210, [&](double at) {
        host(Nvtx, "step", at, at + 900);
        host(Nvtx, "read images", at + 10, at + 190);
    }));
    EXPECT_THAT(text, HasSubstr("its thread was longest in read images: 1.62 ms of that."));
}

TEST_F(LateDevice, WhoseHostIsNotRecordedIsIdle) {
    hasCalls = false;
    const std::string text = findingIn(make(200, 210));
    EXPECT_THAT(text, HasSubstr("its GPU was idle for"));
    EXPECT_THAT(text, HasSubstr("; what its host did then is not recorded."));
}

TEST_F(LateDevice, TimesAreByDevice) {
    const Trace trace = make(400, 10);
    const auto found = analysis::communicationOf(trace);
    ASSERT_NE(found, nullptr);
    ASSERT_EQ(found->devices.size(), 2u);
    EXPECT_EQ(found->devices[0].name, "GPU 0");
    EXPECT_EQ(found->devices[0].all, (CommunicationTimes{10, us(10 * 689), 0}));
    EXPECT_EQ(found->devices[1].all, (CommunicationTimes{10, us(10 * 489), 0}));
    EXPECT_EQ(found->all, (CommunicationTimes{20, us(10 * 1178), 0}));
    EXPECT_THAT(found->text, HasSubstr("11.8 ms on 2 devices in 20 collectives"));
}

} // namespace
} // namespace olab::test
