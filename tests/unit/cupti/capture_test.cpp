// The capture against a CUPTI that streams: nothing is lost within the cap, and what is lost beyond is
// counted.
#include "streamed.h"

#include <olab/cupti/buffer_pool.h>
#include <olab/trace/error.h>
#include <olab/trace/trace_builder.h>

#include <cupti.h>

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <malloc.h>
#include <map>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace olab::cupti {
namespace {

using namespace std::chrono_literals;
using test::inOwnProcess;
using test::StreamedCupti;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kVolume = 192u << 20; // the same many times slower
constexpr bool kMemoryIsGivenBack = false;    // it is kept, to see who uses it afterwards
#else
constexpr std::uint64_t kVolume = std::uint64_t{2} << 30;
constexpr bool kMemoryIsGivenBack = true;
#endif
constexpr std::size_t kCap = 64u << 20;
constexpr std::uint64_t kBytesOfCall = // and of its work, on the average
    sizeof(CUpti_ActivityAPI) + (sizeof(CUpti_ActivityKernel10) + sizeof(CUpti_ActivityMemcpy6)) / 2;
constexpr auto kPatience = 300s;

CollectorConfig capped(std::size_t cap = kCap) {
    CollectorConfig config;
    config.memoryCap = cap;
    return config;
}

/// Counts what comes, and may be told to hold it up or to fail.
class Counting : public RecordSink {
public:
    TextId intern(std::string_view) override { return {1}; }
    void add(const ProcessRecord&) override {}
    void add(const StreamCallRecord&) override {}
    void add(const ClockRecord&) override {}
    void add(const RankRecord&) override {}
    void add(const DeviceRecord&) override {}
    void add(const ContextRecord&) override {}
    void add(const StreamRecord&) override {}
    void add(const ActivityRecord& r) override {
        sum += r.correlation;
        (r.cls == ActivityClass::Api ? calls : work).fetch_add(1, std::memory_order_relaxed);
    }
    void add(const CorrelationRecord&) override {}
    void add(const SoloRecord&) override {}
    void add(const WindowRecord&) override {}
    void add(const EnvironmentRecord&) override {}
    void add(const ProvenanceRecord&) override {}
    void add(const RefusedRecord& r) override { refused[r.code] += r.count; }

    std::atomic<std::uint64_t> calls{0}, work{0};
    std::uint64_t sum = 0; ///< of the correlations: each call and its work once
    std::map<DefectCode, std::uint64_t> refused;
};

/// Waits on another thread's progress; false when that never comes.
template <typename Condition>
bool comes(Condition condition) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > until)
            return false;
        std::this_thread::sleep_for(100us);
    }
    return true;
}

std::uint64_t sumTo(std::uint64_t n) {
    return n * (n + 1) / 2;
}

// As a program that waits for its work now and then: never more than half of the cap is under way.
TEST(Capture, StreamsFarMoreThanItsCapWithoutLoss) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        Collector collector(capped());
        Counting sink;
        constexpr unsigned kThreads = 2;
        constexpr std::uint64_t kBurst = 2'000, kUnderWay = kCap / 2 / kBytesOfCall;
        const std::uint64_t calls = kVolume / kBytesOfCall / kThreads / kBurst * kBurst;
        std::atomic<std::uint64_t> made{0};
        std::atomic<bool> stuck{false};
        {
            const Collector::Following following(collector, sink);
            {
                std::vector<std::jthread> threads;
                for (unsigned t = 0; t < kThreads; ++t)
                    threads.emplace_back([&] {
                        for (std::uint64_t i = 0; i < calls && !stuck; i += kBurst) {
                            // What is in CUPTI's own buffers cannot come yet.
                            if (!comes([&] {
                                    return made - std::min(made.load(), sink.work.load()) < kUnderWay;
                                }))
                                stuck = true;
                            made += kBurst;
                            cupti.produce(kBurst);
                        }
                    });
            }
            EXPECT_FALSE(stuck) << "nothing is taken in while work goes on";
            EXPECT_GT(sink.work, kThreads * calls / 2);
            collector.drain(sink);
        }
        EXPECT_EQ(cupti.produced(), 2 * kThreads * calls);
        EXPECT_EQ(sink.calls, kThreads * calls);
        EXPECT_EQ(sink.work, kThreads * calls);
        EXPECT_EQ(sink.sum, 2 * sumTo(kThreads * calls)) << "each of them once";
        EXPECT_TRUE(sink.refused.empty());
        EXPECT_LE(cupti.buffers() * BufferPool::kBufferBytes, kCap + 2 * kThreads * BufferPool::kBufferBytes);
    });
}

class Stalled final : public Counting {
public:
    using Counting::add;
    void add(const ActivityRecord& r) override {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_goesOn; });
        builder.add(r);
    }
    void add(const RefusedRecord& r) override {
        Counting::add(r);
        builder.add(r);
    }
    void goOn() {
        const std::lock_guard lock(m_mutex);
        m_goesOn = true;
        m_changed.notify_all();
    }
    TraceBuilder builder;

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_goesOn = false;
};

