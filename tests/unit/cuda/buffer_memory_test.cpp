// Every buffer of a schedule is made, and given back, by the calls of its run: with api=driver those are the
// driver's. Calls that note what they are asked stand in for both.
#include "device_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace olab::cuda {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class NotedCalls final : public Calls {
public:
    std::vector<std::string> log;
    bool full = false;

    cudaError_t allocate(void** memory, std::size_t bytes, std::int32_t device) override {
        return give(memory, bytes, "device", 0, device);
    }
    cudaError_t allocateManaged(void** memory, std::size_t bytes, std::int32_t device) override {
        return give(memory, bytes, "managed", 0, device);
    }
    cudaError_t allocateHost(void** memory, std::size_t bytes, unsigned flags, std::int32_t device) override {
        return give(memory, bytes, "host", flags, device);
    }
    cudaError_t registerHost(void*, std::size_t bytes, unsigned flags, std::int32_t device) override {
        note("register", bytes, flags, device);
        return full ? cudaErrorMemoryAllocation : cudaSuccess;
    }
    cudaError_t deviceView(void** view, void* memory, std::int32_t) override {
        *view = memory;
        log.emplace_back("view");
        return cudaSuccess;
    }
    cudaError_t free(void* memory, std::int32_t) override { return take(memory, "free"); }
    cudaError_t freeHost(void* memory, std::int32_t) override { return take(memory, "free host"); }
    cudaError_t unregisterHost(void*, std::int32_t) override { return take(nullptr, "unregister"); }

    cudaError_t toDevice(void*, const void*, std::size_t, StreamAt) override { return none(); }
    cudaError_t toHost(void*, const void*, std::size_t, StreamAt) override { return none(); }
    cudaError_t onDevice(void*, const void*, std::size_t, StreamAt) override { return none(); }
    cudaError_t toPeer(void*, std::int32_t, const void*, std::size_t, StreamAt) override { return none(); }
    cudaError_t clear(void*, std::size_t, StreamAt) override { return none(); }
    cudaError_t launch(const kernels::Launch&, void**, StreamAt) override { return none(); }
    cudaError_t hostFunction(cudaHostFn_t, void*, StreamAt) override { return none(); }
    cudaError_t callback(cudaStreamCallback_t, void*, StreamAt) override { return none(); }
    cudaError_t record(cudaEvent_t, StreamAt) override { return none(); }
    cudaError_t wait(cudaEvent_t, StreamAt) override { return none(); }

private:
    static cudaError_t none() { return cudaErrorInvalidValue; }
    void note(const char* what, std::size_t bytes, unsigned flags, std::int32_t device) {
        log.push_back(std::string(what) + " " + std::to_string(bytes) + " flags " + std::to_string(flags) +
                      " on " + std::to_string(device));
    }
    cudaError_t give(void** memory, std::size_t bytes, const char* what, unsigned flags,
                     std::int32_t device) {
        note(what, bytes, flags, device);
        if (!full)
            *memory = std::malloc(bytes);
        return full ? cudaErrorMemoryAllocation : cudaSuccess;
    }
    cudaError_t take(void* memory, const char* what) {
        std::free(memory);
        log.emplace_back(what);
        return cudaSuccess;
    }
};

experiment::Buffer onHost(experiment::HostMemory memory, bool portable = false) {
    return {.bytes = 5000,
            .device = 2,
            .place = experiment::BufferPlace::Host,
            .memory = memory,
            .portable = portable};
}

/// What is called for a buffer that is made, looked at by a kernel where it can be, and given back.
std::vector<std::string> callsFor(const experiment::Buffer& buffer) {
    NotedCalls calls;
    {
        const Memory memory = memoryFor(buffer, calls);
        EXPECT_EQ(memory.bytes(), buffer.place == experiment::BufferPlace::Constant ? 0u : 5000u);
        const bool inPlace =
            buffer.place == experiment::BufferPlace::Host && experiment::usedInPlace(buffer.memory);
        EXPECT_EQ(deviceView(buffer, memory, calls) != nullptr, inPlace);
    }
    return calls.log;
}

TEST(BufferMemory, OfTheDeviceIsTheCallsOwn) {
    EXPECT_THAT(callsFor({.bytes = 5000, .device = 1}), ElementsAre("device 5000 flags 0 on 1", "free"));
    EXPECT_THAT(callsFor({.bytes = 5000, .place = experiment::BufferPlace::Constant}), IsEmpty());
}

TEST(BufferMemory, OfTheHostToo) {
    const std::string portable = std::to_string(cudaHostAllocPortable | cudaHostAllocWriteCombined);
    const std::string mapped = std::to_string(cudaHostAllocMapped);
    EXPECT_THAT(callsFor(onHost(experiment::HostMemory::Pinned)),
                ElementsAre("host 5000 flags 0 on 2", "free host"));
    EXPECT_THAT(callsFor(onHost(experiment::HostMemory::WriteCombined, true)),
                ElementsAre("host 5000 flags " + portable + " on 2", "free host"));
    EXPECT_THAT(callsFor(onHost(experiment::HostMemory::Mapped)),
                ElementsAre("host 5000 flags " + mapped + " on 2", "view", "free host"));
    EXPECT_THAT(callsFor(onHost(experiment::HostMemory::Managed)),
                ElementsAre("managed 5000 flags 0 on 2", "free"));
    EXPECT_THAT(callsFor(onHost(experiment::HostMemory::Registered)),
                ElementsAre("register 8192 flags 0 on 2", "unregister"))
        << "whole pages";
    EXPECT_THAT(callsFor(onHost(experiment::HostMemory::Pageable)), IsEmpty());
}

TEST(BufferMemory, ThatIsNotThereIsNotGivenBack) {
    const std::vector<experiment::Buffer> all{{.bytes = 5000},
                                              onHost(experiment::HostMemory::Pinned),
                                              onHost(experiment::HostMemory::Managed),
                                              onHost(experiment::HostMemory::Registered)};
    for (const experiment::Buffer& buffer : all) {
        NotedCalls calls;
        calls.full = true;
        EXPECT_THROW(memoryFor(buffer, calls), Error);
        EXPECT_EQ(calls.log.size(), 1u) << calls.log.back();
    }
}

} // namespace
} // namespace olab::cuda
