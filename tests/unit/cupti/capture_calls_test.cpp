// Which calls a capture records: all of the runtime's in our own programs; in others none that only asks, and
// the driver's once the program is seen to work by them.
#include "streamed.h"

#include <olab/trace/trace_builder.h>

#include <cupti.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace olab::cupti {
namespace {

using namespace std::chrono_literals;
using test::inOwnProcess;
using test::StreamedCupti;

constexpr std::uint32_t kGetDevice = CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020,
                        kIsCapturing = CUPTI_RUNTIME_TRACE_CBID_cudaStreamIsCapturing_ptsz_v10000,
                        kEventQuery = CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020,
                        kLaunch = CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                        kSynchronize = CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize_ptsz,
                        kDeviceGet = CUPTI_DRIVER_TRACE_CBID_cuDeviceGet;

CollectorConfig foreign(std::atomic<int>* turns = nullptr) {
    CollectorConfig config;
    config.memoryCap = 64u << 20;
    config.host = HostProgram::Foreign;
    config.takeInEvery = 1ms;
    if (turns)
        config.takenIn = [turns] { ++*turns; };
    return config;
}

/// An empty library of this name that the process has mapped.
class MappedFile {
public:
    explicit MappedFile(const std::string& name)
        : m_folder(std::filesystem::temp_directory_path() / ("olab-mapped-" + std::to_string(::getpid()))) {
        std::filesystem::create_directory(m_folder);
        std::ofstream(m_folder / name) << std::string(kBytes, ' ');
        const int file = ::open((m_folder / name).c_str(), O_RDONLY);
        m_at = ::mmap(nullptr, kBytes, PROT_READ, MAP_PRIVATE, file, 0);
        ::close(file);
        EXPECT_NE(m_at, MAP_FAILED);
    }
    ~MappedFile() {
        ::munmap(m_at, kBytes);
        std::filesystem::remove_all(m_folder);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

private:
    static constexpr std::size_t kBytes = 4096;
    std::filesystem::path m_folder;
    void* m_at = nullptr;
};

/// So many take-ins end.
void pass(const std::atomic<int>& turns, int count) {
    const auto until = std::chrono::steady_clock::now() + 300s;
    for (const int from = turns; turns < from + count && std::chrono::steady_clock::now() < until;)
        std::this_thread::sleep_for(100us);
}

std::size_t callsNamed(const Trace& trace, std::string_view name) {
    std::size_t count = 0;
    for (ActivityIndex i = 0; i < trace.size(); ++i)
        count += trace[i].cls == ActivityClass::Api && trace.text(trace[i].name) == name ? 1 : 0;
    return count;
}

/// What a foreign program does while it is recorded; `turn` lets a few take-ins pass.
Trace recorded(const std::function<void(const StreamedCupti&, const std::function<void()>& turn)>& program) {
    const StreamedCupti cupti;
    std::atomic<int> turns{0};
    Collector collector(foreign(&turns));
    TraceBuilder builder;
    const Collector::Following following(collector, builder);
    program(cupti, [&turns] { pass(turns, 4); });
    collector.drain(builder);
    return builder.finish();
}

TEST(CaptureCalls, QuestionsOfOtherProgramsAreNotRecordedAndItIsSaid) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        Collector collector(foreign());
        EXPECT_EQ(collector.notRecorded(), "cudaGetDevice, cudaStreamIsCapturing");
        EXPECT_FALSE(cupti.records(false, kGetDevice));
        EXPECT_FALSE(cupti.records(false, kIsCapturing));
        EXPECT_TRUE(cupti.records(false, kEventQuery)) << "polling is no question";
        EXPECT_TRUE(cupti.records(true, kLaunch)) << "as long as nobody knows what the program uses";
        TraceBuilder builder;
        const Collector::Following following(collector, builder);
        cupti.produce({.calls = 10, .asQuestion = true});
        collector.drain(builder);
        const Trace trace = builder.finish();
        EXPECT_EQ(callsNamed(trace, "cudaLaunchKernel"), 10u);
        EXPECT_EQ(trace.size(), 20u);
        EXPECT_EQ(trace.counts().read, cupti.produced());
    });
}

