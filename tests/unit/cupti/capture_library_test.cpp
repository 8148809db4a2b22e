// The capture as a shared library in a program that knows nothing of it: this one, which loads it as CUDA
// would.
#include "streamed.h"

#include <olab/capture/capture_library.h>
#include <olab/cupti/buffer_pool.h>
#include <olab/trace/container.h>
#include <olab/trace/error.h>
#include <olab/trace/trace_builder.h>

#include <gmock/gmock.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <sstream>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace olab::cupti {
namespace {

using namespace std::chrono_literals;
using test::StreamedCupti;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

struct Library {
    Library() {
        library = ::dlopen(CAPTURE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
        EXPECT_NE(library, nullptr) << ::dlerror();
        start = reinterpret_cast<decltype(start)>(::dlsym(library, "olabCaptureStart"));
        stop = reinterpret_cast<decltype(stop)>(::dlsym(library, "olabCaptureStop"));
        message = reinterpret_cast<decltype(message)>(::dlsym(library, "olabCaptureMessage"));
    }
    void* library = nullptr;
    int (*start)(const char*, const OlabCaptureOptions*) = nullptr;
    int (*stop)() = nullptr;
    const char* (*message)() = nullptr;
};

class CaptureLibrary : public testing::Test {
protected:
    void SetUp() override {
        m_path = fs::temp_directory_path() / ("olab_library_" + std::to_string(::getpid()) + ".olab");
    }
    /// That one does not go on to TearDown().
    template <typename Body>
    void inOwnProcess(Body body) const {
        test::inOwnProcess([&] {
            body();
            fs::remove(m_path);
        });
    }
    /// All there is so far.
    static FileEnd readOn(ContainerFollower& follower, TraceBuilder& builder) {
        return follower.readOn([&builder](Chunk&& chunk) { readRecords(chunk.payload, builder); });
    }
    /// Until at least so many activities are there.
    static Trace waitFor(std::size_t count, ContainerFollower& follower, TraceBuilder& builder) {
        const auto until = std::chrono::steady_clock::now() + 300s;
        while (std::chrono::steady_clock::now() < until) {
            EXPECT_EQ(readOn(follower, builder), FileEnd::Open);
            if (Trace trace = builder.snapshot(); trace.size() >= count)
                return trace;
            std::this_thread::sleep_for(1ms);
        }
        return {};
    }
    fs::path m_path;
};

std::string outputOf(const std::string& command) {
    std::string text;
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    char buffer[4096];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;)
        text.append(buffer, n);
    EXPECT_EQ(::pclose(pipe), 0) << command;
    return text;
}

TEST_F(CaptureLibrary, ShowsNothingButWhatItIsFor) {
    std::istringstream names(outputOf(NM " -D --defined-only " CAPTURE_LIBRARY));
    std::vector<std::string> shown;
    for (std::string address, type, name; names >> address >> type >> name;)
        shown.push_back(name);
    EXPECT_THAT(shown,
                testing::UnorderedElementsAre("olabCaptureStart", "olabCaptureStop", "olabCaptureMessage"));
}

TEST_F(CaptureLibrary, KnowsNothingOfTheProgramItIsIn) {
    std::ifstream in(CAPTURE_LIBRARY, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    ASSERT_GT(bytes.size(), 100'000u);
    // A compiler puts short texts into instructions of four or eight bytes each.
    EXPECT_EQ(bytes.find("/exe"), bytes.npos) << "/proc/self/exe";
    EXPECT_NE(bytes.find("/map"), bytes.npos) << "/proc/self/maps: such texts can be found";
}

TEST_F(CaptureLibrary, RecordsIntoAFileThatIsFollowedWhileItGrows) {
    inOwnProcess([this] {
        const StreamedCupti cupti;
        const Library capture;
        const OlabCaptureOptions options{16u << 20, 5};
        ASSERT_EQ(capture.start(m_path.c_str(), &options), 0) << capture.message();
        EXPECT_STREQ(capture.message(), "");
        ContainerFollower follower(m_path);
        TraceBuilder builder;
        for (std::size_t calls = 1'000; calls <= 3'000; calls += 1'000) {
            cupti.produce(1'000);
            const Trace trace = waitFor(2 * calls, follower, builder);
            EXPECT_EQ(trace.size(), 2 * calls);
            EXPECT_TRUE(trace.defects().empty()) << "an open end is no damage";
        }
        cupti.produce(10);
        EXPECT_EQ(capture.stop(), 0) << capture.message();
        EXPECT_EQ(readOn(follower, builder), FileEnd::Closed);
        EXPECT_TRUE(follower.defects().empty());
        const Trace trace = builder.finish();
        EXPECT_EQ(trace.size(), 6'020u);
        EXPECT_EQ(trace.counts().read, cupti.produced());
        EXPECT_EQ(trace.provenance().source, SourceKind::Traced);
        EXPECT_THAT(trace.environment().at("cupti.records"), HasSubstr("runtime API 3010"));
        EXPECT_EQ(trace.environment().at("calls.not_recorded"), "cudaGetDevice, cudaStreamIsCapturing");
        EXPECT_EQ(capture.stop(), 0) << "once more does nothing";
        EXPECT_NE(capture.start(m_path.c_str(), nullptr), 0);
        EXPECT_THAT(capture.message(), HasSubstr("already"));
    });
}

TEST_F(CaptureLibrary, WhereItCannotTheProgramGoesOn) {
    inOwnProcess([this] {
        const Library capture;
        EXPECT_EQ(capture.stop(), 0) << "nothing is recorded";
        EXPECT_EQ(capture.start("", nullptr), 2);
        EXPECT_EQ(capture.start("/no/such/folder/run.olab", nullptr), 2);
        EXPECT_THAT(capture.message(), HasSubstr("folder does not exist"));
        ::setenv("OLAB_CUPTI", "/no/such/libcupti.so", 1);
        EXPECT_EQ(capture.start(m_path.c_str(), nullptr), 3);
        EXPECT_THAT(capture.message(), HasSubstr("/no/such/libcupti.so"));
        EXPECT_FALSE(fs::exists(m_path)) << "no empty file is left";
        const StreamedCupti cupti;
        EXPECT_EQ(capture.start(m_path.c_str(), nullptr), 0)
            << "it may be tried again: " << capture.message();
        EXPECT_EQ(capture.stop(), 0);
    });
}

// The system ends a program that writes more than it may, and one that does not listen: not for our writes.
TEST_F(CaptureLibrary, AFullDiskEndsTheRecordingAndNotTheProgram) {
    inOwnProcess([this] {
        const StreamedCupti cupti;
        const Library capture;
        const OlabCaptureOptions options{16u << 20, 1};
        rlimit limit{};
        ::getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = 300'000;
        ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
        ASSERT_EQ(capture.start(m_path.c_str(), &options), 0) << capture.message();
        for (int i = 0; i < 50; ++i) {
            cupti.produce(2'000);
            std::this_thread::sleep_for(2ms);
        }
        EXPECT_EQ(capture.stop(), 2);
        EXPECT_THAT(capture.message(), HasSubstr("Free some space"));
        ContainerFollower follower(m_path);
        TraceBuilder builder;
        EXPECT_EQ(readOn(follower, builder), FileEnd::Lost) << "closed, and not as if it were whole";
        EXPECT_GT(builder.finish().size(), 1'000u) << "what was written before can be read";
        cupti.produce(100'000); // the program goes on
        EXPECT_LT(cupti.buffers() * BufferPool::kBufferBytes, 48u << 20);
    });
}

TEST_F(CaptureLibrary, AForkedChildMayStopAndEndWithoutATrace) {
    inOwnProcess([this] {
        const StreamedCupti cupti;
        const Library capture;
        ASSERT_EQ(capture.start(m_path.c_str(), nullptr), 0) << capture.message();
        cupti.produce(5);
        const pid_t child = ::fork();
        if (child == 0) {
            ::alarm(30);
            cupti.produce(50'000);
            const int again = capture.start("/dev/null", nullptr);
            ::_exit(capture.stop() == 0 && again != 0 ? 0 : 1);
        }
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
        EXPECT_EQ(capture.stop(), 0);
        ContainerFollower follower(m_path);
        TraceBuilder builder;
        EXPECT_EQ(readOn(follower, builder), FileEnd::Closed);
        EXPECT_EQ(builder.finish().size(), 10u) << "it wrote into its parent's file";
    });
}

TEST_F(CaptureLibrary, AChildThatLivesOnDoesNotHoldTheFileOfItsDeadParent) {
    inOwnProcess([this] {
        int lives[2]; // readable when the child has begun; closed when it may end
        ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, lives), 0);
        const pid_t recorded = ::fork();
        if (recorded == 0) {
            const StreamedCupti cupti;
            const Library capture;
            if (capture.start(m_path.c_str(), nullptr) != 0)
                ::_exit(1);
            cupti.produce(5);
            if (::fork() == 0) {
                ::close(lives[0]);
                ::alarm(60);
                char byte = 'x';
                (void)!::write(lives[1], &byte, 1);
                (void)!::read(lives[1], &byte, 1); // until this test is over
                ::_exit(0);
            }
            for (;;)
                ::pause();
        }
        ::close(lives[1]);
        char byte = 0;
        ASSERT_EQ(::read(lives[0], &byte, 1), 1) << "the child is there";
        ContainerFollower follower(m_path);
        TraceBuilder builder;
        EXPECT_EQ(readOn(follower, builder), FileEnd::Open) << "its parent still writes";
        ::kill(recorded, SIGKILL);
        int status = 0;
        ASSERT_EQ(::waitpid(recorded, &status, 0), recorded);
        ASSERT_TRUE(WIFSIGNALED(status));
        EXPECT_EQ(readOn(follower, builder), FileEnd::Lost) << "its parent is dead, though the child lives";
        ::close(lives[0]);
    });
}

volatile std::sig_atomic_t g_onOtherThreads = 0;
pid_t g_mainThread = 0;

TEST_F(CaptureLibrary, SignalsOfTheProgramStayWithItsThreads) {
    inOwnProcess([this] {
        g_mainThread = ::gettid();
        ::signal(SIGUSR1, [](int) { g_onOtherThreads = g_onOtherThreads + (::gettid() != g_mainThread); });
        const StreamedCupti cupti;
        const Library capture;
        ASSERT_EQ(capture.start(m_path.c_str(), nullptr), 0) << capture.message();
        sigset_t usr1, before;
        sigemptyset(&usr1);
        sigaddset(&usr1, SIGUSR1);
        ::pthread_sigmask(SIG_BLOCK, &usr1, &before); // nobody of the program's can take it just now
        ::kill(::getpid(), SIGUSR1);
        std::this_thread::sleep_for(50ms);
        EXPECT_EQ(g_onOtherThreads, 0);
        ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
        EXPECT_EQ(g_onOtherThreads, 0);
        EXPECT_EQ(capture.stop(), 0);
    });
}

} // namespace
} // namespace olab::cupti