// The disk stands still while four times the cap is recorded.
TEST(Capture, WhatCannotBeTakenInIsCountedToTheRecord) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        Collector collector(capped());
        Stalled sink;
        const Collector::Following following(collector, sink);
        {
            std::vector<std::jthread> threads;
            for (int t = 0; t < 2; ++t)
                threads.emplace_back([&] { cupti.produce(2 * kCap / kBytesOfCall); });
        }
        cupti.produce({1'000, false, true}); // these are refused
        for (int i = 0; i < 7; ++i)
            cupti.unknown();
        cupti.drop(4711);
        sink.goOn();
        collector.drain(sink);
        const std::uint64_t discarded = sink.refused[DefectCode::BufferCap];
        EXPECT_GT(discarded, kCap / 2 / kBytesOfCall) << "it was really too much";
        EXPECT_EQ(sink.refused[DefectCode::DroppedRecords], 4711u);
        const Trace trace = sink.builder.finish();
        EXPECT_GT(trace.size(), kCap / 2 / kBytesOfCall) << "what fits is kept";
        EXPECT_EQ(trace.counts().read, trace.counts().kept + trace.counts().refused);
        EXPECT_EQ(cupti.produced(), trace.counts().read + discarded + 4711);
        for (const Defect& defect : trace.defects())
            if (defect.code == DefectCode::BufferCap) {
                EXPECT_EQ(defect.severity(), Severity::DataLoss);
            }
        EXPECT_LE(cupti.buffers() * BufferPool::kBufferBytes, kCap + 6 * BufferPool::kBufferBytes);

        cupti.produce(100); // what was lost is told once
        Counting later;
        collector.drain(later);
        EXPECT_EQ(later.work, 100u);
        EXPECT_TRUE(later.refused.empty());
    });
}

TEST(Capture, AShortRunIsNotDisturbed) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        Collector collector(capped());
        Counting sink;
        const Collector::Following following(collector, sink);
        cupti.produce(kCap / 8 / kBytesOfCall);
        std::this_thread::sleep_for(100ms);
        EXPECT_EQ(sink.work, 0u) << "nothing wakes up";
        collector.drain(sink);
        EXPECT_EQ(sink.work, kCap / 8 / kBytesOfCall);
    });
}

TEST(Capture, TakesInFromTimeToTimeIfItIsTold) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        std::atomic<int> turns{0};
        CollectorConfig config = capped();
        config.takeInEvery = 5ms;
        config.takenIn = [&turns] { ++turns; };
        Collector collector(config);
        Counting sink;
        const Collector::Following following(collector, sink);
        for (std::uint64_t i = 1; i <= 3; ++i) {
            cupti.produce(10);
            EXPECT_TRUE(comes([&] { return sink.work == 10 * i; }));
        }
        EXPECT_TRUE(comes([&] { return turns >= 3; }));
        collector.drain(sink);
        EXPECT_EQ(sink.work, 30u);
    });
}

TEST(Capture, HalvesOfARangeMeetOverBuffersAndTurns) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        CollectorConfig config = capped();
        config.takeInEvery = 1ms;
        Collector collector(config);
        struct Ranges final : Counting {
            using Counting::add;
            void add(const ActivityRecord& r) override {
                if (r.cls == ActivityClass::Nvtx)
                    length = r.end - r.begin;
                Counting::add(r);
            }
            std::atomic<Ns> length{0};
        } sink;
        const Collector::Following following(collector, sink);
        cupti.marker(5, 1'000, true);
        cupti.produce(1);
        ASSERT_TRUE(comes([&] { return sink.calls == 1; })) << "the begin was taken in";
        cupti.marker(5, 9'000, false);
        cupti.marker(6, 9'500, true);
        EXPECT_TRUE(comes([&] { return sink.length == 8'000; }));
        collector.drain(sink);
        EXPECT_EQ(sink.refused[DefectCode::OpenRange], 1u) << "of the other only the begin came";
    });
}

struct Failing final : Counting {
    using Counting::add;
    void add(const ActivityRecord& r) override {
        Counting::add(r);
        if (calls == 1'000)
            throw Error(ErrorKind::Usage, "cannot-write", "The disk is full.", "Free some space.");
    }
};

TEST(Capture, WhatGoesWrongOnItsThreadIsToldToWhoDrains) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        Collector collector(capped());
        Failing sink;
        {
            const Collector::Following following(collector, sink);
            cupti.produce(kCap / kBytesOfCall);
            try {
                collector.drain(sink);
                FAIL() << "nobody was told";
            } catch (const Error& error) {
                EXPECT_EQ(error.code(), "cannot-write");
            }
        }
        EXPECT_EQ(sink.calls, 1'000u) << "nothing comes after a failure";
        cupti.produce(10);
        Counting next;
        collector.drain(next);
        EXPECT_EQ(next.work, 10u);
    });
}

TEST(Capture, FollowingThatIsGivenUpLeavesTheSinkAlone) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        Collector collector(capped());
        {
            Counting sink;
            const Collector::Following following(collector, sink);
            cupti.produce(kCap / kBytesOfCall / 2);
        }
        cupti.produce(kCap / kBytesOfCall / 2); // nobody wants them: the sink is gone
        Counting facts;
        collector.discard(facts);
        EXPECT_EQ(facts.work, 0u);
        cupti.produce(10);
        Counting next;
        collector.drain(next);
        EXPECT_EQ(next.work, 10u);
    });
}