TEST(CaptureCalls, OurOwnProgramsAreRecordedAsTheyAre) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        Collector collector;
        EXPECT_EQ(collector.notRecorded(), "");
        TraceBuilder builder;
        const Collector::Following following(collector, builder);
        cupti.produce({.calls = 100, .byDriver = true, .asQuestion = true});
        EXPECT_FALSE(cupti.records(true, kLaunch));
        collector.recordDriverCalls(true);
        cupti.produce({.calls = 100, .withinRuntime = true});
        collector.drain(builder);
        const Trace trace = builder.finish();
        EXPECT_EQ(callsNamed(trace, "cudaGetDevice"), 100u);
        EXPECT_EQ(callsNamed(trace, "cudaLaunchKernel"), 100u);
        EXPECT_EQ(callsNamed(trace, "cuLaunchKernel"), 100u) << "both";
        EXPECT_EQ(trace.counts().read, cupti.produced());
        EXPECT_FALSE(trace.environment().contains(std::string(kDriverCallsFromKey)));
        EXPECT_FALSE(trace.environment().contains(std::string(kDriverCallsWithinKey)));
    });
}

TEST(CaptureCalls, AProgramThatWorksByTheDriverHasItsCallsRecorded) {
    inOwnProcess([] {
        const Trace trace = recorded([](const StreamedCupti& cupti, const std::function<void()>& turn) {
            EXPECT_TRUE(cupti.records(true, kLaunch)) << "from the first on";
            EXPECT_TRUE(cupti.records(true, kSynchronize));
            EXPECT_FALSE(cupti.records(true, kDeviceGet)) << "those that matter";
            cupti.produce({.calls = 100, .byDriver = true});
            turn();
            EXPECT_TRUE(cupti.records(true, kLaunch));
            cupti.produce({.calls = 50, .byDriver = true});
        });
        EXPECT_EQ(callsNamed(trace, "cuLaunchKernel"), 150u);
        EXPECT_FALSE(trace.environment().contains(std::string(kDriverCallsUntilKey)));
        EXPECT_TRUE(trace.environment().contains(std::string(kDriverCallsFromKey)));
        EXPECT_FALSE(trace.environment().contains(std::string(kDriverCallsWithinKey)));
    });
}

