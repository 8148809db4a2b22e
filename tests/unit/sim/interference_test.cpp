// Calls between iterations, in a simulated run: what they do, and that it is the model that says which of
// them wait for the device.
#include "sim_test.h"

namespace olab::test {
namespace {

using enum ActivityClass;

double overlapWith(const char* interfere, const sim::DeviceModel& model = {},
                   const char* other = "stream.kind=nonblocking") {
    return Played({interfere, other, "iterations=12", "gate=off", "callback=off"}, model)
        .share(MemcpyH2D, Kernel);
}

TEST(SimInterference, HarmlessCallsLeaveTheOverlap) {
    for (const char* call : {"interfere=getlasterror", "interfere=streamquery", "interfere=mallocasync",
                             "interfere=malloc", "interfere=memset-sync", "interfere=d2d"})
        EXPECT_GT(overlapWith(call), 0.9) << call;
}

TEST(SimInterference, CallsThatWaitForTheDeviceEndIt) {
    for (const char* call : {"interfere=free", "interfere=freehost", "interfere=first-launch"})
        EXPECT_LT(overlapWith(call), 0.05) << call;
}

TEST(SimInterference, TheModelSaysWhichWait) {
    struct Case {
        const char* call;
        std::uint32_t sim::DeviceModel::*waits;
    };
    for (const Case& c : {Case{"interfere=malloc", &sim::DeviceModel::mallocWaits},
                          Case{"interfere=free", &sim::DeviceModel::freeWaits},
                          Case{"interfere=mallochost", &sim::DeviceModel::mallocHostWaits},
                          Case{"interfere=freehost", &sim::DeviceModel::freeHostWaits},
                          Case{"interfere=hostregister", &sim::DeviceModel::hostRegisterWaits}}) {
        sim::DeviceModel model;
        model.*c.waits = 0;
        EXPECT_GT(overlapWith(c.call, model), 0.8) << c.call;
        model.*c.waits = 1;
        EXPECT_LT(overlapWith(c.call, model), 0.05) << c.call;
    }
}

TEST(SimInterference, WorkOnTheNullStreamStopsBlockingStreams) {
    for (const char* call : {"interfere=memset-sync", "interfere=d2d"})
        EXPECT_LT(overlapWith(call, {}, "stream.kind=blocking"), 0.05) << call;
    EXPECT_GT(overlapWith("interfere=malloc", {}, "stream.kind=blocking"), 0.9);
}

TEST(SimInterference, EagerLoadingTakesTheSurpriseFromAFirstLaunch) {
    EXPECT_GT(overlapWith("interfere=first-launch", {}, "env.module_loading=eager"), 0.9);
    EXPECT_LT(overlapWith("interfere=first-launch", {}, "env.module_loading=lazy"), 0.05);
}

TEST(SimInterference, EachCallIsShownWithItsTime) {
    struct Case {
        const char *call, *name;
        Ns cost;
    };
    const sim::DeviceModel m;
    for (const Case& c : {Case{"interfere=getlasterror", "cudaGetLastError", m.callGetLastError},
                          Case{"interfere=streamquery", "cudaStreamQuery", m.callQuery},
                          Case{"interfere=malloc", "cudaMalloc", m.callMalloc},
                          Case{"interfere=mallochost", "cudaMallocHost", m.callMallocHost},
                          Case{"interfere=hostregister", "cudaHostRegister", m.callHostRegister},
                          Case{"interfere=mallocasync", "cudaMallocAsync", m.callMallocAsync}}) {
        const Played run({c.call});
        const experiment::Op call = run.all(experiment::OpKind::InterfereCall)[0];
        EXPECT_EQ(run.trace.text(run.trace[run.calls[call.id.value]].name), c.name);
        EXPECT_NEAR(static_cast<double>(median(run.callDurations(experiment::OpKind::InterfereCall))),
                    static_cast<double>(c.cost), 0.1 * static_cast<double>(c.cost));
    }
}

TEST(SimInterference, SynchronousCallsAreNoAsynchronousOnes) {
    const Played run({"interfere=memset-sync"});
    EXPECT_EQ(run.of(run.all(experiment::OpKind::InterfereMemset)[0]).flags & kFlagAsync, 0);
    EXPECT_EQ(run.of(run.all(experiment::OpKind::Memset)[0]).flags & kFlagAsync, kFlagAsync);
}

} // namespace
} // namespace olab::test