// What an issuing thread writes down and the capture's thread looks up, at the same time.
TEST(Capture, OpsOfCallsAreToldWhileWorkGoesOn) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        Collector collector(capped(16u << 20));
        const auto issue = [&](std::uint32_t first, std::uint32_t count) {
            for (std::uint32_t op = first; op < first + count; ++op) {
                collector.pushOp(OpId{op});
                cupti.produce({1, true, false});
                collector.popOp();
            }
        };
        Counting facts;
        issue(0, 100); // warm-up: tags and times are compared
        collector.discard(facts);
        struct Ops final : Counting {
            using Counting::add;
            void add(const CorrelationRecord& r) override { opOf[r.correlation] = r.op; }
            void add(const ActivityRecord& r) override {
                Counting::add(r);
                if (r.cls == ActivityClass::Api)
                    all.push_back(r.correlation);
            }
            std::map<std::uint32_t, OpId> opOf;
            std::vector<std::uint32_t> all;
        } sink;
        constexpr std::uint32_t kOps = 100'000;
        const Collector::Following following(collector, sink);
        issue(0, kOps);
        EXPECT_TRUE(comes([&] { return sink.calls > kOps / 4; })) << "while work goes on";
        collector.drain(sink);
        ASSERT_EQ(sink.all.size(), kOps);
        ASSERT_EQ(sink.opOf.size(), kOps);
        for (const std::uint32_t call : sink.all) // the calls of warm-up were 1 to 100
            ASSERT_EQ(sink.opOf[call], OpId{call - 101});
    });
}

TEST(Capture, AForkedChildTakesNothingInAndGivesNothingOut) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        constexpr int kForks = 40;
        constexpr std::uint64_t kCalls = 2 * kCap / kBytesOfCall;
        Counting sink;
        {
            Collector collector(capped());
            const Collector::Following following(collector, sink);
            std::jthread work([&] {
                for (std::uint64_t i = 0; i < kCalls; i += kCalls / 1'000) {
                    comes([&] { return i - std::min(i, sink.work.load()) < kCap / 4 / kBytesOfCall; });
                    cupti.produce(kCalls / 1'000);
                }
            });
            cupti.produce(3); // this thread's own buffer is half full when it forks
            for (int i = 0; i < kForks; ++i) {
                const pid_t child = ::fork(); // somebody may hold any lock just now
                if (child == 0) {
                    ::alarm(300);
                    const std::uint64_t before = sink.work;
                    Counting own;
                    cupti.produce(50'000); // as much as fills buffers
                    collector.drain(own);
                    collector.discard(own);
                    ::_exit(own.work + own.calls == 0 && sink.work == before ? 0 : 1);
                }
                int status = 0;
                ASSERT_EQ(::waitpid(child, &status, 0), child);
                ASSERT_EQ(status, 0) << "it hung, or gave out what is not its own";
            }
            work.join();
            collector.drain(sink);
        }
        EXPECT_EQ(sink.work + sink.calls + sink.refused[DefectCode::BufferCap], cupti.produced());
        EXPECT_EQ(sink.refused[DefectCode::BufferCap], 0u);
    });
}

/// What the program has taken and not given back; pages that the heap keeps for itself do not count.
std::size_t allocatedBytes() {
    const struct mallinfo2 info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
}

// A child that ends as programs do, with destructors: its copy of the capture must let it.
TEST(Capture, AForkedChildKeepsNoRecordsAndEndsAsItsProgramWants) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        auto collector = std::make_unique<Collector>(capped());
        Counting sink;
        auto following = std::make_unique<Collector::Following>(*collector, sink);
        cupti.produce(100);
        const pid_t child = ::fork();
        if (child == 0) {
            ::alarm(30);
            const std::size_t before = allocatedBytes();
            cupti.produce(kCap / kBytesOfCall);
            const bool kept = kMemoryIsGivenBack && allocatedBytes() > before + kCap / 2;
            following.reset();
            collector.reset();
            ::_exit(kept ? 1 : sink.work == 0 ? 0 : 2);
        }
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
        collector->drain(sink);
        EXPECT_EQ(sink.work, 100u);
    });
}

TEST(Capture, AfterItsEndWhatComesTakesNoMemory) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        { const Collector collector(capped()); }
        cupti.produce(4 * kCap / kBytesOfCall);
        EXPECT_LE(cupti.buffers(), 2u);
    });
}

TEST(Capture, IsOneForAProcess) {
    inOwnProcess([] {
        const StreamedCupti cupti;
        const Collector first(capped());
        try {
            const Collector second(capped());
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), "second-collector");
        }
    });
}

} // namespace
} // namespace olab::cupti