/// cuBLAS, which comes with PyTorch, launches by the driver once products are large: later than what a
/// program begins with.
TEST(CaptureCalls, NorDoesAProgramWithALibraryThatWillUseTheDriverLoseThem) {
    inOwnProcess([] {
        const MappedFile library("libcublasLt.so.13");
        const Trace trace = recorded([](const StreamedCupti& cupti, const std::function<void()>& turn) {
            for (int i = 0; i < 10; ++i) {
                cupti.produce({.calls = 10'000, .withinRuntime = true});
                turn();
            }
            EXPECT_TRUE(cupti.records(true, kLaunch));
        });
        EXPECT_FALSE(trace.environment().contains(std::string(kDriverCallsUntilKey)));
    });
}

TEST(CaptureCalls, AProgramThatWorksByTheRuntimeDoesNot) {
    inOwnProcess([] {
        const Trace trace = recorded([](const StreamedCupti& cupti, const std::function<void()>& turn) {
            for (int i = 0; i < 10; ++i) {
                cupti.produce({.calls = 10'000, .asQuestion = true, .withinRuntime = true});
                turn();
            }
            EXPECT_FALSE(cupti.records(true, kLaunch));
        });
        EXPECT_EQ(callsNamed(trace, "cudaLaunchKernel"), 100'000u);
        EXPECT_TRUE(trace.environment().contains(std::string(kDriverCallsUntilKey)));
    });
}

/// Each call costs a record more until then: a full buffer says enough, whenever the next turn would be.
TEST(CaptureCalls, TheFirstFullBuffersTellWhetherDriverCallsAreNeeded) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        CollectorConfig config = foreign();
        config.takeInEvery = 24h;
        Collector collector(config);
        TraceBuilder builder;
        const Collector::Following following(collector, builder);
        std::uint64_t calls = 0;
        const auto until = std::chrono::steady_clock::now() + 300s;
        while (cupti.records(true, kLaunch) && std::chrono::steady_clock::now() < until) {
            cupti.produce({.calls = 1'000, .withinRuntime = true});
            calls += 1'000;
            std::this_thread::sleep_for(1ms);
        }
        EXPECT_FALSE(cupti.records(true, kLaunch));
        EXPECT_LT(calls, 1'000'000u) << "a buffer holds 12 000";
        collector.drain(builder);
        EXPECT_EQ(callsNamed(builder.finish(), "cudaLaunchKernel"), calls);
    });
}

TEST(CaptureCalls, TheFirstFullBuffersDoNotTakeDriverCallsFromWhoeverNeedsThem) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        CollectorConfig config = foreign();
        config.takeInEvery = 24h;
        Collector collector(config);
        TraceBuilder builder;
        const Collector::Following following(collector, builder);
        for (int i = 0; i < 100; ++i) {
            cupti.produce({.calls = 100, .byDriver = true});
            cupti.produce({.calls = 1'000, .withinRuntime = true});
        }
        collector.drain(builder);
        EXPECT_TRUE(cupti.records(true, kLaunch));
        EXPECT_GE(callsNamed(builder.finish(), "cuLaunchKernel"), 10'000u);
    });
}

// CUPTI would look for one at each call.
TEST(CaptureCalls, OnlyOurOwnProgramsTagTheirCalls) {
    for (const HostProgram host : {HostProgram::Ours, HostProgram::Foreign})
        inOwnProcess([host] {
            const StreamedCupti cupti;
            CollectorConfig config;
            config.host = host;
            Collector collector(config);
            EXPECT_EQ(cupti.recordsKind(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION), host == HostProgram::Ours);
            EXPECT_TRUE(cupti.recordsKind(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
        });
}

// Of a call of the runtime and the driver's within it the outer one is kept; the other is counted.
TEST(CaptureCalls, DriverCallsWithinTheRuntimesAreLeftOutAndCounted) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        CollectorConfig config = foreign();
        config.takeInEvery = 24h; // one between the records of both would keep both
        Collector collector(config);
        TraceBuilder builder;
        const Collector::Following following(collector, builder);
        cupti.produce({.calls = 100, .byDriver = true});
        cupti.produce({.calls = 50, .withinRuntime = true});
        cupti.produce({.calls = 30, .byDriver = true});
        collector.drain(builder);
        const Trace trace = builder.finish();
        EXPECT_EQ(callsNamed(trace, "cudaLaunchKernel"), 50u);
        EXPECT_EQ(callsNamed(trace, "cuLaunchKernel"), 130u);
        EXPECT_EQ(trace.environment().at(std::string(kDriverCallsWithinKey)), "50");
        EXPECT_EQ(trace.environment().at("cupti.records"),
                  "memcpy 90, driver API 180, runtime API 50, kernel 90");
        EXPECT_EQ(trace.counts().read, trace.counts().kept + trace.counts().refused);
    });
}

TEST(CaptureCalls, MigrationsAreRecordedOnceManagedMemoryIsAllocated) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        Collector collector(foreign());
        EXPECT_EQ(cupti.migrations(), 0u) << "a program without such memory pays nothing";
        cupti.managedMemory();
        cupti.managedMemory();
        EXPECT_EQ(cupti.migrations(), 1u);
    });
}

TEST(CaptureCalls, MigrationsAreOffAndOnWithTheRest) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        Collector collector(foreign());
        ASSERT_TRUE(collector.record(false));
        cupti.managedMemory();
        EXPECT_EQ(cupti.migrations(), 0u) << "nothing is recorded now";
        ASSERT_TRUE(collector.record(true));
        EXPECT_EQ(cupti.migrations(), 1u);
        ASSERT_TRUE(collector.record(false) && collector.record(true));
        EXPECT_EQ(cupti.migrations(), 2u) << "the pause turned them off too";
    });
}

TEST(CaptureCalls, OurOwnProgramsKnowTheirMemory) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        Collector collector;
        cupti.managedMemory();
        EXPECT_EQ(cupti.migrations(), 0u);
    });
}

} // namespace
} // namespace olab::cupti
