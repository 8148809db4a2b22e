// The last seconds of a file that grows: what is there of them, what is kept for the next look, when
// recording was on.
#include <olab/recording/last_seconds.h>

#include <gtest/gtest.h>

#include <thread>
#include <unistd.h>

namespace olab::recording {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr Ns kSecond = 1'000'000'000, kStart = 1'700'000'000 * kSecond;

class LastSecondsTest : public testing::Test {
protected:
    LastSecondsTest()
        : m_path(fs::temp_directory_path() / ("olab_last_" + std::to_string(::getpid()) + ".olab")) {
        fs::remove(m_path);
    }
    ~LastSecondsTest() override { fs::remove(m_path); }
    struct Writing {
        explicit Writing(const fs::path& path)
            : file(path)
            , records(file) {
            records.add(ProvenanceRecord{SourceKind::Traced, "Overlap Lab", "1", ""});
            records.add(DeviceRecord{.device = 0, .name = "GPU of a test"});
            records.add(ContextRecord{1, 0, 7, 0});
            records.add(StreamRecord{1, 13, StreamKind::NonBlocking, 0, 0});
        }
        /// `count` calls, each with a kernel, `each` apart.
        void work(Ns begin, std::size_t count, Ns each = 1'000'000) {
            const TextId call = records.intern("cudaLaunchKernel"), kernel = records.intern("work");
            for (std::size_t i = 0; i < count; ++i, begin += each) {
                ActivityRecord api;
                api.cls = ActivityClass::Api, api.begin = begin, api.end = begin + each / 8;
                api.thread = 4711, api.correlation = ++correlation, api.name = call;
                records.add(api);
                ActivityRecord r;
                r.cls = ActivityClass::Kernel, r.begin = begin + each / 4, r.end = begin + each / 2;
                r.device = 0, r.context = 1, r.stream = 13, r.correlation = correlation, r.name = kernel;
                records.add(r);
            }
            records.flush();
        }
        ContainerWriter file;
        RecordWriter records;
        std::uint32_t correlation = 0;
    };
    static std::size_t countOf(const LastLook& look, ActivityClass cls) {
        std::size_t count = 0;
        for (ActivityIndex i = 0; look.recording && i < look.recording->trace.size(); ++i)
            count += look.recording->trace.cls(i) == cls ? 1 : 0;
        return count;
    }
    const fs::path m_path;
};

TEST_F(LastSecondsTest, WaitsForAFileAndForSomethingNew) {
    LastSeconds last(m_path, 2s);
    EXPECT_FALSE(last.look().recording) << "there is no file yet";
    Writing writing(m_path);
    writing.records.flush();
    EXPECT_FALSE(last.look().recording) << "facts alone are nothing to see";
    writing.work(kStart, 100);
    const LastLook first = last.look();
    ASSERT_TRUE(first.recording);
    EXPECT_EQ(first.end, FileEnd::Open);
    EXPECT_EQ(countOf(first, ActivityClass::Kernel), 100u);
    EXPECT_EQ(first.recording->trace.devices()[0].name, "GPU of a test");
    EXPECT_TRUE(first.recording->trace.defects().empty());
    EXPECT_EQ(first.recording->badge(), "TRACED");
    std::this_thread::sleep_for(20ms);
    const LastLook second = last.look();
    EXPECT_FALSE(second.recording);
    EXPECT_GE(second.quiet, 15ms);
    writing.file.finish();
    EXPECT_EQ(last.look().end, FileEnd::Closed);
}

TEST_F(LastSecondsTest, HasTheLastOnesOnlyAndAllOfThem) {
    Writing writing(m_path);
    LastSeconds last(m_path, 2s);
    for (int second = 0; second < 8; ++second) {
        writing.work(kStart + second * kSecond, 1000);
        const LastLook look = last.look();
        ASSERT_TRUE(look.recording);
        const std::size_t kernels = countOf(look, ActivityClass::Kernel);
        EXPECT_NEAR(static_cast<double>(kernels), second == 0 ? 1000 : 2000, 2) << second;
        EXPECT_NEAR(static_cast<double>(countOf(look, ActivityClass::Api)), static_cast<double>(kernels), 1);
        EXPECT_EQ(look.recording->trace.devices()[0].name, "GPU of a test") << "facts are never too old";
        EXPECT_TRUE(look.recording->trace.defects().empty());
        EXPECT_FALSE(look.isShortened);
        EXPECT_EQ(look.seconds.length(), 2 * kSecond);
        ASSERT_FALSE(look.recording->report.verdicts.empty() && look.recording->report.devices.empty());
    }
}

TEST_F(LastSecondsTest, OfALongFileLittleIsKept) {
    Writing writing(m_path);
    LastSeconds last(m_path, 1h);
    writing.work(kStart, 3 * kMostLookedAt, 1000);
    const LastLook look = last.look();
    ASSERT_TRUE(look.recording);
    EXPECT_TRUE(look.isShortened);
    EXPECT_LE(look.recording->trace.size(), kMostLookedAt);
    EXPECT_GE(look.recording->trace.size(), kMostLookedAt / 2);
    EXPECT_LT(last.memoryBytes(), 64 * kMostLookedAt);
    const auto end = static_cast<Ns>(3 * kMostLookedAt) * 1000;
    EXPECT_GT(look.seconds.begin, kStart + end / 2);
    EXPECT_NEAR(static_cast<double>(look.seconds.end - kStart), static_cast<double>(end), 1000);
    const Interval first = look.recording->trace.time(0);
    EXPECT_GT(first.end, look.seconds.begin) << "of what is said to be seen all is there";
    EXPECT_LT(first.end, look.seconds.begin + 2000);
}

TEST_F(LastSecondsTest, ALengthMayBeChangedMeanwhile) {
    Writing writing(m_path);
    LastSeconds last(m_path, 1s);
    writing.work(kStart, 3000);
    EXPECT_NEAR(static_cast<double>(countOf(last.look(), ActivityClass::Kernel)), 1000, 2);
    last.setLength(10s);
    EXPECT_EQ(last.length(), 10s);
    writing.work(kStart + 3 * kSecond, 1000);
    const LastLook look = last.look();
    EXPECT_GE(countOf(look, ActivityClass::Kernel), 1990u) << "what was dropped is gone, the rest grows";
    EXPECT_FALSE(look.isShortened) << "it is not too much that happens";
}

TEST_F(LastSecondsTest, SaysWhenRecordingWasOn) {
    Writing writing(m_path);
    LastSeconds last(m_path, 5s);
    writing.work(kStart, 10);
    EXPECT_TRUE(last.look().on.empty());
    writing.records.add(EnvironmentRecord{"recorded.spans", "100-"});
    writing.records.flush();
    EXPECT_TRUE(last.look().isOn);
    writing.records.add(EnvironmentRecord{"recorded.spans", "100-200"});
    writing.records.flush();
    const LastLook off = last.look();
    EXPECT_FALSE(off.isOn);
    EXPECT_EQ(off.on, (std::vector<Interval>{{100, 200}}));
    writing.records.add(EnvironmentRecord{"recorded.spans", "100-200 300-"});
    writing.records.flush();
    EXPECT_TRUE(last.look().isOn);
}

TEST_F(LastSecondsTest, NothingWaitedWhileRecordingWasOff) {
    Writing writing(m_path);
    LastSeconds last(m_path, 10s);
    writing.work(kStart, 1000);
    const LastLook first = last.look();
    EXPECT_EQ(first.judged, first.recording);
    const Ns on = kStart + 4 * kSecond;
    writing.records.add(EnvironmentRecord{"recorded.spans", std::to_string(kStart - 1) + "-" +
                                                                std::to_string(kStart + kSecond) + " " +
                                                                std::to_string(on) + "-"});
    writing.work(on, 1000);
    const LastLook look = last.look();
    EXPECT_EQ(countOf(look, ActivityClass::Kernel), 2000u) << "all of it is shown";
    ASSERT_NE(look.judged, look.recording);
    EXPECT_GT(look.recording->trace.deviceSpan().length(), 4 * kSecond);
    EXPECT_LE(look.judged->trace.deviceSpan().length(), kSecond) << "what is judged has no pause in it";
}

TEST(SpansIn, AreReadAsFarAsTheyAreSound) {
    constexpr Ns kAlways = std::numeric_limits<Ns>::max();
    EXPECT_EQ(spansIn("17-20 25-"), (std::vector<Interval>{{17, 20}, {25, kAlways}}));
    EXPECT_EQ(spansIn("17-"), (std::vector<Interval>{{17, kAlways}}));
    for (const char* text : {"", "x", "17", "-", " 17-20", "99999999999999999999-"})
        EXPECT_TRUE(spansIn(text).empty()) << text;
    EXPECT_EQ(spansIn("1-2 x 3-4"), (std::vector<Interval>{{1, 2}}));
    EXPECT_TRUE(spansIn("20-17").empty());
}

/// As olab trace --last does: another file takes its place.
TEST_F(LastSecondsTest, AFileThatIsExchangedIsReadOn) {
    LastSeconds last(m_path, 5s);
    {
        Writing writing(m_path);
        writing.work(kStart, 100);
        ASSERT_EQ(countOf(last.look(), ActivityClass::Kernel), 100u);
        const fs::path next = m_path.string() + ".next";
        Writing exchanged(next);
        exchanged.work(kStart + kSecond, 70);
        fs::rename(next, m_path);
        const LastLook look = last.look();
        EXPECT_EQ(countOf(look, ActivityClass::Kernel), 70u);
        EXPECT_EQ(look.end, FileEnd::Open) << "the former one has no writer any more, this one has";
    }
    EXPECT_NE(last.look().end, FileEnd::Open);
}

TEST_F(LastSecondsTest, IsWatchedUntilItsEnd) {
    LastSeconds last(m_path, 5s);
    Writing writing(m_path);
    writing.work(kStart, 10);
    std::size_t looks = 0, seen = 0;
    watch(
        last, {},
        [&](const LastLook& look) {
            ++looks;
            seen += look.recording ? 1 : 0;
            if (looks == 3)
                writing.file.finish();
        },
        1ms);
    EXPECT_EQ(looks, 4u);
    EXPECT_EQ(seen, 1u) << "what is known already is not made again";
}

TEST_F(LastSecondsTest, AWatchThatIsStoppedEndsAtOnce) {
    LastSeconds last(m_path, 5s);
    std::stop_source stop;
    RunControl control;
    control.stop = stop.get_token();
    const auto begin = std::chrono::steady_clock::now();
    std::jthread stopping([&stop] {
        std::this_thread::sleep_for(50ms);
        stop.request_stop();
    });
    EXPECT_THROW(watch(
                     last, control, [](const LastLook&) {}, 1h),
                 Error);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

} // namespace
} // namespace olab::recording
