// A program that uses a made-up CUDA: cuda_program WORD... does these things in order.
//   cuda           initializes it, which loads what CUDA_INJECTION64_PATH names and calls it
//   calls:N        N calls, each with its work           unfinished:N   the same, work that does not end
//   graphs:N       calls whose work is of a graph        env            says whether NVTX is told of us
//   forever        calls until a signal comes            wait:MS        sleeps
//   cat            copies its input to its output        say:TEXT       and to its error output, too
//   exit:N _exit:N abort crash kill quick:N              how it ends; else with 0
//   fork           a child makes 50 calls and ends in good order
//   forkexec:WORDS a child becomes this program with these words, separated by commas
//   exec:WORDS     becomes this program with these words
//   small-files    may write no file above 200 KB        handle         SIGTERM ends forever, with 9
//   start stop     cudaProfilerStart, cudaProfilerStop   push:NAME pop  NVTX ranges
//   nvtx:NAME nvtx-end   the same, by NVTX itself; nvtx-told says how often CUPTI was called for it
//   domain:NAME    a range of a domain of its own, which ends at once
//   registered:NAME a range whose name is registered, and with no name its end
//   close-all      closes all files that it did not open, and opens ten empty ones, own0 ...
//   tool           loads another client of CUPTI, which binds to it
//   profile-begin profile-end   it records, and says how many calls it saw
//   profile-again  it records, and relies on its clock from before
//   stamped:FILE   the same, and adds a line to the file now and then: the wall time, the calls made
//   await:FILE touch:FILE   waits until it is there; makes it
//   slow:MS        from now on work ends that much later
//   wall           from now on calls are stamped by CUPTI's clock, else by their numbers
//   sync:N         cudaDeviceSynchronize every 20 ms, N times
//   state          says what CUPTI was asked for
//   busy:N idle    N threads make calls all the time, until idle
//   hang           a forced flush of CUPTI's never returns
#include "../cupti/stream_cupti.h"

#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

void domainRange(const char* name) {
    static const nvtxDomainHandle_t domain = nvtxDomainCreateA("own");
    nvtxEventAttributes_t attributes{};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
    attributes.message.ascii = name;
    nvtxDomainRangePushEx(domain, &attributes);
    nvtxDomainRangePop(domain);
}

void *g_cupti = nullptr, *g_tool = nullptr;
std::string g_self;
volatile std::sig_atomic_t g_asked = 0;
constexpr int kMostRounds = 200'000; // a minute at least: what nobody ends must not stay

template <typename Function>
Function of(const char* name) {
    return reinterpret_cast<Function>(::dlsym(g_cupti, name));
}

/// As the driver does in cuInit().
void initialize() {
    g_cupti = ::dlopen(STREAM_CUPTI, RTLD_NOW | RTLD_LOCAL);
    const char* const named = std::getenv("CUDA_INJECTION64_PATH");
    void* const library = named ? ::dlopen(named, RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (library)
        reinterpret_cast<int (*)()>(::dlsym(library, "InitializeInjection"))();
}

std::atomic<bool> g_wall{false};

void calls(std::uint64_t count, bool unfinished = false, bool graphs = false) {
    FakeWork work;
    work.inGraphs = graphs;
    work.calls = count;
    work.unfinished = unfinished;
    work.realTimes = g_wall;
    of<decltype(&fakeProduce)>("fakeProduce")(&work);
}

void become(std::string words) {
    std::vector<std::string> all{g_self};
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t end = std::min(words.find(',', at), words.size());
        all.push_back(words.substr(at, end - at));
        at = end + 1;
    }
    std::vector<char*> pointers;
    for (std::string& word : all)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    ::execv(g_self.c_str(), pointers.data());
    std::_Exit(99);
}

void copyInput() {
    char block[4096];
    for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, stdin)) > 0;)
        std::fwrite(block, 1, n, stdout);
    std::fflush(stdout);
}

void smallFiles() {
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 200'000;
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

/// Until it is killed.
void stamped(const std::string& name) {
    std::FILE* const file = std::fopen(name.c_str(), "w");
    for (int round = 0; round < kMostRounds; ++round) {
        calls(100), ::usleep(200);
        timespec t{};
        ::clock_gettime(CLOCK_REALTIME, &t);
        std::fprintf(file, "%lld %d\n", t.tv_sec * 1'000'000'000ll + t.tv_nsec, 100 * (round + 1));
        std::fflush(file);
    }
}

/// And opens files of its own in their places, which only it may write to.
void closeAll() {
    ::closefrom(3);
    for (int i = 0; i < 10; ++i)
        (void)!::open(("own" + std::to_string(i)).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
}

void loadTool() {
    g_cupti = ::dlopen(STREAM_CUPTI, RTLD_NOW | RTLD_LOCAL);
    g_tool = ::dlopen(PROFILING_TOOL, RTLD_NOW | RTLD_LOCAL);
    if (!g_tool)
        std::_Exit(96);
}

std::atomic<bool> g_busy{false};
std::vector<std::thread> g_threads;

void beBusy(int threads) {
    g_busy = true;
    for (int i = 0; i < threads; ++i)
        g_threads.emplace_back([] {
            while (g_busy)
                calls(10), ::usleep(500);
        });
}

void beIdle() {
    g_busy = false;
    for (std::thread& thread : g_threads)
        thread.join();
    g_threads.clear();
}

void beginProfile(bool clock) {
    if (!reinterpret_cast<bool (*)(bool)>(::dlsym(g_tool, "toolBegin"))(clock))
        std::printf("the tool could not begin\n");
}

void endProfile() {
    std::printf("the tool saw %zu calls\n",
                reinterpret_cast<std::size_t (*)()>(::dlsym(g_tool, "toolEnd"))());
}

void awaitChild(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0)
        std::_Exit(98);
}

void perform(const std::string& word, const std::string& value) {
    const auto number = static_cast<int>(std::strtol(value.c_str(), nullptr, 10));
    if (word == "cuda")
        initialize();
    else if (word == "calls" || word == "unfinished")
        calls(static_cast<std::uint64_t>(number), word == "unfinished");
    else if (word == "graphs")
        calls(static_cast<std::uint64_t>(number), false, true);
    else if (word == "env")
        std::printf("NVTX_INJECTION64_PATH %s\n", std::getenv("NVTX_INJECTION64_PATH") ? "set" : "unset");
    else if (word == "forever")
        for (int left = kMostRounds; left > 0; --left) {
            calls(100), ::usleep(200);
            if (g_asked)
                std::exit(9);
        }
    else if (word == "stamped")
        stamped(value);
    else if (word == "wait")
        ::usleep(static_cast<useconds_t>(number) * 1000);
    else if (word == "cat")
        copyInput();
    else if (word == "say")
        std::printf("%s\n", value.c_str()), std::fprintf(stderr, "error %s\n", value.c_str());
    else if (word == "exit")
        std::exit(number);
    else if (word == "_exit")
        ::_exit(number);
    else if (word == "quick")
        std::quick_exit(number);
    else if (word == "abort")
        std::abort();
    else if (word == "crash")
        std::signal(SIGSEGV, SIG_DFL), std::raise(SIGSEGV); // no sanitizer ends it in good order
    else if (word == "kill")
        ::kill(::getpid(), SIGKILL);
    else if (word == "close-all")
        closeAll();
    else if (word == "await")
        for (int left = 10'000; ::access(value.c_str(), F_OK) != 0 && left > 0; --left)
            ::usleep(2000);
    else if (word == "touch")
        ::close(::open(value.c_str(), O_WRONLY | O_CREAT, 0644));
    else if (word == "slow")
        of<decltype(&fakeSlowTimes)>("fakeSlowTimes")(static_cast<std::uint64_t>(number) * 1'000'000);
    else if (word == "wall")
        g_wall = true;
    else if (word == "sync")
        for (int left = number; left > 0; --left)
            of<decltype(&fakeDeviceSynchronize)>("fakeDeviceSynchronize")(), ::usleep(20'000);
    else if (word == "state")
        std::printf("subscribed %d finalized %d kernels %d\n",
                    of<decltype(&fakeSubscribed)>("fakeSubscribed")(),
                    static_cast<int>(of<decltype(&fakeFinalized)>("fakeFinalized")()),
                    of<decltype(&fakeRecordsKernels)>("fakeRecordsKernels")());
    else if (word == "busy")
        beBusy(number);
    else if (word == "idle")
        beIdle();
    else if (word == "tool")
        loadTool();
    else if (word == "profile-begin" || word == "profile-again")
        beginProfile(word == "profile-begin");
    else if (word == "profile-end")
        endProfile();
    else if (word == "small-files")
        smallFiles();
    else if (word == "handle")
        std::signal(SIGTERM, [](int) { g_asked = 1; });
    else if (word == "start" || word == "stop")
        of<decltype(&fakeProfiler)>("fakeProfiler")(word == "start");
    else if (word == "push")
        of<decltype(&fakeRangePush)>("fakeRangePush")(value.c_str());
    else if (word == "pop")
        of<decltype(&fakeRangePop)>("fakeRangePop")();
    else if (word == "nvtx")
        nvtxRangePushA(value.c_str());
    else if (word == "nvtx-end")
        nvtxRangePop();
    else if (word == "domain")
        domainRange(value.c_str());
    else if (word == "nvtx-told")
        std::printf("CUPTI was told %llu times\n",
                    static_cast<unsigned long long>(of<decltype(&fakeRangesTold)>("fakeRangesTold")()));
    else if (word == "registered")
        of<decltype(&fakeRegisteredRange)>("fakeRegisteredRange")(value.c_str(), !value.empty());
    else if (word == "hang")
        of<decltype(&fakeHang)>("fakeHang")();
    else if (word == "fork") {
        const pid_t child = ::fork();
        if (child == 0)
            calls(50), std::exit(0);
        awaitChild(child);
    } else if (word == "forkexec") {
        const pid_t child = ::fork();
        if (child == 0)
            become(value);
        awaitChild(child);
    } else if (word == "exec")
        become(value);
    else
        std::_Exit(97);
}

} // namespace

int main(int count, char** words) {
    g_self = words[0];
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        const std::size_t colon = std::min(word.find(':'), word.size());
        perform(word.substr(0, colon), colon < word.size() ? word.substr(colon + 1) : "");
    }
}
